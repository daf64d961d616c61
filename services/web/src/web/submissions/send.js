// Sends an archive in parts straight to the object store: three at a time, each tried again with growing pauses. What
// has arrived is known to the platform, so after a break the same file is chosen again and only the rest is sent.
import { language, message } from "../kit/js/messages.js";

export const selector = "form[data-archive-form]";

const AT_ONCE = 3;
const SIGNED_AT_ONCE = 20;
const ATTEMPTS = 6;
const LARGEST_DIGESTED = 256e6;

const megabytes = (bytes) => (bytes / 1e6).toLocaleString(language, { maximumFractionDigits: 1 });
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

class Refused extends Error {}

async function ask(address, fields) {
  let answer;
  try {
    answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields) });
  } catch {
    throw new Refused(message("archive-offline"));
  }
  const said = answer.headers.get("Content-Type")?.startsWith("application/json") ? await answer.json() : {};
  if (!answer.ok) throw new Refused(said.problem || message("archive-offline"));
  return said;
}

async function digestOf(file) {
  if (file.size > LARGEST_DIGESTED || !crypto.subtle) return "";
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return `sha256:${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function put(url, blob, moved) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded }) => moved(loaded));
    request.addEventListener("load", () => (request.status < 300 ? resolve() : reject(new Error(String(request.status)))));
    request.addEventListener("error", () => reject(new Error("offline")));
    request.open("PUT", url);
    request.send(blob);
  });
}

class Sending {
  constructor(file, plan, tell) {
    Object.assign(this, { file, plan, tell, paused: false, sent: new Map(), signed: new Map() });
    const size = (number) => Math.min(plan.part_bytes, file.size - (number - 1) * plan.part_bytes);
    for (const part of plan.held) if (part.size === size(part.number)) this.sent.set(part.number, part.size);
    this.missing = [];
    for (let number = 1; number <= plan.parts; number += 1) if (!this.sent.has(number)) this.missing.push(number);
  }

  show() {
    const arrived = [...this.sent.values()].reduce((sum, bytes) => sum + bytes, 0);
    this.tell(arrived / this.file.size, message(this.paused ? "archive-paused" : "archive-sending", { done: megabytes(arrived), all: megabytes(this.file.size) }));
  }

  async run() {
    this.show();
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.worker()));
  }

  async worker() {
    while (this.missing.length) {
      while (this.paused) await pause(200);
      const number = this.missing.shift();
      if (number === undefined) return;
      await this.part(number);
    }
  }

  async part(number) {
    const start = (number - 1) * this.plan.part_bytes;
    const blob = this.file.slice(start, start + this.plan.part_bytes);
    for (let attempt = 0; ; attempt += 1) {
      try {
        await put(await this.address(number, attempt > 0), blob, (bytes) => {
          this.sent.set(number, Math.min(bytes, blob.size));
          this.show();
        });
        this.sent.set(number, blob.size);
        this.show();
        return;
      } catch (error) {
        this.sent.delete(number);
        if (error instanceof Refused) throw error;
        if (attempt + 1 >= ATTEMPTS) throw new Refused(message("archive-broke"));
        await pause(Math.min(20_000, 500 * 2 ** attempt));
      }
    }
  }

  async address(number, anew) {
    if (anew || !this.signed.has(number)) {
      const numbers = [number, ...this.missing.slice(0, SIGNED_AT_ONCE - 1)];
      const { parts } = await ask(`${this.plan.address}/parts`, { numbers: numbers.join(",") });
      for (const part of parts) this.signed.set(part.number, part.url);
    }
    return this.signed.get(number);
  }
}

export function attach(form) {
  const state = form.querySelector("[data-archive-state]");
  const [bar, words] = [state.querySelector("progress"), state.querySelector("p")];
  const [send, hold] = [form.querySelector("[data-archive-send]"), form.querySelector("[data-archive-pause]")];
  let sending = null;
  const tell = (share, text) => {
    state.hidden = false;
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
    if (words.textContent !== text) words.textContent = text;
  };

  hold.addEventListener("click", () => {
    if (!sending) return;
    sending.paused = !sending.paused;
    hold.setAttribute("aria-pressed", String(sending.paused));
    sending.show();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = form.elements.file.files[0];
    if (!file || send.disabled) return;
    send.disabled = true;
    try {
      tell(null, message("archive-reading"));
      const fields = { task: form.elements.task.value, model: form.elements.model.value, file_name: file.name, size: file.size, digest: await digestOf(file) };
      const plan = await ask(form.action, fields);
      if (plan.is_draft) {
        sending = new Sending(file, plan, tell);
        hold.hidden = false;
        await sending.run();
        tell(null, message("archive-completing"));
        await ask(`${plan.address}/completion`, {});
      }
      location.assign(plan.address);
    } catch (error) {
      tell(0, error instanceof Refused ? error.message : message("archive-broke"));
      send.disabled = false;
      hold.hidden = true;
      sending = null;
    }
  });
}
