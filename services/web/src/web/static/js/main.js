// Gives every element that asks for a behaviour, by a data attribute, that behaviour: on load and after each swap.
import * as copy from "./copy.js";
import * as countdown from "./countdown.js";
import * as counter from "./counter.js";
import * as dialogs from "./dialogs.js";
import * as draft from "./draft.js";
import * as enter from "./enter.js";
import * as focus from "./focus.js";
import * as keys from "./keys.js";
import * as poll from "./poll.js";
import * as submitOnce from "./submit-once.js";
import * as theme from "./theme.js";
import * as waiting from "./waiting.js";

// draft before counter: a restored text is counted. focus last: it goes to what the others have put in place.
const behaviours = [theme, dialogs, copy, countdown, draft, counter, enter, submitOnce, poll, waiting, keys, focus];

const attached = new WeakMap();

function attachAll(root) {
  for (const { selector, attach } of behaviours) {
    const found = [...root.querySelectorAll(selector)];
    if (root instanceof Element && root.matches(selector)) found.unshift(root);
    for (const element of found) {
      const done = attached.get(element) ?? new Set();
      if (done.has(attach)) continue;
      attached.set(element, done.add(attach));
      attach(element);
    }
  }
}

attachAll(document);
document.body.addEventListener("htmx:load", (event) => attachAll(event.detail.elt));
