// Counts down the seconds after which something may be tried again. Told politely once, not every second.
export const selector = "[data-countdown]";

export function attach(element) {
  const end = Date.now() + 1000 * Number(element.dataset.countdown);
  const words = element.textContent;
  const number = /\d+/;
  if (!number.test(words)) return;
  element.setAttribute("aria-live", "off");
  const timer = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (!element.isConnected) return clearInterval(timer);
    if (left > 0) {
      if (left < 120) element.textContent = words.replace(/\d+\s\w+/u, `${left}\u00a0s`);
      return undefined;
    }
    clearInterval(timer);
    element.removeAttribute("aria-live");
    if (element.tagName === "P") element.textContent = "You can try again now.";
    return undefined;
  }, 1000);
}
