// Single keys press the control that carries them in data-key (several keys are parted by spaces).
// They do nothing while one types, with a modifier, or under an open dialog, and can be switched off.
// Buttons show their keys from the first use of a key on, or of the Tab key, or once somebody asked for the list.
import { remember } from "./preference.js";
import { keep, read } from "./storage.js";
import { isComposing, nameOf } from "./typing.js";

export const selector = "body";

const STORED = "dynabench-keys";
const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";
const PRESSABLE = "a, button, summary, input";
const ASKS = "[data-dialog=keys-dialog]";

let chosen = null;
const areOn = () => (chosen ?? read(STORED)) !== "off";
const isVisible = (element) => element.checkVisibility?.() ?? element.offsetParent !== null;

function showKeys(shown) {
  const root = document.documentElement;
  if ((root.dataset.keys === "shown") === shown) return;
  if (shown) root.dataset.keys = "shown";
  else delete root.dataset.keys;
  remember("dynabench_keys", shown ? "shown" : null);
}

function carrier(key) {
  return [...document.querySelectorAll("[data-key]")].find(
    (element) => element.dataset.key.split(" ").includes(key) && !element.disabled && isVisible(element),
  );
}

function press(event) {
  if (event.key === "Tab" && areOn()) showKeys(true);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return;
  if (event.getModifierState("AltGraph") || event.target.closest(TYPING)) return;
  if (document.querySelector("dialog[open]") || !areOn()) return;
  const key = nameOf(event);
  if (event.repeat) {
    // A key held down presses once, also where the browser itself would press the button in focus again.
    if (key === "Enter" || carrier(key)) event.preventDefault();
    return;
  }
  if (key === "Enter" && event.target.closest(PRESSABLE)) return;
  const element = carrier(key);
  if (!element) return;
  event.preventDefault();
  showKeys(true);
  if (element.matches(TYPING)) element.focus();
  else {
    element.focus({ preventScroll: true });
    element.click();
  }
}

export function attach(body) {
  body.ownerDocument.addEventListener("keydown", press);
  body.addEventListener("click", (event) => event.target.closest(ASKS) && areOn() && showKeys(true));
  for (const label of body.querySelectorAll("[data-keys-switch]")) {
    const box = label.querySelector("input");
    label.hidden = false;
    box.checked = areOn();
    box.addEventListener("change", () => {
      chosen = box.checked ? "on" : "off";
      keep(STORED, chosen);
      showKeys(box.checked);
    });
  }
}
