// Enter in a text presses the button that it presses in a single line: the first of the form. Shift and Enter begin a new
// line. A key that is held down, or ends a word that is being composed, presses nothing.
import { isComposing } from "./typing.js";

export const selector = "[data-submit-on-enter]";

export function attach(field) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    const submit = [...field.form.elements].find((control) => control.type === "submit");
    if (!event.repeat && !submit.disabled) submit.click();
  });
}
