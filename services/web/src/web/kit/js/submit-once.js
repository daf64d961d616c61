// A form on its way is not sent again by a second click. The server would store it once all the same.
export const selector = "form[data-submit-once]";

const LONGEST = 20000;

export function attach(form) {
  let underWay = false;
  const free = () => {
    underWay = false;
    for (const button of form.querySelectorAll("button[aria-disabled]")) button.removeAttribute("aria-disabled");
  };
  form.addEventListener("submit", (event) => {
    if (underWay) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    underWay = true;
    event.submitter?.setAttribute("aria-disabled", "true");
    setTimeout(free, LONGEST);
  }, { capture: true });
  form.addEventListener("htmx:afterRequest", free);
  window.addEventListener("pageshow", free);
}
