// Counts code points, as the server does, not UTF-16 units: an emoji is one.
import { language } from "./messages.js";
import { codePoints } from "./spans/offsets.js";

export const selector = "[data-counter]";

export function attach(field) {
  const counter = document.getElementById(field.dataset.counter);
  const limit = Number(field.dataset.limit);
  const count = counter.querySelector("[data-count]");
  const update = () => {
    const length = codePoints(field.value);
    count.textContent = length.toLocaleString(language);
    counter.classList.toggle("is-over", length > limit);
  };
  field.addEventListener("input", update);
  update();
}
