// A button that is of no use yet leads to what is missing, which data-until names; where that is not on the page, the
// server says it.
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
