// Enter submits the form of a text, Shift and Enter begins a new line. Not while a word is being composed.
export const selector = "[data-submit-on-enter]";

export function attach(field) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    const submit = field.form.querySelector("button.primary");
    if (!submit.disabled) submit.click();
  });
}
