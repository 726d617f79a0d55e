// Subscribes this browser to push messages when its owner wants that.
import { post } from "../kit/http.js";

const offer = document.querySelector("[data-push]");
const status = document.querySelector("[data-push-status]");
const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function bytes(base64url) {
  const base64 = base64url.replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(base64.padEnd(Math.ceil(base64.length / 4) * 4, "=")), (c) => c.charCodeAt(0));
}

if (offer && can) {
  offer.hidden = false;
  offer.querySelector("button").addEventListener("click", async () => {
    if (await Notification.requestPermission() !== "granted") {
      status.textContent = "Your browser did not allow it. You can change that in its settings for this site.";
      return;
    }
    try {
      const registration = await navigator.serviceWorker.ready;
      const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(offer.dataset.push) });
      const { endpoint, keys } = subscription.toJSON();
      const answer = await post("/settings/devices", new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth }));
      if (!answer.ok) throw new Error(String(answer.status));
      location.reload();
    } catch {
      status.textContent = "That did not work. Try again later; your news are on this site.";
    }
  });
}
