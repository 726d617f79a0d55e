// The service worker of an installable site.

/** startWorker registers it, where there is one. */
export function startWorker() {
  const script = document.body.dataset.worker;
  if (!script || !("serviceWorker" in navigator)) return;
  const register = () => navigator.serviceWorker.register(script).catch(() => { /* the site works without */ });
  if (document.readyState === "complete") register(); else window.addEventListener("load", register);
}

// What a browser offers for installing is kept until somebody asks for it.
let offer = null;
window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offer = event;
  for (const button of document.querySelectorAll("[data-install]")) button.hidden = false;
});
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-install]");
  if (!button || !offer) return;
  await offer.prompt();
  offer = null;
  button.hidden = true;
});

// The offline page goes away when the network is back, or when the server is.
if (document.querySelector("[data-reload-online]") && location.pathname !== "/offline") {
  const again = () => location.reload();
  window.addEventListener("online", again);
  setInterval(async () => {
    try {
      if ((await fetch(location.href, { method: "HEAD" })).ok) again();
    } catch { /* not yet */ }
  }, 10000);
}
