// Switches between the light and the dark page at once; without this the form does it with a new page.
export const selector = "form[data-theme-switch]";

const YEAR = 365 * 24 * 3600;

export function attach(form) {
  form.addEventListener("submit", (event) => {
    const theme = event.submitter?.value;
    if (!theme) return;
    event.preventDefault();
    const root = document.documentElement;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `dynabench_theme=${theme}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
    for (const button of form.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.value === theme));
    }
  });
}
