// Gives every element that asks for a behaviour, by a data attribute, that behaviour: on load and after each swap.
import * as advance from "./advance.js";
import * as conditions from "./conditions.js";
import * as copy from "./copy.js";
import * as countdown from "./countdown.js";
import * as counter from "./counter.js";
import * as dialogs from "./dialogs.js";
import * as draft from "./draft.js";
import * as editor from "./editor.js";
import * as enter from "./enter.js";
import * as expires from "./expires.js";
import * as focus from "./focus.js";
import * as goToPlace from "./go-to-place.js";
import * as keys from "./keys.js";
import * as lease from "./lease.js";
import * as opens from "./opens.js";
import * as poll from "./poll.js";
import * as spans from "./spans.js";
import * as submitOnce from "./submit-once.js";
import * as theme from "./theme.js";
import * as upload from "./upload.js";
import * as waiting from "./waiting.js";

// A preview of other pages only looks like them: nothing in it behaves.
const PREVIEW = "[data-preview]";

// draft before what reads the form: a restored text is counted, a restored mark shown. focus last: it goes to what
// the others have put in place.
const behaviours = [
  theme, dialogs, copy, countdown, draft, conditions, spans, counter, enter, submitOnce, poll, waiting, editor,
  goToPlace, upload, opens, lease, expires, advance, keys, focus,
];

const attached = new WeakMap();

function attachAll(root) {
  for (const { selector, attach } of behaviours) {
    const found = [...root.querySelectorAll(selector)];
    if (root instanceof Element && root.matches(selector)) found.unshift(root);
    for (const element of found) {
      if (element.closest(PREVIEW)) continue;
      const done = attached.get(element) ?? new Set();
      if (done.has(attach)) continue;
      attached.set(element, done.add(attach));
      attach(element);
    }
  }
}

attachAll(document);
document.body.addEventListener("htmx:load", (event) => attachAll(event.detail.elt));
