// Opens the next example some seconds after the author's claim is shown, for people who chose that. A key, click,
// scroll or touch stops it for good; it pauses while the page is hidden.
import { message } from "../kit/js/messages.js";

export const selector = "[data-advance]";

const SECONDS = 6;
const ACTIVITY = ["keydown", "pointerdown", "input", "wheel", "touchmove"];

export function attach(element) {
  const next = element.closest("form").querySelector("[data-advance-next]");
  const place = element.querySelector("[data-advance-left]");
  const watching = new AbortController();
  let left = SECONDS;
  let timer;

  const stop = () => {
    clearInterval(timer);
    watching.abort();
    element.hidden = true;
  };
  const show = () => { place.textContent = message("next-in", { number: left }); };

  const tick = () => {
    if (!element.isConnected) return stop();
    if (document.hidden) return undefined;
    left -= 1;
    if (left > 0) return show();
    stop();
    return next.click();
  };

  for (const name of ACTIVITY) {
    document.addEventListener(name, stop, { signal: watching.signal, passive: true });
  }
  element.querySelector("[data-advance-stay]").addEventListener("click", stop);
  element.hidden = false;
  element.querySelector("[data-advance-told]").textContent = message("next-comes", { number: SECONDS });
  show();
  timer = setInterval(tick, 1000);
}
