// Ranks the models again at once when a weight changes, with each model's own interval. The server's answer follows, with
// the ranges of places for the whole board. The parts of the scores are fetched when the reader points at the form.
import { language } from "../kit/js/messages.js";

export const selector = "[data-board-parts]";

const NORMAL_QUANTILE = 1.96;
const number = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function shares(form, dimensions) {
  const weights = dimensions.map(({ name }) => Math.max(0, Number(form.elements[`w_${name}`]?.value) || 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total > 0 && Number.isFinite(total) ? weights.map((weight) => weight / total) : null;
}

// The score and half the width of its interval; null for a model without a value that counts.
function score(model, factors) {
  let sum = 0;
  let variance = 0;
  for (const [name, factor] of factors) {
    if (!(name in model.utilities)) return null;
    sum += factor * model.utilities[name];
  }
  for (const [pair, value] of Object.entries(model.variances)) {
    const [first, second] = pair.split(":");
    variance += (factors.get(first) ?? 0) * (factors.get(second) ?? 0) * value;
  }
  const isKnown = Object.keys(model.variances).length > 0;
  return { sum, reach: isKnown ? NORMAL_QUANTILE * Math.sqrt(Math.max(variance, 0)) : null };
}

function repaint(form, parts) {
  const counted = shares(form, parts.dimensions);
  const board = document.getElementById("board");
  const body = board?.querySelector("[data-board-row]")?.parentElement;
  if (!counted || !body) return;
  const factors = new Map(parts.dimensions.map(({ name, price }, place) => [name, counted[place] * price])
    .filter((_, place) => counted[place] > 0));
  const models = new Map(parts.models.map((model) => [model.model, model]));
  const rows = [...body.querySelectorAll("[data-board-row]")].map((row) => {
    const model = models.get(row.dataset.boardRow);
    return { row, found: model ? score(model, factors) : null };
  });
  rows.sort((one, other) => (other.found?.sum ?? -Infinity) - (one.found?.sum ?? -Infinity) || 0);
  board.setAttribute("aria-busy", "true");
  rows.forEach(({ row, found }, place) => {
    row.querySelector("[data-board-place]").textContent = String(place + 1);
    row.querySelector("[data-board-score]").textContent = found ? number.format(found.sum) : "–";
    row.querySelector("[data-board-interval]").textContent = found && found.reach !== null
      ? `(${number.format(found.sum - found.reach)}–${number.format(found.sum + found.reach)})` : "";
    row.classList.remove("band", "band-first", "band-middle", "band-last");
    body.append(row);
  });
}

export function attach(form) {
  let parts = null;
  let rule = "";
  let moves = 0;
  let sent = 0;
  let shown = 0;
  async function fetchParts() {
    const given = new URLSearchParams(new FormData(form));
    const wanted = `${given.get("gamma")} ${given.get("mode")}`;
    if (wanted === rule) return;
    rule = wanted;
    parts = null;
    const answer = await fetch(`${form.dataset.boardParts}?${given}`, { headers: { Accept: "application/json" } });
    const answered = answer.ok ? await answer.json() : null;
    if (wanted !== rule || !answered?.models.length) return;
    parts = answered;
    if (moves !== shown) repaint(form, parts);
  }
  // Without the parts, only the server ranks again.
  const reach = () => { fetchParts().catch(() => { rule = ""; }); };
  form.addEventListener("pointerenter", reach);
  form.addEventListener("focusin", reach);
  form.addEventListener("input", () => {
    moves += 1;
    reach();
    if (parts) repaint(form, parts);
  });
  form.addEventListener("htmx:beforeRequest", () => { sent = moves; });
  // An answer to an earlier change must not overwrite the newer ranking.
  document.body.addEventListener("htmx:afterSwap", () => {
    shown = sent;
    if (parts && moves !== sent) repaint(form, parts);
  });
}
