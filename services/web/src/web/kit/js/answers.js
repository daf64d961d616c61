// Puts only answers of our server into the page; a header marks them. Any other answer (a proxy's error, a network's
// sign-in page, no answer) becomes a sentence at the form that asked, with "Try again". So does a refusal that the
// server sends instead of the page. The form stays. With data-quiet no sentence is shown.
import { message } from "./messages.js";

export const selector = "body";

const MARK = "Dynabench-Page";
const PROBLEM = "problem";
const REASONS = { 413: "unanswered-too-long", 429: "unanswered-too-many" };
const boxes = new WeakMap();

export const isOurs = (xhr) => xhr.getResponseHeader(MARK) !== null;

function reason(status) {
  if (status === 0 && !navigator.onLine) return message("unanswered-offline");
  return message(REASONS[status] ?? (status === 0 || status >= 500 ? "unanswered-away" : "unanswered-foreign"));
}

function line(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

function boxOf(xhr, isWritten) {
  if (xhr.getResponseHeader(MARK) === PROBLEM) {
    const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
    return document.adoptNode(page.body.firstElementChild);
  }
  const box = document.createElement("div");
  box.className = "problem";
  box.tabIndex = -1;
  box.dataset.focus = "";
  box.setAttribute("role", "alert");
  box.append(line(reason(xhr.status)));
  if (isWritten) box.append(line(message("unanswered-kept")));
  return box;
}

function repeat({ elt, verb, path, triggeringEvent }) {
  const pressed = triggeringEvent?.submitter;
  if (pressed?.form === elt) pressed.click();
  else if (elt.matches("form")) elt.requestSubmit();
  else if (elt.matches("a, button")) elt.click();
  else htmx.ajax(verb, path, { source: elt });
}

function tell({ xhr, requestConfig }) {
  const { elt } = requestConfig;
  if ("quiet" in elt.dataset) return;
  const form = elt.matches("form, button") && (elt.form ?? elt.closest("form"));
  const box = boxOf(xhr, Boolean(form));
  const isAsked = ["submit", "click"].includes(requestConfig.triggeringEvent?.type);
  if (!isAsked) {
    delete box.dataset.focus;
    box.setAttribute("role", "status");
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = message("try-again");
  button.addEventListener("click", () => repeat(requestConfig));
  const place = document.createElement("p");
  place.append(button);
  box.append(place);
  if (form) form.prepend(box);
  else elt.before(box);
  boxes.set(elt, box);
  document.body.dispatchEvent(new CustomEvent("htmx:load", { detail: { elt: box } }));
}

export function attach(body) {
  body.addEventListener("htmx:beforeRequest", ({ detail }) => boxes.get(detail.elt)?.remove());
  body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const mark = detail.xhr.getResponseHeader(MARK);
    if ([204, 304].includes(detail.xhr.status) || (mark && mark !== PROBLEM)) return;
    detail.shouldSwap = false;
    tell(detail);
  });
  body.addEventListener("htmx:sendError", ({ detail }) => tell(detail));
}
