// A button that copies the text of another element or field; hidden until it is known to work.
import { message } from "./messages.js";

export const selector = "[data-copy]";

export function attach(button) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText((source.value ?? source.textContent).trim());
    const words = button.textContent;
    button.textContent = message("copied");
    setTimeout(() => { button.textContent = words; }, 2000);
  });
}
