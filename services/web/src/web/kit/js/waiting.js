// After 300 ms says what is being waited for, and for how long already: in the element that data-waits-in names, which
// is where the answer will stand, else at the lower edge. A form that names nothing waits for the server. A wait that is
// taken up again goes on counting.
import { message } from "./messages.js";

export const selector = '[data-waits-for], form[method="post"]';

const DELAY_MS = 300;
const COUNTED_MS = 2000;
const TAKEN_UP_MS = 30000;
const begun = new Map();

function notice(place, what) {
  const words = document.createElement("span");
  words.textContent = message("waiting-for", { what });
  const time = document.createElement("span");
  time.className = "waiting-time";
  time.setAttribute("aria-hidden", "true");
  const bar = document.createElement("span");
  bar.className = "waiting-bar";
  bar.setAttribute("aria-hidden", "true");
  const line = document.createElement(place.id === "loading" ? "span" : "p");
  line.className = "waiting";
  line.append(words, " ", time, bar);
  return { line, time };
}

export function attach(element) {
  const { waitsFor = message("server"), waitsIn } = element.dataset;
  const place = () => (waitsIn && document.querySelector(waitsIn)) || document.getElementById("loading");
  let timer;
  let ticking;
  let line;

  const show = (since) => {
    const where = place();
    const made = notice(where, waitsFor);
    line = made.line;
    where.prepend(line);
    if (waitsIn) line.scrollIntoView({ block: "nearest" });
    const tick = () => {
      if (!line.isConnected) return clearInterval(ticking);
      const passed = Date.now() - since;
      if (passed >= COUNTED_MS) made.time.textContent = message("seconds-left", { number: Math.round(passed / 1000) });
      return undefined;
    };
    tick();
    ticking = setInterval(tick, 1000);
  };
  const stop = () => {
    clearTimeout(timer);
    clearInterval(ticking);
    line?.remove();
  };
  const start = (submitted) => {
    stop();
    const now = Date.now();
    const before = begun.get(waitsIn);
    const since = waitsIn && before && now - before.ended < TAKEN_UP_MS ? before.since : now;
    timer = setTimeout(() => { if (!submitted?.defaultPrevented || element.dataset.waitsFor) show(since); }, DELAY_MS);
    return since;
  };

  let since;
  element.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target.closest(selector) === element && !event.target.hasAttribute("hx-trigger")) since = start();
  });
  element.addEventListener("htmx:afterRequest", (event) => {
    stop();
    const isToGoOn = waitsIn && event.detail.xhr?.status === 503;
    if (isToGoOn) begun.set(waitsIn, { since, ended: Date.now() });
    else begun.delete(waitsIn);
  });
  element.addEventListener("submit", (event) => {
    if (!element.hasAttribute("hx-post")) start(event);
  });
  window.addEventListener("pageshow", stop);
}
