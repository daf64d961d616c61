// A part that opens for writing takes the focus, so that the first typed letter is text and no keyboard shortcut.
export const selector = "details[data-opens]";

export function attach(details) {
  details.addEventListener("toggle", () => {
    if (details.open) details.querySelector("textarea, input:not([type=hidden])")?.focus();
  });
}
