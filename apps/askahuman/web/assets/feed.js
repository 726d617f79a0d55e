// The feed lives: the inbox fills by itself, new questions are announced without moving what
// somebody reads, and an empty feed looks again ever more slowly.
import { watch, refresh } from "../kit/live.js";
import { enliven } from "../kit/kit.js";

const feed = document.querySelector("[data-feed]");
const hint = document.querySelector("[data-new-hint]");
const PAUSE = 4000; // between two looks at the server, however much happens

async function newCards() {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return [...page.querySelectorAll("#questions > [data-question]")].filter(isNew);
}

// isNew says whether a question is on this page neither in the list nor in the inbox.
function isNew(card) {
  return !document.getElementById(card.id) && !document.querySelector(`#inbox [data-woken="${CSS.escape(card.dataset.question)}"]`);
}

let fresh = [];
function announce() {
  hint.replaceChildren();
  if (fresh.length === 0) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button primary";
  button.textContent = fresh.length === 1 ? "1 new question" : `${fresh.length} new questions`;
  button.addEventListener("click", () => {
    const list = document.getElementById("questions");
    for (const card of fresh.toReversed()) { card.classList.add("fresh"); list.prepend(card); enliven(card); }
    const first = fresh[0];
    fresh = [];
    announce();
    first.scrollIntoView({ block: "center" });
    first.querySelector("a")?.focus({ preventScroll: true });
  });
  hint.append(button);
}

async function look() {
  if (document.querySelector("[data-poll]")) { await refresh("feed", enliven); return; }
  try {
    fresh = await newCards();
    announce();
  } catch { /* the next event tries again */ }
}

// However many events come, the server is asked once in a while, and once after the last.
let timer = 0, last = -PAUSE;
function lookSoon() {
  if (timer) return;
  timer = setTimeout(() => { timer = 0; last = performance.now(); look(); }, Math.max(150, last + PAUSE - performance.now()));
}

let wait = 2000;
function poll() {
  setTimeout(async () => {
    if (!document.querySelector("[data-poll]")) return;
    if (!document.hidden && navigator.onLine) {
      await refresh("feed", enliven);
      wait = Math.min(wait * 1.5, 30000);
    }
    poll();
  }, wait);
}

// What came into the inbox is neither in the list nor announced as well.
document.addEventListener("refreshed", (event) => {
  if (event.target.id !== "inbox") return;
  for (const entry of event.target.querySelectorAll("[data-woken]")) document.getElementById("card-" + entry.dataset.woken)?.remove();
  fresh = fresh.filter(isNew);
  announce();
});

if (feed) {
  watch(feed.dataset.feed, (name) => {
    if (name === "change") refresh("inbox", enliven);
    lookSoon();
  }, ["change", "feed"]);
  if (document.querySelector("[data-poll]")) poll();
}
