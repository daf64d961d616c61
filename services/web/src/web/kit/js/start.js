// Gives every element that asks for a behaviour, by a data attribute, that behaviour: on load and after each swap.
// A behaviour is a module with a `selector` and a function `attach`; one that must come before or after others says so
// with an `order` (0 where there is none). One that fails is reported in the console and stops no other.

// A preview of other pages only looks like them: nothing in it behaves.
const PREVIEW = "[data-preview]";

const attached = new WeakMap();

function attachAll(root, behaviours) {
  for (const { selector, attach } of behaviours) {
    const found = [...root.querySelectorAll(selector)];
    if (root instanceof Element && root.matches(selector)) found.unshift(root);
    for (const element of found) {
      if (element.closest(PREVIEW)) continue;
      const done = attached.get(element) ?? new Set();
      if (done.has(attach)) continue;
      attached.set(element, done.add(attach));
      try {
        attach(element);
      } catch (error) {
        reportError(error);
      }
    }
  }
}

export function start(behaviours) {
  const ordered = [...behaviours].sort((one, other) => (one.order ?? 0) - (other.order ?? 0));
  attachAll(document, ordered);
  document.body.addEventListener("htmx:load", (event) => attachAll(event.detail.elt, ordered));
}
