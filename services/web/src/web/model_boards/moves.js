// Shows changes of places since this reader's last visit, and marks those within noise. The places are stored only in
// this browser. A change is within noise if the old and the new range of places overlap.
import { message } from "../kit/js/messages.js";
import { keep, names, readJson } from "../kit/js/storage.js";

export const selector = "[data-board-visit]";

const PREFIX = "dynabench-board:";
const MOST_KEPT = 20;

// Without storage, no changes are shown.
function keepNewest(key, value) {
  const stored = names().filter((name) => name.startsWith(PREFIX) && name !== key);
  stored.sort((one, other) => (readJson(one)?.at ?? 0) - (readJson(other)?.at ?? 0));
  for (const name of stored.slice(0, Math.max(0, stored.length - MOST_KEPT + 1))) keep(name, null);
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
  const saved = readJson(key);
  const isSame = saved?.digest === board.dataset.boardDigest;
  const before = isSame ? saved.before : saved?.places;
  for (const row of rows) say(row, before?.[row.dataset.boardRow], places[row.dataset.boardRow]);
  keepNewest(key, { at: Date.now(), digest: board.dataset.boardDigest, places, before: before ?? null });
}
