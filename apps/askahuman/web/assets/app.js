// On every page: answers that waited for the network are sent, and the person is told.
import { toast } from "../kit/toast.js";

const workers = navigator.serviceWorker;

let told = false; // and it stands on the page

function flush() {
  if (navigator.onLine) workers?.controller?.postMessage({ type: "send answers" });
}

workers?.addEventListener("message", (event) => {
  const { type, sent, twice, late, refused } = event.data ?? {};
  if (type !== "answers sent" || told) return;
  told = true;
  setTimeout(() => { told = false; workers.controller?.postMessage({ type: "answers told" }); }, 1000);
  if (sent) toast(sent === 1 ? "The answer that waited was sent. Thank you." : `${sent} answers that waited were sent. Thank you.`, "good");
  if (late) toast("An answer that waited came too late: its question is closed.", "warn");
  if (twice) toast("An answer that waited was not needed: its question has one of yours.", "info");
  if (refused) toast("An answer that waited was not taken.", "warn");
});
window.addEventListener("online", flush);
flush();
