// Counts down the seconds after which something may be tried again. Told politely once, not every second.
import { message } from "./messages.js";

export const selector = "[data-countdown]";

export function attach(element) {
  const end = Date.now() + 1000 * Number(element.dataset.countdown);
  const words = element.textContent;
  const seconds = (number) => message("seconds-left", { number });
  const start = seconds(element.dataset.countdown);
  const part = words.includes(start) ? start : words.match(/\d+\s\p{L}+/u)?.[0];
  if (!part) return;
  element.setAttribute("aria-live", "off");
  const timer = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (!element.isConnected) return clearInterval(timer);
    if (left > 0) {
      if (left < 120) element.textContent = words.replace(part, seconds(left));
      return undefined;
    }
    clearInterval(timer);
    element.removeAttribute("aria-live");
    if (element.tagName === "P") element.textContent = message("try-again-now");
    return undefined;
  }, 1000);
}
