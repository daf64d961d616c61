// Synchronises the form and the text of a configuration. The server derives each from the other. This script puts its
// answer into the page without changing the text that somebody is typing. It ignores an answer to an older text,
// because the next answer follows.
import { attachForm, isCurrent, undo } from "./form-panel.js";

export const selector = "[data-synced], [data-guided], [data-undo]";

const CONTROLS = "input, select, textarea, [data-slot]";

const namesOf = (form) => [...form.querySelectorAll(CONTROLS)].map((each) => `${each.name ?? ""}#${each.id}`).join("\n");

function putValue(live, next) {
  for (const name of ["aria-invalid", "open"]) {
    if (next.hasAttribute(name)) live.setAttribute(name, next.getAttribute(name));
    else live.removeAttribute(name);
  }
  if (live === document.activeElement) return;
  if (live.type === "checkbox") live.checked = next.checked;
  else if (live.tagName === "SELECT") {
    live.replaceChildren(...next.cloneNode(true).childNodes);
    live.value = next.value;
  } else live.value = next.value;
}

function putSlot(live, next) {
  live.hidden = next.hidden;
  const shown = next.cloneNode(true);
  const isSame = live.childNodes.length === shown.childNodes.length
    && [...live.childNodes].every((node, position) => node.isEqualNode(shown.childNodes[position]));
  if (!isSame) live.replaceChildren(...shown.childNodes);
}

// For the same controls: update their values and problems.
function update(form, next) {
  const controls = [...next.querySelectorAll(CONTROLS)];
  [...form.querySelectorAll(CONTROLS)].forEach((live, position) => {
    if ("slot" in live.dataset) putSlot(live, controls[position]);
    else putValue(live, controls[position]);
  });
}

// For other controls: replace the whole form; keep the open sections and the focus.
function replace(form, next) {
  const before = new Map([...form.querySelectorAll("details")].map((each) => [each.id, each.open]));
  const focused = form.contains(document.activeElement) ? document.activeElement : null;
  const place = focused && { id: focused.id, name: focused.name, value: focused.value };
  form.replaceChildren(...next.childNodes);
  let added = null;
  for (const details of form.querySelectorAll("details")) {
    if (before.has(details.id)) details.open ||= before.get(details.id);
    else if (before.size) added = added ?? details;
  }
  if (!place) return;
  if (place.name === "change" && added) {
    added.open = true;
    added.querySelector("input:not([type=hidden]), select, textarea")?.focus();
    return;
  }
  const same = place.id
    ? document.getElementById(place.id)
    : [...form.querySelectorAll("button[name=change]")].find((each) => each.value === place.value);
  (same ?? form.querySelector("summary"))?.focus({ preventScroll: true });
}

function putForm(form, next) {
  const waits = next.querySelector("#form-waits");
  const fields = form.querySelector("#form-fields");
  putSlot(form.querySelector("#form-waits"), waits);
  fields.disabled = !waits.hidden;
  if (fields.disabled) return;
  if (namesOf(form) === namesOf(next)) update(form, next);
  else replace(form, next);
}

export function attach(element) {
  if ("guided" in element.dataset) return attachForm(element);
  if ("undo" in element.dataset) return undo.attach(element);
  if (!isCurrent(element.dataset.sequence)) return undefined;
  document.querySelector("#editor-form [name=pressed]").value = "";
  const text = element.querySelector("template[data-text]");
  if (text) undo.put(text.content.textContent);
  return putForm(document.getElementById("guided-form"), element.querySelector("template[data-form]").content);
}
