// Places in texts: browsers count UTF-16 units, the platform counts code points, people see characters and words.
export const codePoints = (text) => [...text].length;

// The UTF-16 offset of a code point offset.
export const utf16 = (text, offset) => [...text].slice(0, offset).join("").length;

export function firstIndexOf(text, words) {
  const at = words.trim() === "" ? -1 : text.indexOf(words);
  return at < 0 ? null : at;
}

function segments(text, granularity) {
  return [...new Intl.Segmenter(document.documentElement.lang, { granularity }).segment(text)];
}

// The words of a text as [start, end) in UTF-16 units, without what stands between them.
export function words(text) {
  return segments(text, "word").filter((each) => each.isWordLike).map((each) => [each.index, each.index + each.segment.length]);
}

// Where characters begin, as people see them: never inside an emoji or before a combining mark.
export function characterEdges(text) {
  return [...segments(text, "grapheme").map((each) => each.index), text.length];
}

const OF_A_WORD = /[\p{L}\p{N}\p{M}]/u;

// A stretch made as long as the words in which it begins and ends. What Intl takes for one word may hold other signs
// ("Anna's"): an edge beside such a sign cuts nothing.
export function wholeWords(text, start, end) {
  const all = words(text);
  const isJoined = (at) => OF_A_WORD.test(text.slice(0, at).at(-1) ?? "") && OF_A_WORD.test(text[at] ?? "");
  const around = (at) => all.find(([from, to]) => from < at && at < to);
  let [first, last] = [start, end];
  const [before] = around(start) ?? [start];
  const [, after] = around(end) ?? [end, end];
  while (first > before && isJoined(first)) first -= 1;
  while (last < after && isJoined(last)) last += 1;
  return [first, last];
}

export function wordAt(text, offset) {
  return words(text).find(([start, end]) => start <= offset && offset <= end) ?? null;
}

// The UTF-16 offset of a place of the document within an element.
export function offsetIn(element, node, offset) {
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

// The place of the document at a UTF-16 offset within an element.
function placeIn(element, offset) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = offset;
  while (walker.nextNode()) {
    if (left <= walker.currentNode.length) return [walker.currentNode, left];
    left -= walker.currentNode.length;
  }
  return [element, element.childNodes.length];
}

export function select(element, start, end) {
  document.getSelection().setBaseAndExtent(...placeIn(element, start), ...placeIn(element, end));
}

// What is selected within an element as [start, end), or null.
export function selected(element) {
  const selection = document.getSelection();
  if (selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(element)) return null;
  const inside = (node) => element.contains(node);
  const start = inside(range.startContainer) ? offsetIn(element, range.startContainer, range.startOffset) : 0;
  const end = inside(range.endContainer)
    ? offsetIn(element, range.endContainer, range.endOffset)
    : element.textContent.length;
  return start < end ? [start, end] : null;
}

// Tells words to a live region; the same words twice are told twice.
export function announce(region) {
  return (words) => {
    region.textContent = "";
    requestAnimationFrame(() => { region.textContent = words; });
  };
}
