// After 300 ms says what is being waited for.
import { message } from "./messages.js";

export const selector = "[data-waits-for]";

const DELAY_MS = 300;

export function attach(element) {
  const place = document.getElementById("loading");
  let timer;
  element.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target !== element && !element.contains(event.target)) return;
    clearTimeout(timer);
    timer = setTimeout(() => { place.textContent = message("waiting-for", { what: element.dataset.waitsFor }); }, DELAY_MS);
  });
  const stop = () => {
    clearTimeout(timer);
    place.textContent = "";
  };
  element.addEventListener("htmx:afterRequest", stop);
  element.addEventListener("submit", () => {
    if (element.hasAttribute("hx-post")) return;
    timer = setTimeout(() => { place.textContent = message("waiting-for", { what: element.dataset.waitsFor }); }, DELAY_MS);
  });
}
