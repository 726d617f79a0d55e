// A form that is sent without a connection stays: the browser would show its own error instead, without what was typed.
import { sendConfirmed } from "./dialog.js";
import { toast } from "./toast.js";
import { word } from "./words.js";

const sure = new WeakSet(); // forms whose server can be reached

window.addEventListener("submit", async (event) => { // after all others
  const { target: form, submitter } = event;
  if (event.defaultPrevented || navigator.onLine || form.method === "dialog" || sure.delete(form)) return;
  event.preventDefault();
  try {
    await fetch(location.href, { method: "HEAD" }); // a server on this device needs no network
  } catch {
    submitter?.removeAttribute("aria-busy");
    toast(word("There is no connection. Nothing was sent; what you typed is still here."), "warn");
    return;
  }
  sure.add(form);
  submitter?.removeAttribute("aria-busy");
  sendConfirmed(form, submitter); // the question of its button was answered before
});
