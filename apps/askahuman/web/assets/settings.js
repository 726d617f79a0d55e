// Web push: first we say what it is for, then the browser asks, then the person says how often.
import { post } from "../kit/http.js";
import { possible, subscribe } from "../kit/push.js";

const sheet = document.getElementById("push-sheet");
const offer = document.querySelector("[data-push-offer]");

if (sheet && possible) {
  if (Notification.permission === "denied") document.querySelector("[data-push-blocked]").hidden = false;
  else if (offer) offer.hidden = false;
}

function fail(text) {
  const place = sheet.querySelector("[data-push-error]");
  place.textContent = text;
  place.hidden = false;
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
    await turnOn(sheet.querySelector("select").value);
    location.reload();
  } catch {
    fail("That did not work. Try again later; the inbox works without.");
  }
  button.removeAttribute("aria-busy");
});

async function turnOn(interval) {
  const { endpoint, p256dh, auth } = await subscribe(sheet.dataset.pushKey);
  const fields = new URLSearchParams(new FormData(document.getElementById("wishes")));
  fields.delete("csrf");
  for (const [name, value] of Object.entries({ interval, endpoint, p256dh, auth })) fields.set(name, value);
  const answer = await post("/me/notifications/push", fields);
  if (!answer.ok) throw new Error(String(answer.status));
}
