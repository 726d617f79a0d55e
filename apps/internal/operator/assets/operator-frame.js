// Queues of operators: by keyboard, and as they fill. Everything here can be done by buttons and
// by loading the page again as well.
import { watch } from "../kit/live.js";
import { say } from "../kit/toast.js";
import { enliven } from "../kit/kit.js";

// A queue names the keys of its buttons: data-keys="a:approve r:reject".
const keys = () => Object.fromEntries((list()?.dataset.keys ?? "").split(" ").filter(Boolean).map((pair) => pair.split(":")));
const REMEMBERED = "operator-shortcuts";

const list = () => document.querySelector("[data-review]");
const toggle = () => document.querySelector("[data-shortcut-switch]");

function remembered() {
  try { return localStorage.getItem(REMEMBERED) !== "off"; } catch { return true; }
}

function startShortcuts() {
  const help = document.querySelector("[data-shortcuts]"), box = toggle();
  if (help && box) {
    help.hidden = false;
    box.checked = box.defaultChecked = remembered();
    const show = () => { help.querySelector("[data-shortcut-list]").hidden = !box.checked; };
    show();
    box.addEventListener("change", () => {
      try { localStorage.setItem(REMEMBERED, box.checked ? "on" : "off"); } catch { /* forgotten with the page */ }
      show();
    });
  }
  if (list()) list().dataset.review = "ready";
}

// step goes to the next card that waits for a decision.
function step(by) {
  const cards = [...list().children];
  let at = cards.indexOf(current());
  do at += by; while (cards[at]?.matches("[data-decided]"));
  cards[at]?.focus();
  cards[at]?.scrollIntoView({ block: "nearest" });
}

// current is the card with the focus.
function current() {
  const active = document.activeElement;
  return list()?.contains(active) ? active.closest("[data-review] > *") : null;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
  if (!(toggle() ? toggle().checked : remembered())) return;
  if (document.querySelector("dialog[open]") || event.target.closest?.("input:not([type=checkbox]), textarea, select")) return;
  const key = event.key.toLowerCase();
  if (key === "u") document.getElementById("undo")?.click();
  else if (list() && (key === "j" || key === "k")) step(key === "j" ? 1 : current() ? -1 : 1);
  else if (list() && keys()[key]) current()?.querySelector(`button[value="${keys()[key]}"]`)?.click();
  else return;
  event.preventDefault();
});

// A queue follows by itself without moving what is being read: it is oldest first, so what is new comes
// at its end, and what was decided elsewhere stays where it is and says so.
const queue = document.querySelector("[data-queue]");

async function follow() {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(queue.id);
  // A decision on its way is about the cards as they are.
  if (!fresh || document.querySelector('dialog[open], [data-queue] [aria-busy="true"]')) return;
  if (list()) mergeCards(fresh);
  else if (fresh.querySelector("[data-review]") && !queue.contains(document.activeElement)) {
    queue.replaceChildren(...fresh.childNodes);
    enliven(queue);
    startShortcuts();
    announce(list().children.length);
  }
}

function mergeCards(fresh) {
  const waiting = new Map([...fresh.querySelectorAll("[data-review] > *")].map((card) => [card.id, card]));
  for (const card of list().children) {
    const now = waiting.get(card.id);
    if (!now) markDecided(card);
    else for (const name of ["next", "next_person"]) copyValue(now, card, name);
    waiting.delete(card.id);
  }
  for (const card of waiting.values()) {
    list().append(card);
    enliven(card);
  }
  announce(waiting.size);
  const pager = queue.querySelector("[data-queue-pager]"), next = fresh.querySelector("[data-queue-pager]");
  if (pager && next && pager.innerHTML !== next.innerHTML && !pager.contains(document.activeElement)) pager.replaceChildren(...next.childNodes);
}

function announce(more) {
  if (more > 0) say(more === 1 ? "One more waits for a decision." : `${more} more wait for a decision.`);
}

function copyValue(from, to, name) {
  const fresh = from.querySelector(`input[name="${name}"]`), old = to.querySelector(`input[name="${name}"]`);
  if (fresh && old) old.value = fresh.value;
}

function markDecided(card) {
  if (card.matches("[data-decided]")) return;
  card.dataset.decided = "";
  card.querySelector("[data-when]")?.replaceChildren("Decided meanwhile");
  const active = document.activeElement;
  if (active !== card && card.contains(active) && active.matches("button")) card.focus({ preventScroll: true });
  for (const button of card.querySelectorAll("button")) button.disabled = true;
}

startShortcuts();

// After a decision the next one has the focus.
const after = document.getElementById(location.hash.slice(1));
if (after?.closest("[data-review]")) after.focus();

if (queue) {
  let looking = false, again = false;
  watch(queue.dataset.queue, async () => {
    again = true;
    if (looking) return;
    looking = true;
    while (again) {
      again = false;
      try { await follow(); } catch { /* the next event tries again */ }
    }
    looking = false;
  });
}
