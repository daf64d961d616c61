// Marks a stretch of a passage: by dragging, by touch, by keys, and by buttons that move its ends. The field holds the
// words and, for the server, their offsets in code points; the passage shows the mark. Only words that a person types
// into the field are looked for in the passage.
import { message } from "./messages.js";
import {
  announce, codePoints, isRightToLeft, nextEdge, placeOf, utf16, wholeCharacters, withoutBlanks,
} from "./spans/offsets.js";
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

class Span {
  constructor(field, passage) {
    this.passage = passage;
    this.input = field.querySelector(".span-line input");
    this.start = field.querySelector("[data-span-start]");
    this.end = field.querySelector("[data-span-end]");
    this.clearer = field.querySelector("[data-span-clear]");
    this.adjuster = field.querySelector("[data-span-adjust]");
    this.say = announce(field.querySelector("[data-span-status]"));
  }

  // The passage as one text. Its own marks add nothing to it.
  get text() { return this.passage.textContent; }

  // The marked stretch in UTF-16 units, or null.
  get range() {
    if (this.start.value === "" || this.input.value === "") return null;
    const text = this.text;
    return [utf16(text, Number(this.start.value)), utf16(text, Number(this.end.value))];
  }

  show() {
    unmark(this.passage, this.input.name);
    const range = this.range;
    if (range) mark(this.passage, this.input.name, ...range);
    this.clearer.hidden = this.input.value === "";
    this.adjuster.hidden = !range;
    this.adjuster.dir = isRightToLeft(this.passage) ? "rtl" : "ltr";
  }

  hold(start, end) {
    const text = this.text;
    this.start.value = start === null ? "" : codePoints(text.slice(0, start));
    this.end.value = end === null ? "" : codePoints(text.slice(0, end));
    this.show();
  }

  set(from, to) {
    const [start, end] = wholeCharacters(this.text, from, to);
    if (start >= end || this.input.disabled) return false;
    this.input.value = this.text.slice(start, end).replace(/\s*[\r\n]+\s*/gu, " ");
    this.hold(start, end);
    this.say(message("marked", { words: this.input.value }));
    this.input.dispatchEvent(new Event("input", { bubbles: true, cancelable: false }));
    return true;
  }

  // Moves one end of the mark by a character, over blanks, and leaves at least one character marked.
  adjust(edge, direction) {
    const range = this.range;
    if (!range) return;
    const isStart = edge === "start";
    range[isStart ? 0 : 1] = nextEdge(this.text, range[isStart ? 0 : 1], direction, true);
    if (range[0] < range[1]) this.set(...range);
  }

  // Looks for what is typed; a place that was named stays, while the field says what stands there.
  find() {
    const stays = this.range && withoutBlanks(this.text.slice(...this.range)) === withoutBlanks(this.input.value);
    if (stays) this.show();
    else this.hold(...(placeOf(this.text, this.input.value) ?? [null, null]));
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
  const current = {
    get text() { return passage.textContent; },
    get range() { return active.get(passage).range; },
    set: (from, to) => active.get(passage).set(from, to),
  };
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
  for (const button of span.adjuster.querySelectorAll("button")) {
    button.addEventListener("click", () => span.adjust(button.dataset.edge, Number(button.dataset.step)));
  }
  const source = field.dataset.spanMirrors && span.input.form.elements[field.dataset.spanMirrors];
  if (source) mirror(passage, source, span);
  else span.find();
}
