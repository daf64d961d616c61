// Marks a stretch of a passage: by dragging, by touch, and by keys. The field holds the words and, for the server,
// their offsets in code points; the passage shows the mark. Typing into the field finds the words in the passage.
import { message } from "./messages.js";
import { announce, codePoints, firstIndexOf, utf16 } from "./spans/offsets.js";
import { followKeys } from "./spans/keys.js";
import { followPointer } from "./spans/pointer.js";

export const selector = "[data-span]";

const MARK = "own-mark";
const active = new WeakMap();

function unmark(passage, owner) {
  for (const mark of passage.querySelectorAll(`mark[data-owner="${owner}"]`)) mark.replaceWith(...mark.childNodes);
  passage.normalize();
}

function textNodes(passage) {
  const walker = document.createTreeWalker(passage, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

function mark(passage, owner, start, end) {
  let reached = 0;
  for (const node of textNodes(passage)) {
    const from = Math.max(start - reached, 0);
    const to = Math.min(end - reached, node.length);
    reached += node.length;
    if (from >= to) continue;
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    const element = document.createElement("mark");
    element.className = MARK;
    element.dataset.owner = owner;
    range.surroundContents(element);
  }
}

function trimmed(text, start, end) {
  const words = text.slice(start, end);
  return [start + words.length - words.trimStart().length, end - words.length + words.trimEnd().length];
}

class Span {
  constructor(field, passage) {
    this.passage = passage;
    this.input = field.querySelector("input:not([type=hidden])");
    this.start = field.querySelector("[data-span-start]");
    this.end = field.querySelector("[data-span-end]");
    this.clearer = field.querySelector("[data-span-clear]");
    this.say = announce(field.querySelector("[data-span-status]"));
  }

  // The passage as one text. Its own marks add nothing to it.
  get text() { return this.passage.textContent; }

  show() {
    unmark(this.passage, this.input.name);
    const isSet = this.start.value !== "" && this.input.value !== "";
    if (isSet) {
      const text = this.text;
      mark(this.passage, this.input.name, utf16(text, Number(this.start.value)), utf16(text, Number(this.end.value)));
    }
    this.clearer.hidden = this.input.value === "";
  }

  hold(start, end) {
    const text = this.text;
    this.start.value = start === null ? "" : codePoints(text.slice(0, start));
    this.end.value = end === null ? "" : codePoints(text.slice(0, end));
    this.show();
  }

  set(from, to) {
    const [start, end] = trimmed(this.text, from, to);
    if (start >= end || this.input.disabled) return false;
    this.input.value = this.text.slice(start, end);
    this.hold(start, end);
    this.say(message("marked", { words: this.input.value }));
    this.input.dispatchEvent(new Event("input", { bubbles: true, cancelable: false }));
    return true;
  }

  // What is typed is looked for; what set() has just put there stands where it was marked.
  find() {
    const held = this.text.slice(utf16(this.text, Number(this.start.value)), utf16(this.text, Number(this.end.value)));
    if (this.start.value !== "" && held === this.input.value) return;
    const at = firstIndexOf(this.text, this.input.value);
    this.hold(at, at === null ? null : at + this.input.value.length);
  }

  clear() {
    this.input.value = "";
    this.hold(null, null);
    this.say(message("mark-gone"));
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function mirror(passage, source, span) {
  const copy = () => {
    passage.textContent = source.value;
    passage.hidden = source.value === "";
    span.find();
  };
  source.addEventListener("input", copy);
  copy();
}

function prepare(passage) {
  passage.tabIndex = 0;
  passage.dataset.key = "p";
  passage.setAttribute("role", "textbox");
  passage.setAttribute("aria-readonly", "true");
  passage.setAttribute("aria-multiline", "true");
  if (!passage.hasAttribute("aria-labelledby")) passage.setAttribute("aria-label", message("text-to-mark-in"));
  const current = { get text() { return passage.textContent; }, set: (from, to) => active.get(passage).set(from, to) };
  const say = (words) => active.get(passage).say(words);
  followPointer(passage, current, say);
  followKeys(passage, current, say, () => active.get(passage).clear());
}

export function attach(field) {
  const passage = document.getElementById(field.dataset.span);
  if (!passage) return;
  const span = new Span(field, passage);
  field.querySelector("[data-span-plain]").hidden = true;
  field.querySelector("[data-span-scripted]").hidden = false;
  if (!active.has(passage)) {
    active.set(passage, span);
    prepare(passage);
  }
  field.addEventListener("focusin", () => active.set(passage, span));
  span.input.addEventListener("input", () => span.find());
  span.clearer.addEventListener("click", () => span.clear());
  const source = field.dataset.spanMirrors && span.input.form.elements[field.dataset.spanMirrors];
  if (source) mirror(passage, source, span);
  else span.show();
}
