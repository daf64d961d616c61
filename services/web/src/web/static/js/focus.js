// Moves the focus to what has just been put into the page: a verdict, a problem, a question.
export const selector = "[data-focus]";

export function attach(element) {
  element.focus({ preventScroll: false });
  element.scrollIntoView({ block: "nearest" });
}
