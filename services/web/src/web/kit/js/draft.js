// Keeps what is typed into a form in the browser, so that it outlives a reload, an error and the end of a session.
// A form names its draft in data-draft; the person's id is part of the key, so nobody is shown another's text.
// The form's key is kept with it: a form that is sent again after a reload is known to the server as the same one.
// data-draft-sent says that what the form holds has been stored by the server, data-draft-fresh that it holds nothing
// of the person's yet but what they may start from, data-draft-carried that it came along from another form, unsaved.
// What stands within data-not-drafted says again what another field of the form keeps.
import { message } from "./messages.js";
import { keep, names, readJson } from "./storage.js";

export const selector = "form[data-draft]";
export const order = -2; // before what reads the form: a restored text is counted, a restored mark shown

const PAUSE = 250;
const OLDEST = 30 * 24 * 3600 * 1000;
const PREFIX = "dynabench-draft:";

const TICKED = ["radio", "checkbox"];
const isTicked = (field) => TICKED.includes(field.type);

const fieldsOf = (form) =>
  [...form.elements].filter(
    (field) =>
      field.name &&
      !field.disabled &&
      !field.closest("[data-not-drafted]") &&
      (field.tagName === "TEXTAREA" || field.type === "text" || isTicked(field) || "draftKept" in field.dataset),
  );

function valuesOf(form) {
  const values = {};
  for (const field of fieldsOf(form)) {
    if (!isTicked(field)) values[field.name] = field.value;
    else if (field.type === "radio") values[field.name] = field.checked ? field.value : values[field.name];
    else values[field.name] = [...(values[field.name] ?? []), ...(field.checked ? [field.value] : [])];
  }
  return values;
}

function put(form, values) {
  for (const field of fieldsOf(form)) {
    const held = values[field.name];
    if (held === undefined) continue;
    if (isTicked(field)) field.checked = [held].flat().includes(field.value);
    else field.value = held;
  }
}

const textsOf = (form) => fieldsOf(form).filter((field) => field.type !== "radio");
const isEmpty = (field) => (isTicked(field) ? !field.checked : field.value === "");
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isPartOf = (some, all) => Object.keys(some).every((name) => same(some[name], all[name]));

function forgetOld() {
  for (const key of names()) {
    if (key.startsWith(PREFIX) && !(readJson(key)?.at > Date.now() - OLDEST)) keep(key, null);
  }
}

export function attach(form) {
  const key = `${PREFIX}${document.body.dataset.person}:${form.dataset.draft}`;
  const sentAs = form.elements.namedItem("key");
  const status = form.querySelector("[data-draft-status]");
  const tell = (words) => { if (status) status.textContent = words; };
  const start = "draftFresh" in form.dataset ? valuesOf(form) : null;
  const isBlank = () => (start ? isPartOf(valuesOf(form), start) : textsOf(form).every(isEmpty));
  let timer;

  const save = () => {
    clearTimeout(timer);
    if (!form.isConnected) return;
    const text = isBlank() ? null : JSON.stringify({ at: Date.now(), values: valuesOf(form), sentAs: sentAs?.value });
    const isKept = keep(key, text);
    if (text === null) tell("");
    else tell(message(isKept ? "draft-saved" : "draft-not-saved"));
  };

  const restore = () => {
    const draft = readJson(key);
    const held = draft?.values;
    if (!held) return;
    const sent = "draftSent" in form.dataset;
    if (sent && isPartOf(held, valuesOf(form))) return keep(key, null);
    if (!sent && !isBlank()) return save();
    put(form, { ...valuesOf(form), ...held });
    if (sentAs && draft.sentAs) sentAs.value = draft.sentAs;
    return tell(message("draft-restored"));
  };

  forgetOld();
  if ("draftCarried" in form.dataset) save();
  else restore();
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  };
  form.addEventListener("input", later);
  form.addEventListener("change", later);
  form.addEventListener("submit", save);
  window.addEventListener("pagehide", () => { if (timer) save(); });
}
