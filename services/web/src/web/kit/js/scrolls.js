// Says of a table that is wider than its place that it scrolls: on a phone nothing else shows it.
import { message } from "./messages.js";

export const selector = ".table-scroll";

export function attach(element) {
  const hint = document.createElement("p");
  hint.className = "meta scroll-hint";
  hint.setAttribute("aria-hidden", "true");
  hint.textContent = message("scrolls");
  hint.hidden = true;
  element.prepend(hint);
  const update = () => { hint.hidden = element.scrollWidth <= element.clientWidth + 1; };
  new ResizeObserver(update).observe(element);
  update();
}
