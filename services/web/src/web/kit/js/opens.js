// What is opened to be written in takes the focus, so that the first letter typed is text and presses no key.
export const selector = "details[data-opens]";

export function attach(details) {
  details.addEventListener("toggle", () => {
    if (details.open) details.querySelector("textarea, input:not([type=hidden])")?.focus();
  });
}
