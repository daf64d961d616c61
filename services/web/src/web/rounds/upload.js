// Sends a file as the body of the request and shows the progress. The server's answer replaces the part of the page
// that the form names in data-upload. Without this script the form is sent as a whole.
import { isOurs } from "../kit/js/answers.js";
import { language, message } from "../kit/js/messages.js";

export const selector = "form[data-upload]";

const size = (bytes) =>
  message("upload-size", { number: (bytes / 1e6).toLocaleString(language, { maximumFractionDigits: 1 }) });

function show(form, page) {
  const place = document.querySelector(form.dataset.upload);
  const fresh = page.querySelector(form.dataset.upload);
  if (!fresh) return false;
  const put = document.adoptNode(fresh);
  place.replaceWith(put);
  document.body.dispatchEvent(new CustomEvent("htmx:load", { detail: { elt: put } }));
  return true;
}

export function attach(form) {
  const state = form.querySelector("[data-upload-state]");
  const [bar, words] = [state.querySelector("progress"), state.querySelector("span")];
  let underWay = false;
  const tell = (text) => { words.textContent = text; };
  const stop = (text) => {
    underWay = false;
    bar.hidden = true;
    tell(text);
  };

  form.addEventListener("submit", (event) => {
    const file = form.elements.file.files[0];
    if (!file || form.elements.pasted?.value) return;
    event.preventDefault();
    if (underWay) return;
    state.hidden = false;
    if (file.size > Number(form.dataset.largest)) {
      stop(message("upload-too-large", { size: size(file.size) }));
      return;
    }
    underWay = true;
    bar.hidden = false;
    tell(message("upload-sending", { size: size(file.size) }));
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) => { bar.value = total ? loaded / total : 1; });
    request.upload.addEventListener("load", () => {
      bar.removeAttribute("value");
      tell(message("upload-checking"));
    });
    request.addEventListener("error", () => stop(message("upload-unsent")));
    request.addEventListener("load", () => {
      if (!isOurs(request)) stop(message("upload-unsent"));
      else if (request.status < 300) location.assign(request.responseURL);
      else if (!show(form, request.responseXML)) stop(message("upload-unsent"));
    });
    request.open("POST", form.action);
    request.setRequestHeader("Content-Type", /\.(csv|tsv)$/i.test(file.name) ? "text/csv" : "application/x-ndjson");
    request.responseType = "document";
    request.send(file);
  });
}
