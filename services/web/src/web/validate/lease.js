// Renews the lease of an example while the person is active: at most one request a minute, none without activity.
// Reports when other people have taken the example; typed text stays in the form.
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
      // No answer. Activity in the next minute asks again, and the server accepts a late vote.
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
