// Looks again at figures that change by themselves: says which version it holds, so that an unchanged one costs
// neither bytes nor a swap; rests while nobody looks; keeps open what the person has opened.
export const selector = "[data-poll]";

export function attach(element) {
  let version = null;
  let opened = [];
  const isOwn = (event) => event.detail.elt === element;

  element.addEventListener("htmx:configRequest", (event) => {
    if (isOwn(event) && version) event.detail.headers["If-None-Match"] = version;
  });
  element.addEventListener("htmx:beforeRequest", (event) => {
    if (isOwn(event) && document.hidden) event.preventDefault();
  });
  element.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    if (xhr.status !== 200) event.detail.shouldSwap = false;
    else version = xhr.getResponseHeader("ETag");
    opened = [...element.querySelectorAll("details[open][id]")].map((details) => details.id);
  });
  element.addEventListener("htmx:afterSwap", () => {
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });
}
