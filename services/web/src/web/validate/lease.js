// Keeps an example for the person as long as they are at work on it: at most one request a minute, none while nothing
// happens. Tells when others have taken its places; what was typed stays where it is.
export const selector = "form[data-lease]";

const PAUSE = 60000;
const ACTIVITY = ["keydown", "pointerdown", "input", "wheel", "touchmove"];
const LOST = [404, 409];

export function attach(form) {
  const watching = new AbortController();
  let last = Date.now();

  const renew = async () => {
    last = Date.now();
    const body = new URLSearchParams({ lease_id: form.elements.lease_id.value });
    try {
      const response = await fetch(form.dataset.lease, { method: "POST", body });
      if (!LOST.includes(response.status) || !response.headers.has("Dynabench-Page")) return;
      watching.abort();
      form.querySelector("[data-lease-lost]").hidden = false;
    } catch {
      // Nobody answers just now. The next minute's activity asks again, and the server honours a late answer.
    }
  };

  const notice = () => {
    if (!form.isConnected) watching.abort();
    else if (Date.now() - last >= PAUSE) renew();
  };

  for (const name of ACTIVITY) {
    document.addEventListener(name, notice, { signal: watching.signal, passive: true });
  }
}
