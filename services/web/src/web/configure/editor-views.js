// Form, text and preview: a wide screen shows the form next to one of the other two, a phone shows one of the three.
export const selector = "[data-views]";

export function attach(page) {
  const bar = page.querySelector("[data-view-buttons]");
  const buttons = [...bar.querySelectorAll("[data-view-of]")];
  const phone = matchMedia("(max-width: 60rem)");

  const show = (view) => {
    page.dataset.view = view;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.viewOf === view));
  };
  const fit = () => { if (!phone.matches && page.dataset.view === "form") show("text"); };

  bar.hidden = false;
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset.viewOf));
  phone.addEventListener("change", fit);
  show(phone.matches ? "form" : "text");
}
