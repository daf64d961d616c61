// Marking with a mouse or a pen by dragging, whole words unless Alt is held down, and with a finger: a long press selects
// and its handles adjust, or one tap names the first word and another the last. Handles move by characters.
import { message } from "../messages.js";
import { offsetIn, select, selected, wholeWords, wordAt } from "./offsets.js";

const SETTLED = 350;

function offsetAt(passage, x, y) {
  if (document.caretPositionFromPoint) {
    const place = document.caretPositionFromPoint(x, y);
    return place && passage.contains(place.offsetNode) ? offsetIn(passage, place.offsetNode, place.offset) : null;
  }
  const range = document.caretRangeFromPoint(x, y);
  return range && passage.contains(range.startContainer)
    ? offsetIn(passage, range.startContainer, range.startOffset)
    : null;
}

export function followPointer(passage, span, say) {
  let pointer = "mouse";
  let first = null;
  let isPressed = false;
  let timer;
  const life = new AbortController();
  const isGone = () => {
    if (!passage.isConnected) life.abort();
    return !passage.isConnected;
  };

  const markSelection = (byCharacter) => {
    const drawn = selected(passage);
    const adjusts = drawn && pointer === "touch" && span.range?.some((edge, at) => edge === drawn[at]);
    const range = drawn && !byCharacter && !adjusts ? wholeWords(span.text, ...drawn) : drawn;
    if (!range || !span.set(...range)) return;
    first = null;
    if (pointer === "touch") select(passage, ...range);
    else document.getSelection().removeAllRanges();
  };

  const tap = (event) => {
    const offset = offsetAt(passage, event.clientX, event.clientY);
    const word = offset === null ? null : wordAt(passage, offset, event.clientX, event.clientY);
    if (!word) return;
    if (first === null) {
      first = word;
      span.set(...word);
      say(message("first-word", { words: passage.textContent.slice(...word) }));
    } else {
      span.set(Math.min(first[0], word[0]), Math.max(first[1], word[1]));
      first = null;
    }
  };

  passage.addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
    isPressed = true;
  });
  passage.addEventListener("keydown", () => clearTimeout(timer));
  document.addEventListener("pointerup", (event) => {
    const isOurs = isPressed || passage.contains(event.target);
    isPressed = false;
    if (!isGone() && isOurs && pointer !== "touch") timer = setTimeout(markSelection, 0, event.altKey);
  }, { signal: life.signal });
  document.addEventListener("selectionchange", () => {
    if (isGone() || pointer !== "touch") return;
    clearTimeout(timer);
    timer = setTimeout(() => { if (selected(passage)) markSelection(false); }, SETTLED);
  }, { signal: life.signal });
  passage.addEventListener("click", (event) => {
    if (pointer === "touch" && event.detail > 0 && document.getSelection().isCollapsed) tap(event);
  });
}
