// Moves the focus to what has just been put into the page: a verdict, a problem, a question. With data-focus="start" what
// it heads is brought to the upper edge, unless as much of it as matters (data-seen within it) is in sight already.
export const selector = "[data-focus]";
export const order = 1; // last: it goes to what the others have put in place

// The lowest place that nothing covers: on a phone the actions stick to the lower edge.
function lowestSeen() {
  const bars = [...document.querySelectorAll("[data-sticks]")].filter((bar) => getComputedStyle(bar).position === "sticky");
  return Math.min(window.innerHeight, ...bars.map((bar) => bar.getBoundingClientRect().top));
}

function bringIntoView(element) {
  const whole = element.closest("section") ?? element;
  const matters = whole.querySelector("[data-seen]") ?? element;
  const isSeen = whole.getBoundingClientRect().top >= 0 && matters.getBoundingClientRect().bottom <= lowestSeen();
  if (!isSeen) whole.scrollIntoView({ block: "start" });
}

export function attach(element) {
  element.focus({ preventScroll: true });
  if (element.dataset.focus === "start") bringIntoView(element);
  else element.scrollIntoView({ block: "nearest" });
}
