// An exam being sat: every change is saved, and kept on the device until the server has it.
import { startClock, sayTime } from "./clock.js";
import { startOrdering } from "./ordering.js";

const form = document.querySelector("[data-sit]");
const handIn = document.querySelector("[data-hand-in]"); // of the page before the end
const saved = document.querySelector("[data-saved]");
const token = () => document.querySelector('meta[name="csrf"]')?.content ?? "";
const opened = Date.now();
const session = form?.dataset.sit ?? handIn?.dataset.handIn;
const prefix = `exam:${session}:`;
const PATIENCE = 10000, LAST_PATIENCE = 5000; // of the hand-in with a connection that hangs: on demand, and when the time is over
let leaving = false, handingIn = false, over = false;

function read(key) { try { return localStorage.getItem(key); } catch { return null; } }
function keep(key, text) { try { localStorage.setItem(key, text); } catch { /* storage is off: the form still works */ } }
function forget(key) { try { localStorage.removeItem(key); } catch { /* nothing was kept */ } }
function say(text) { if (saved && saved.textContent !== text) saved.textContent = text; }

/** waiting lists the positions whose answers the server does not have yet. */
function waiting() {
  const all = [];
  try {
    for (let i = 0; i < localStorage.length; i++) {
      const key = localStorage.key(i);
      if (key.startsWith(prefix)) all.push(key);
    }
  } catch { /* storage is off */ }
  return all;
}

let made = ""; // the fields of the last answer of this page
let sending = null, again = false, pause = 1000, timer = 0;
const found = form && fieldsOf(read(prefix + form.dataset.position)); // of an answer that an earlier page kept, and that this one does not show

/** fieldsOf returns the fields of a kept answer as text: they stay when it was tried in vain. */
function fieldsOf(text) { return text && JSON.stringify(JSON.parse(text).fields); }

/** flush sends what waits, one answer after the other. It ends when also what was added meanwhile was tried. */
function flush() {
  if (sending) again = true;
  else sending = send().finally(() => { sending = null; if (again) { again = false; return flush(); } });
  return sending;
}

async function send() {
  clearTimeout(timer);
  let stored = false;
  for (const key of waiting()) {
    const text = read(key);
    if (!text) continue;
    const entry = JSON.parse(text), body = new URLSearchParams(entry.fields);
    if (entry.tried) { body.set("queued", "on"); }
    try {
      const response = await fetch(`/sit/${session}/${key.slice(prefix.length)}/save`, { method: "POST", headers: { "X-CSRF-Token": token() }, body, credentials: "same-origin" });
      const later = response.status >= 500 || response.status === 429; // of a proxy perhaps, whose page may be JSON, too
      if (later || !response.headers.get("Content-Type")?.includes("json")) throw new Error(response.redirected ? "signed out" : "later");
      const result = await response.json();
      if (read(key) === text) forget(key);
      pause = 1000;
      stored ||= result.accepted;
      if (key !== prefix + form?.dataset.position && result.code !== "ANOTHER_WRITER") continue;
      if (result.newer && fieldsOf(text) === made) { // of another tab: what was chosen last stays
        form.elements.sequence.value = String(result.newer + 1);
        changed();
        continue;
      }
      if (!response.ok) {
        say(result.message);
        if (["ANOTHER_WRITER", "SESSION_OVER"].includes(result.code)) { leaving = true; location.assign(`/sit/${session}`); return; }
      } else say(result.late_ms ? "Too late" : "Saved");
      if (result.accepted && fieldsOf(text) === found) { leaving = true; location.reload(); return; } // to show it
    } catch (error) {
      entry.tried = true;
      if (read(key) === text) keep(key, JSON.stringify(entry));
      say(error.message === "signed out" ? "You are signed out. Your answer is kept on this device: reload the page to sign in." : "Kept on this device");
      pause = Math.min(pause * 2, 15000);
      timer = setTimeout(flush, pause);
      break;
    }
  }
  if (handIn && stored && !handingIn) location.reload(); // to count them
}

/** flushBeforeHandIn sends what waits, and stops waiting for the server after some milliseconds. */
async function flushBeforeHandIn(patience) {
  handingIn = true;
  handIn.querySelector("button").setAttribute("aria-busy", "true");
  await Promise.race([flush(), new Promise((done) => setTimeout(done, patience))]);
}

/** hold keeps the answer of the form on the device. */
function hold() {
  form.elements.elapsed.value = String(Date.now() - opened);
  const fields = [...new FormData(form)].filter(([name]) => name !== "csrf" && name !== "do");
  made = JSON.stringify(fields);
  keep(prefix + form.dataset.position, JSON.stringify({ fields }));
}

/** changed keeps the answer of the form and sends it. */
function changed() {
  if (form.hasAttribute("data-practice")) return;
  hold();
  form.elements.sequence.value = String(Number(form.elements.sequence.value) + 1);
  say("Saving…");
  flush();
}

function press(value) {
  const button = form.querySelector(`button[name="do"][value="${value}"]`);
  if (button) form.requestSubmit(button);
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input[type=text], select, textarea, dialog")) return;
  const number = Number(event.key);
  if (number >= 1 && number <= 6) {
    const input = form.querySelectorAll("[data-keys] input:not(:disabled)")[number - 1];
    if (input) { input.click(); input.focus(); event.preventDefault(); }
  } else if (event.key === "f" || event.key === "F") form.querySelector("[data-flag]")?.click();
  else if (event.key === "t" || event.key === "T") sayTime();
  else if (event.key === "Enter" && !event.target.closest("button, a, summary")) { event.preventDefault(); form.querySelector("[data-next]")?.click(); }
}

if (form) {
  let typing = 0, touched = false;
  form.addEventListener("change", () => { touched = true; changed(); });
  form.addEventListener("input", (event) => { if (event.target.matches("input[type=text]")) { clearTimeout(typing); typing = setTimeout(changed, 600); } });
  form.addEventListener("submit", (event) => {
    if (!navigator.onLine && !form.hasAttribute("data-practice")) { event.preventDefault(); changed(); say("No connection. Your answer is kept on this device."); return; }
    clearTimeout(typing);
    if (touched && !form.hasAttribute("data-practice")) hold(); // until another page shows that the form has arrived
  });
  window.addEventListener("submit", (event) => { // after the kit, which stops a form that has no connection
    if (event.target === form && !event.defaultPrevented) leaving = true;
  });
  document.addEventListener("keydown", keys);
  window.addEventListener("online", flush);
  startOrdering(form, () => { touched = true; changed(); });
  for (const region of form.querySelectorAll("[data-region]")) {
    region.addEventListener("click", () => form.querySelector(`input[name="choice"][value="${region.dataset.region}"]:not(:disabled)`)?.click());
  }
  form.addEventListener("change", () => {
    for (const region of form.querySelectorAll("[data-region]")) region.classList.toggle("chosen", form.querySelector(`input[value="${region.dataset.region}"]`)?.checked);
  });
  // Without a way back, a page of a later question shows that the answers before it have arrived or no longer count.
  if (!form.hasAttribute("data-free") && !form.hasAttribute("data-tolerant")) {
    for (const key of waiting()) if (key !== prefix + form.dataset.position) forget(key);
  }
  if (waiting().length) flush();
}
if (handIn && waiting().length) {
  const button = handIn.querySelector("button"), unsent = document.querySelector("[data-unsent]");
  window.addEventListener("submit", async (event) => { // the question before it is asked by the document
    if (event.defaultPrevented || event.target !== handIn || !waiting().length) return;
    event.preventDefault();
    await flushBeforeHandIn(PATIENCE);
    if (leaving || over) return;
    const left = waiting().length;
    if (!left || !unsent.hidden) { handIn.submit(); return; }
    handingIn = false;
    button.removeAttribute("aria-busy");
    unsent.querySelector("h2").textContent = `${left} ${left === 1 ? "answer" : "answers"} could not be sent yet`;
    unsent.hidden = false;
  });
  window.addEventListener("online", flush);
  flush();
}
startClock(async () => {
  if (leaving) return;
  if (handIn && document.querySelector("[data-clock-submit]")) {
    over = true;
    if (waiting().length) await flushBeforeHandIn(LAST_PATIENCE);
    if (!leaving) handIn.submit();
  } else if (form?.hasAttribute("data-free")) location.assign(`/sit/${form.dataset.sit}/hand-in`);
  else if (form) press(form.hasAttribute("data-practice") ? "skip" : "next");
});
