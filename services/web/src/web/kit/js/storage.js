// The browser's storage. A browser may refuse it, for all pages or when it is full: then nothing is kept.

function attempt(act) {
  try {
    return act(localStorage);
  } catch {
    return undefined;
  }
}

export const names = () => attempt((storage) => Object.keys(storage)) ?? [];

export const read = (name) => attempt((storage) => storage.getItem(name)) ?? null;

// Tells whether the text is kept now; `null` takes away what was kept.
export const keep = (name, text) =>
  attempt((storage) => {
    if (text === null) storage.removeItem(name);
    else storage.setItem(name, text);
    return true;
  }) ?? false;

export function readJson(name) {
  try {
    return JSON.parse(read(name));
  } catch {
    return null;
  }
}
