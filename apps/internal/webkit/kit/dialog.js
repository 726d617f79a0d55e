import { word } from "./words.js";

// Dialogs: those of the page, and a question before something that cannot be undone.
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  if (event.target.closest("[data-closes]")) event.target.closest("dialog")?.close();
});

/** confirm asks a question; button is the word on the button that does it. It gives true or false. */
export function confirm(question, button = word("Continue"), kind = "danger") {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "confirm-title");
  const stack = document.createElement("div");
  stack.className = "stack";
  const title = document.createElement("h2");
  title.id = "confirm-title";
  title.textContent = question;
  const row = document.createElement("div");
  row.className = "row end";
  const no = makeButton(word("Cancel"), "plain");
  const yes = makeButton(button, kind);
  row.append(no, yes);
  stack.append(title, row);
  dialog.append(stack);
  document.body.append(dialog);
  return new Promise((resolve) => {
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => dialog.close("yes"));
    dialog.addEventListener("close", () => { resolve(dialog.returnValue === "yes"); dialog.remove(); });
    dialog.showModal();
    no.focus();
  });
}

function makeButton(text, kind) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button " + kind;
  button.textContent = text;
  return button;
}

// A button with data-confirm asks once before its form is sent.
const sure = new WeakSet(); // forms that are sent without a question
document.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (!button?.dataset.confirm || sure.has(event.target)) { markBusy(event); return; }
  event.preventDefault();
  if (await confirm(button.dataset.confirm, button.textContent.trim())) sendConfirmed(button.form, button);
});

/** sendConfirmed sends a form as button does, without its question. */
export function sendConfirmed(form, button) {
  sure.add(form);
  form.requestSubmit(button);
  sure.delete(form);
}

// A form that is on its way is not sent twice.
function markBusy(event) {
  const button = event.submitter;
  if (event.defaultPrevented || !button?.classList.contains("button") || event.target.method === "dialog") return;
  if (button.getAttribute("aria-busy") === "true") { event.preventDefault(); return; }
  queueMicrotask(() => { if (!event.defaultPrevented) button.setAttribute("aria-busy", "true"); });
}
window.addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll('[aria-busy="true"]')) button.removeAttribute("aria-busy");
});

// From here on questions are asked; one that came earlier is asked now. See early.js.
if (window.early) {
  document.removeEventListener("submit", window.early.hold, true);
  const { asked } = window.early;
  if (asked?.isConnected) asked.form.requestSubmit(asked);
}
