// Moves the focus to what has just been put into the page: a verdict, a problem, a question.
export const selector = "[data-focus]";
export const order = 1; // last: it goes to what the others have put in place

export function attach(element) {
  element.focus({ preventScroll: false });
  element.scrollIntoView({ block: "nearest" });
}
