// Switches between the light and the dark page at once; without this the form does it with a new page.
import { remember } from "./preference.js";

export const selector = "form[data-theme-switch]";

export function attach(form) {
  form.addEventListener("submit", (event) => {
    const theme = event.submitter?.value;
    if (!theme) return;
    event.preventDefault();
    const root = document.documentElement;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    remember("dynabench_theme", theme);
    for (const button of form.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.value === theme));
    }
  });
}
