// A form on its way is not sent again by a second click. The server would store it once all the same.
export const selector = "form[data-submit-once]";

const LONGEST = 20000;

export function attach(form) {
  let underWay = false;
  let pressed = null;
  const free = () => {
    underWay = false;
    pressed?.removeAttribute("aria-disabled");
    pressed = null;
  };
  form.addEventListener("submit", (event) => {
    if (underWay) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    underWay = true;
    pressed = event.submitter;
    pressed?.setAttribute("aria-disabled", "true");
    setTimeout(free, LONGEST);
  }, { capture: true });
  form.addEventListener("htmx:afterRequest", free);
  window.addEventListener("pageshow", free);
}
