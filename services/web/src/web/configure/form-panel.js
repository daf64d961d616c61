// Changes in the form of a configuration: numbered, to ignore late answers, and undone one step at a time.
import { isComposing } from "../kit/js/typing.js";

const sequence = () => document.querySelector("#editor-form [name=sequence]");
const text = () => document.getElementById("configuration");

export const isCurrent = (number) => sequence()?.value === number;

function press(form, button) {
  sequence().value = Number(sequence().value) + 1;
  document.querySelector("#editor-form [name=pressed]").value = button?.value ?? "";
  form.dispatchEvent(new CustomEvent("restructure"));
}

function lead(link) {
  const target = document.getElementById(link.hash.slice(1));
  for (let above = target; above; above = above.parentElement?.closest("details")) {
    if (above.tagName === "DETAILS") above.open = true;
  }
  const control = target?.matches("input, select, textarea, pre") ? target : target?.querySelector("input:not([type=hidden]), select, textarea, button");
  (control ?? target)?.focus();
}

export function attachForm(form) {
  const editor = form.closest("form");
  for (const name of ["input", "change"]) {
    // Runs before the request, which contains the number.
    editor.addEventListener(name, (event) => {
      const counts = form.contains(event.target) || (name === "input" && event.target === text());
      if (counts) sequence().value = Number(sequence().value) + 1;
    }, { capture: true });
  }
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=change]");
    const link = event.target.closest("a[data-mistake]");
    if (button || link) event.preventDefault();
    if (button) press(form, button);
    if (link) lead(link);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT" || isComposing(event)) return;
    event.preventDefault();
    press(form);
  });
  // A save in progress contains the whole text, so no further check is requested.
  let isLeaving = false;
  editor.addEventListener("submit", () => { isLeaving = true; });
  window.addEventListener("pageshow", () => { isLeaving = false; });
  editor.addEventListener("htmx:beforeRequest", (event) => { if (isLeaving) event.preventDefault(); });
  // Every change is checked and applied at once, so these buttons are not needed.
  for (const each of editor.querySelectorAll("[data-plain]")) each.hidden = true;
}

const MOST_STEPS = 50;
const steps = [];
let button = null;

const show = () => { if (button) button.hidden = steps.length === 0; };

export const undo = {
  attach(element) {
    button = element;
    let isUndoing = false;
    button.addEventListener("click", () => {
      const field = text();
      field.value = steps.pop();
      show();
      isUndoing = true;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      isUndoing = false;
    });
    // Typing clears the undo steps, so that undo never removes typed text.
    text().addEventListener("input", () => {
      if (!isUndoing) steps.length = 0;
      show();
    });
  },

  // Replaces the text by the form's text, and scrolls to the first difference.
  put(words) {
    const field = text();
    const before = field.value;
    if (before === words) return;
    steps.push(before);
    if (steps.length > MOST_STEPS) steps.shift();
    show();
    let start = 0;
    while (start < before.length && before[start] === words[start]) start += 1;
    let end = 0;
    while (end < before.length - start && end < words.length - start && before.at(-1 - end) === words.at(-1 - end)) end += 1;
    field.setRangeText(words.slice(start, words.length - end), start, before.length - end);
    const line = words.slice(0, start).split("\n").length;
    field.scrollTop = Math.max(0, (line - 6) * parseFloat(getComputedStyle(field).lineHeight));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  },
};
