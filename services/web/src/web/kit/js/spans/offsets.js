// Places in texts: browsers count UTF-16 units, the platform counts code points, people see characters and words.
export const codePoints = (text) => [...text].length;

// The UTF-16 offset of a code point offset.
export const utf16 = (text, offset) => [...text].slice(0, offset).join("").length;

// The first place of words in a text as whole characters, as [start, end) in UTF-16 units, or null. Blanks are not
// compared, since one-line controls drop line breaks.
export function placeOf(text, words) {
  const kept = [];
  let solid = "";
  for (let at = 0; at < text.length; at += 1) {
    if (BLANK.test(text[at])) continue;
    kept.push(at);
    solid += text[at];
  }
  const wanted = withoutBlanks(words);
  if (wanted === "") return null;
  const edges = new Set(characterEdges(text));
  for (let at = solid.indexOf(wanted); at >= 0; at = solid.indexOf(wanted, at + 1)) {
    const place = [kept[at], kept[at + wanted.length - 1] + 1];
    if (edges.has(place[0]) && edges.has(place[1])) return place;
  }
  return null;
}

const BLANK = /\s/u;
export const withoutBlanks = (text) => text.replace(/\s+/gu, "");

function segments(text, granularity) {
  return [...new Intl.Segmenter(document.documentElement.lang, { granularity }).segment(text)];
}

// The words of a text as [start, end) in UTF-16 units, without what stands between them.
export function words(text) {
  return segments(text, "word").filter((each) => each.isWordLike).map((each) => [each.index, each.index + each.segment.length]);
}

// The starts of characters as people see them: never inside an emoji or before a combining mark.
export function characterEdges(text) {
  return [...segments(text, "grapheme").map((each) => each.index), text.length];
}

// A stretch with the characters that it cuts made whole, and without the blank ones around it.
export function wholeCharacters(text, start, end) {
  const edges = characterEdges(text);
  let first = edges.findLastIndex((edge) => edge <= start);
  let last = edges.findIndex((edge) => edge >= end);
  const isBlank = (at) => text.slice(edges[at], edges[at + 1]).trim() === "";
  while (first < last && isBlank(first)) first += 1;
  while (first < last && isBlank(last - 1)) last -= 1;
  return [edges[first], edges[last]];
}

// The next edge of a character, if wanted beyond blanks; the edge itself where there is none.
export function nextEdge(text, edge, direction, overBlanks = false) {
  const edges = characterEdges(text);
  const beyond = direction > 0 ? edges.filter((each) => each > edge) : edges.filter((each) => each < edge).reverse();
  const isBlank = (to) => text.slice(Math.min(edge, to), Math.max(edge, to)).trim() === "";
  return (overBlanks ? beyond.find((to) => !isBlank(to)) : beyond[0]) ?? edge;
}

export const isRightToLeft = (element) => getComputedStyle(element).direction === "rtl";

const OF_A_WORD = /[\p{L}\p{N}\p{M}]/u;

// A stretch extended to whole words at both ends. A word of Intl may contain other signs ("Anna's"): an edge next to
// such a sign cuts no word.
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

// The UTF-16 offset of a place of the document within an element.
export function offsetIn(element, node, offset) {
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

// The place of the document at a UTF-16 offset within an element: of two text nodes that meet there, in the first one,
// or where a stretch starts in the second one.
function placeIn(element, offset, isStart = false) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = offset;
  while (walker.nextNode()) {
    if (left < walker.currentNode.length || (!isStart && left === walker.currentNode.length)) return [walker.currentNode, left];
    left -= walker.currentNode.length;
  }
  return [element, element.childNodes.length];
}

// The word at a point of the screen, or the nearest one, as [start, end); `offset` is that of the caret there. A caret
// stands between two characters: the point belongs to the character whose box contains it.
export function wordAt(element, offset, x, y) {
  const text = element.textContent;
  const all = words(text);
  const edges = characterEdges(text);
  const touched = edges.findIndex((start, at) => {
    const end = edges[at + 1];
    if (end === undefined || end < offset || start > offset) return false;
    const range = document.createRange();
    range.setStart(...placeIn(element, start, true));
    range.setEnd(...placeIn(element, end));
    return [...range.getClientRects()].some((box) => box.left <= x && x < box.right && box.top <= y && y < box.bottom);
  });
  const on = all.find(([start, end]) => start <= edges[touched] && edges[touched] < end);
  return on ?? all.find(([start, end]) => start <= offset && offset <= end) ?? null;
}

export function select(element, start, end) {
  document.getSelection().setBaseAndExtent(...placeIn(element, start), ...placeIn(element, end));
}

// The selection within an element as [start, end), or null.
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

// Writes words to a live region; the same words are announced again.
export function announce(region) {
  return (words) => {
    region.textContent = "";
    requestAnimationFrame(() => { region.textContent = words; });
  };
}
