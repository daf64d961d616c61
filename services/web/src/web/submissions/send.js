// Sends an archive in parts directly to the object store: three at a time, each retried with growing pauses. The
// platform knows the stored parts. After an interruption, people choose the same file again and only the rest is sent.
import { language, message } from "../kit/js/messages.js";
import { keep, read } from "../kit/js/storage.js";
import { SignatureRefused, signatureOf } from "./signature_files.js";

export const selector = "form[data-archive-form]";

const AT_ONCE = 3;
const SIGNED_AT_ONCE = 20;
const ATTEMPTS = 6;
const LONGEST_PAUSE = 20_000;
const LONGEST_SILENCE = 60_000;
const ROUNDS = 3;
const LARGEST_DIGESTED = 256e6;
const KEEPING_BAR = new Set(["archive-paused", "archive-waiting"]);
const REMEMBERED = "dynabench-archive:";

const megabytes = (bytes, digits) => (bytes / 1e6).toLocaleString(language, { maximumFractionDigits: digits });
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

// An error that a retry does not fix; `field` names the field of the form at fault.
class Refused extends Error {
  constructor(text, { field = "", slug = "" } = {}) {
    super(text);
    Object.assign(this, { field, slug });
  }
}

// An error that a retry may fix.
class Broken extends Error {}

async function ask(address, fields) {
  let [answer, content] = [null, {}];
  try {
    answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" } });
    if (answer.headers.get("Content-Type")?.startsWith("application/json")) content = await answer.json();
  } catch {
    throw new Broken(message("archive-offline"));
  }
  if (answer.status === 401) throw new Refused(message("archive-signed-out"), { slug: "signed-out" });
  if (answer.status >= 500 || (answer.ok && !Object.keys(content).length)) throw new Broken(content.problem || message("archive-offline"));
  if (!answer.ok) throw new Refused(content.problem || message("archive-offline"), content);
  return content;
}

async function bytesOf(blob) {
  try {
    return await blob.arrayBuffer();
  } catch {
    throw new Refused(message("archive-unreadable"), { field: "file" });
  }
}

async function digestOf(file) {
  if (file.size > LARGEST_DIGESTED || !crypto.subtle) return "";
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await bytesOf(file)));
  return `sha256:${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

// Without a digest, only this browser knows that the stored parts are of this file.
function isOfSameFile(plan, file, digest) {
  const state = `${file.size}:${file.lastModified}`;
  const isKnown = read(REMEMBERED + plan.address) === state;
  keep(REMEMBERED + plan.address, state);
  return digest !== "" || isKnown;
}

const forget = (plan) => keep(REMEMBERED + plan.address, null);

async function online() {
  if (navigator.onLine) return;
  await new Promise((resolve) => { window.addEventListener("online", resolve, { once: true }); });
}

async function patiently(act, isOver = () => false) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await act(attempt);
    } catch (error) {
      if (!(error instanceof Broken) || attempt + 1 >= ATTEMPTS || isOver()) throw error;
      await pause(Math.min(LONGEST_PAUSE, 500 * 2 ** attempt));
      await online();
      if (isOver()) throw error;
    }
  }
}

class Sending {
  constructor(file, plan, tell) {
    Object.assign(this, { file, plan, tell, error: null, going: Promise.resolve(), release() {}, sent: new Map(), signed: new Map(), signing: null, inFlight: new Set(), requests: new Set() });
    const size = (number) => Math.min(plan.part_bytes, file.size - (number - 1) * plan.part_bytes);
    for (const part of plan.held) if (part.size === size(part.number)) this.sent.set(part.number, part.size);
    this.missing = [];
    for (let number = 1; number <= plan.parts; number += 1) if (!this.sent.has(number)) this.missing.push(number);
  }

  show() {
    if (this.error) return;
    const arrived = [...this.sent.values()].reduce((sum, bytes) => sum + bytes, 0);
    const digits = this.file.size < 1e6 ? 3 : 1;
    this.tell(arrived / this.file.size, message("archive-sending", { done: megabytes(arrived, digits), all: megabytes(this.file.size, digits) }));
  }

  hold() {
    this.going = new Promise((resolve) => { this.release = resolve; });
  }

  async run() {
    this.show();
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.worker()));
    await this.going;
    if (this.error) throw this.error;
  }

  async worker() {
    try {
      while (this.missing.length && !this.error) {
        await this.going;
        const number = this.error ? undefined : this.missing.shift();
        if (number === undefined) return;
        this.inFlight.add(number);
        await patiently((attempt) => this.part(number, attempt > 0), () => this.error);
        this.inFlight.delete(number);
      }
    } catch (error) {
      this.error ??= error;
      this.release();
      for (const request of this.requests) request.abort();
    }
  }

  async part(number, again) {
    const start = (number - 1) * this.plan.part_bytes;
    const bytes = await bytesOf(this.file.slice(start, start + this.plan.part_bytes));
    try {
      await this.put(await this.address(number, again), bytes, (loaded) => {
        this.sent.set(number, Math.min(loaded, bytes.byteLength));
        this.show();
      });
    } catch (error) {
      this.sent.delete(number);
      this.show();
      throw error;
    }
    this.sent.set(number, bytes.byteLength);
    this.show();
  }

  async address(number, again) {
    if (again) this.signed.delete(number);
    if (!this.signed.has(number)) await (this.signing ??= this.sign().finally(() => { this.signing = null; }));
    if (!this.signed.has(number)) throw new Broken(message("archive-broke"));
    return this.signed.get(number);
  }

  async sign() {
    const numbers = [...this.inFlight, ...this.missing].filter((number) => !this.signed.has(number)).slice(0, SIGNED_AT_ONCE);
    const { parts } = await ask(`${this.plan.address}/parts`, { numbers: numbers.join(",") });
    for (const part of parts) this.signed.set(part.number, part.url);
  }

  put(url, bytes, moved) {
    const request = new XMLHttpRequest();
    let silence;
    const wait = () => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), LONGEST_SILENCE);
    };
    const sent = new Promise((resolve, reject) => {
      const fail = () => reject(new Broken(message("archive-broke")));
      request.upload.addEventListener("progress", ({ loaded }) => {
        wait();
        moved(loaded);
      });
      request.addEventListener("load", () => (request.status < 300 ? resolve() : fail()));
      request.addEventListener("error", fail);
      request.addEventListener("abort", fail);
    });
    this.requests.add(request);
    request.open("PUT", url);
    request.send(bytes);
    wait();
    return sent.finally(() => {
      clearTimeout(silence);
      this.requests.delete(request);
    });
  }
}

// The form's display: the progress, the current step, and a problem at the field at fault.
class Shown {
  constructor(form) {
    const find = (name) => form.querySelector(`[data-archive-${name}]`);
    Object.assign(this, { form, state: find("state"), send: find("send"), pause: find("pause"), words: find("words"), share: find("share") });
    this.bar = this.state.querySelector("progress");
  }

  get isBusy() {
    return this.send.disabled;
  }

  busy(isBusy) {
    this.send.disabled = isBusy;
    for (const field of this.form.querySelectorAll(".field")) field.inert = isBusy;
    if (!isBusy) this.pausable(false);
  }

  pausable(isPausable) {
    this.pause.hidden = !isPausable;
    this.pause.setAttribute("aria-pressed", "false");
  }

  now(name) {
    this.state.hidden = false;
    this.words.textContent = name ? message(name) : "";
    if (name && !KEEPING_BAR.has(name)) this.moved(null, "");
  }

  moved(share, text) {
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
    this.share.textContent = text;
  }

  clear() {
    for (const place of this.form.querySelectorAll("[data-problem-of]")) place.hidden = true;
    for (const control of this.form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  }

  problem(text, field) {
    this.state.hidden = true;
    const place = this.form.querySelector(`[data-problem-of="${field}"]`);
    place.textContent = field ? `▲ ${text}` : text;
    place.hidden = false;
    const control = field ? this.form.elements[field] : null;
    control?.setAttribute("aria-invalid", "true");
    control?.closest("details")?.setAttribute("open", "");
    (control ?? this.send).focus();
  }
}

export function attach(form) {
  const shown = new Shown(form);
  let sending = null;

  async function deliver(first, file, fields) {
    let plan = first;
    for (let round = 1; plan.is_draft; round += 1) {
      if (!isOfSameFile(plan, file, fields.digest)) plan.held = [];
      shown.now("");
      shown.pausable(true);
      sending = new Sending(file, plan, (share, text) => shown.moved(share, text));
      try {
        await sending.run();
      } catch (error) {
        if (error.slug !== "submission-state") throw error; // else another tab may have sent the rest
      }
      shown.pausable(false);
      shown.now("archive-completing");
      try {
        await patiently(() => ask(`${plan.address}/completion`, {}));
        forget(plan);
        return plan.address;
      } catch (error) {
        if (error.slug !== "parts-missing" || round === ROUNDS) throw error;
        plan = await ask(form.action, fields);
      }
    }
    return plan.address;
  }

  // The text while parts are being sent: empty, unless they wait.
  const say = () => {
    if (!sending || shown.pause.hidden) return;
    const isPaused = shown.pause.getAttribute("aria-pressed") === "true";
    shown.now(navigator.onLine ? (isPaused ? "archive-paused" : "") : "archive-waiting");
    sending.show();
  };
  window.addEventListener("offline", say);
  window.addEventListener("online", say);

  shown.pause.addEventListener("click", () => {
    const isPaused = shown.pause.getAttribute("aria-pressed") !== "true";
    shown.pause.setAttribute("aria-pressed", String(isPaused));
    if (isPaused) sending.hold();
    else sending.release();
    say();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { task, model, file: chosen } = form.elements;
    const file = chosen.files[0];
    const root = form.action.replace(/\/models\/submit$/, "");
    if (!file || shown.isBusy) return;
    shown.clear();
    shown.busy(true);
    try {
      shown.now("archive-reading");
      const signed = await signatureOf(form.elements);
      const fields = { task: task.value, model: model.value, file_name: file.name, size: file.size, digest: await digestOf(file), ...signed };
      const address = await deliver(await ask(form.action, fields), file, fields);
      form.reset();
      form.dispatchEvent(new Event("change")); // the server has the values now: clears the draft
      location.assign(root + address);
    } catch (error) {
      shown.busy(false);
      const isKnown = [Refused, Broken, SignatureRefused].some((kind) => error instanceof kind);
      shown.problem(isKnown ? error.message : message("archive-broke"), error.field ?? "");
      if (error.slug === "signed-out") location.assign(`${root}/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
    }
  });

  form.addEventListener("change", () => { if (!shown.isBusy) shown.clear(); });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    shown.busy(false);
    shown.state.hidden = true;
  });
}
