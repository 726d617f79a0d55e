// Subscribes this browser to push messages when its owner wants that.
import { post } from "../kit/http.js";
import { possible, subscribe } from "../kit/push.js";

const offer = document.querySelector("[data-push]");
const status = document.querySelector("[data-push-status]");

if (offer && possible) {
  offer.hidden = false;
  offer.querySelector("button").addEventListener("click", async () => {
    if (await Notification.requestPermission() !== "granted") {
      status.textContent = "Your browser did not allow it. You can change that in its settings for this site.";
      return;
    }
    try {
      const answer = await post("/settings/devices", await subscribe(offer.dataset.push));
      if (!answer.ok) throw new Error(String(answer.status));
      location.reload();
    } catch {
      status.textContent = "That did not work. Try again later; your news are on this site.";
    }
  });
}
