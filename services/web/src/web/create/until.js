// A button that can't be used yet moves to the missing control, named by data-until. If the page does not have that
// control, the form is sent and the server reports the problem.
export const selector = "[data-until]";

export function attach(button) {
  button.addEventListener("click", (event) => {
    const missing = document.querySelector(button.dataset.until);
    if (!missing) return;
    event.preventDefault();
    missing.focus();
    missing.scrollIntoView({ block: "center" });
  });
}
