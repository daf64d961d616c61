// Says how places moved since this reader's last visit, and whether that is inside what chance does. The places are
// kept in this browser alone. A move is inside noise while the places that the model can hold, then and now, overlap.
import { message } from "../kit/js/messages.js";
import { keep, names, readJson } from "../kit/js/storage.js";

export const selector = "[data-board-visit]";

const PREFIX = "dynabench-board:";
const MOST_KEPT = 20;

// A browser that keeps nothing tells of no moves.
function keepNewest(key, value) {
  const held = names().filter((name) => name.startsWith(PREFIX) && name !== key);
  held.sort((one, other) => (readJson(one)?.at ?? 0) - (readJson(other)?.at ?? 0));
  for (const name of held.slice(0, Math.max(0, held.length - MOST_KEPT + 1))) keep(name, null);
  keep(key, JSON.stringify(value));
}

function say(row, before, now) {
  const place = row.querySelector("[data-board-move]");
  if (!place || !before || before.rank === now.rank) return;
  const overlap = before.first <= now.last && now.first <= before.last;
  const name = now.rank < before.rank ? "board-rose" : "board-fell";
  place.textContent = message(overlap ? `${name}-in-noise` : name, { from: before.rank });
  place.hidden = false;
}

export function attach(board) {
  const key = PREFIX + board.dataset.boardVisit;
  const rows = [...board.querySelectorAll("[data-board-row]")];
  const places = Object.fromEntries(rows.map((row) => {
    const [rank, first, last] = row.dataset.boardPlaces.split(" ").map(Number);
    return [row.dataset.boardRow, { rank, first, last }];
  }));
  const held = readJson(key);
  const isSame = held?.digest === board.dataset.boardDigest;
  const before = isSame ? held.before : held?.places;
  for (const row of rows) say(row, before?.[row.dataset.boardRow], places[row.dataset.boardRow]);
  keepNewest(key, { at: Date.now(), digest: board.dataset.boardDigest, places, before: before ?? null });
}
