// Web push: first we say what it is for, then the browser asks, then the person says how often.
import { post } from "../kit/http.js";

const sheet = document.getElementById("push-sheet");
const offer = document.querySelector("[data-push-offer]");

const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
if (sheet && can) {
  if (Notification.permission === "denied") document.querySelector("[data-push-blocked]").hidden = false;
  else if (offer) offer.hidden = false;
}

function fail(text) {
  const place = sheet.querySelector("[data-push-error]");
  place.textContent = text;
  place.hidden = false;
}

function bytes(base64url) {
  const base64 = base64url.replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(base64.padEnd(Math.ceil(base64.length / 4) * 4, "=")), (c) => c.charCodeAt(0));
}

// The first step leads to the browser's question, the second sends the wishes.
let allowed = false;
document.getElementById("push-continue")?.addEventListener("click", async (event) => {
  const button = event.currentTarget;
  sheet.querySelector("[data-push-error]").hidden = true;
  if (!allowed) {
    if (await Notification.requestPermission() !== "granted") {
      fail("Your browser did not allow it. You can change that in its settings for this site. The inbox works without.");
      return;
    }
    allowed = true;
    for (const step of sheet.querySelectorAll("[data-push-step]")) step.hidden = step.dataset.pushStep !== "2";
    button.textContent = "Turn on";
    sheet.querySelector("select").focus();
    return;
  }
  button.setAttribute("aria-busy", "true");
  try {
    await subscribe(sheet.querySelector("select").value);
    location.reload();
  } catch {
    fail("That did not work. Try again later; the inbox works without.");
  }
  button.removeAttribute("aria-busy");
});

async function subscribe(interval) {
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(sheet.dataset.pushKey) });
  const { endpoint, keys } = subscription.toJSON();
  const fields = new URLSearchParams(new FormData(document.getElementById("wishes")));
  fields.delete("csrf");
  for (const [name, value] of Object.entries({ interval, endpoint, p256dh: keys.p256dh, auth: keys.auth })) fields.set(name, value);
  const answer = await post("/me/notifications/push", fields);
  if (!answer.ok) throw new Error(String(answer.status));
}
