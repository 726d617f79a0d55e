// Queues of operators by keyboard. Everything here can be done by buttons as well.
const KEYS = { a: "approve", r: "reject", s: "shadow", b: "ban", h: "hide", e: "keep" };
const REMEMBERED = "operator-shortcuts";

const list = document.querySelector("[data-review]");
const help = document.querySelector("[data-shortcuts]");
const toggle = document.querySelector("[data-shortcut-switch]");

// The page one is on stands in view, also where the navigation is wider than the screen.
const nav = document.querySelector(".nav");
const here = nav?.querySelector("[aria-current]");
if (here) nav.scrollLeft = here.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;

function remembered() {
  try { return localStorage.getItem(REMEMBERED) !== "off"; } catch { return true; }
}

if (help && toggle) {
  help.hidden = false;
  toggle.checked = remembered();
  const show = () => { help.querySelector("[data-shortcut-list]").hidden = !toggle.checked; };
  show();
  toggle.addEventListener("change", () => {
    try { localStorage.setItem(REMEMBERED, toggle.checked ? "on" : "off"); } catch { /* forgotten with the page */ }
    show();
  });
}

// After a decision the next one has the focus.
const after = document.getElementById(location.hash.slice(1));
if (after?.closest("[data-review]")) after.focus();

function step(by) {
  const cards = [...list.children];
  const at = cards.indexOf(current());
  const card = cards[Math.min(Math.max(at + by, 0), cards.length - 1)];
  card?.focus();
  card?.scrollIntoView({ block: "nearest" });
}

// current is the card somebody is in.
function current() {
  const active = document.activeElement;
  return list?.contains(active) ? active.closest("[data-review] > *") : null;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
  if (!(toggle ? toggle.checked : remembered())) return;
  if (document.querySelector("dialog[open]") || event.target.closest?.("input:not([type=checkbox]), textarea, select")) return;
  const key = event.key.toLowerCase();
  if (key === "u") document.getElementById("undo")?.click();
  else if (list && (key === "j" || key === "k")) step(key === "j" ? 1 : current() ? -1 : 1);
  else if (list && KEYS[key]) current()?.querySelector(`button[value="${KEYS[key]}"]`)?.click();
  else return;
  event.preventDefault();
});
if (list) list.dataset.review = "ready";
