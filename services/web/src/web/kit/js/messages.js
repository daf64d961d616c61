// The scripts' texts in the reader's language; the page contains them (kit/script_messages.py).
const MESSAGES = JSON.parse(document.querySelector('meta[name="messages"]').content);

export const language = document.documentElement.lang;

// The message of that name, its %(name)s filled in.
export function message(name, parameters = {}) {
  return MESSAGES[name].replace(/%\((\w+)\)s/gu, (_, parameter) => parameters[parameter]);
}
