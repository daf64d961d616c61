// Marking with keys: arrows go from word to word in the direction of the text, with Alt or Ctrl from character to
// character, Shift extends, Home and End go to the edges, Enter marks what is selected, Delete takes the mark away.
import { isRightToLeft, nextEdge, select, words } from "./offsets.js";

const REMOVES = ["Delete", "Backspace"];
const MOVES = { ArrowRight: 1, ArrowLeft: -1 };

function wordEdge(text, edge, direction, wantsEnd) {
  const edges = words(text).map(([start, end]) => (wantsEnd ? end : start));
  const beyond = direction > 0 ? edges.filter((each) => each > edge) : edges.filter((each) => each < edge).reverse();
  return beyond[0] ?? edge;
}

export function followKeys(passage, span, say, clear) {
  let fixed = 0;
  let moving = 0;

  const show = () => {
    const [start, end] = [Math.min(fixed, moving), Math.max(fixed, moving)];
    select(passage, start, end);
    say(span.text.slice(start, end));
  };

  // Goes to the next word or character, which is then selected as a whole.
  const go = (text, direction, byCharacter) => {
    const from = direction > 0 ? Math.max(fixed, moving) : Math.min(fixed, moving);
    if (byCharacter) {
      const to = nextEdge(text, from, direction);
      [fixed, moving] = [Math.min(from, to), Math.max(from, to)];
      return;
    }
    const all = words(text);
    const next = direction > 0 ? all.find(([start]) => start >= from) : all.findLast(([, end]) => end <= from);
    if (next) [fixed, moving] = next;
  };

  // Moves the free end; going back over a single word that was just reached turns round at its other end.
  const extend = (text, direction, byCharacter) => {
    const isSingle = words(text).some(([start, end]) => start === fixed && end === moving);
    if (!byCharacter && direction < 0 && isSingle) [fixed, moving] = [moving, fixed];
    moving = byCharacter
      ? nextEdge(text, moving, direction)
      : wordEdge(text, moving, direction, moving > fixed || (moving === fixed && direction > 0));
  };

  passage.addEventListener("keydown", (event) => {
    const { text } = span;
    const direction = MOVES[event.key] && (isRightToLeft(passage) ? -MOVES[event.key] : MOVES[event.key]);
    const byCharacter = event.altKey || event.ctrlKey;
    if (direction && event.shiftKey) extend(text, direction, byCharacter);
    else if (direction) go(text, direction, byCharacter);
    else if (event.key === "Home" || event.key === "End") {
      const edge = event.key === "Home" ? 0 : text.length;
      if (event.shiftKey) moving = edge;
      else [fixed, moving] = [edge, edge];
    } else if (event.key === "Enter") {
      event.preventDefault();
      span.set(Math.min(fixed, moving), Math.max(fixed, moving));
      return;
    } else if (REMOVES.includes(event.key)) {
      event.preventDefault();
      clear();
      return;
    } else return;
    event.preventDefault();
    show();
  });
}
