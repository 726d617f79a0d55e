// Live updates. An element with an id and data-live="/address" looks again whenever that stream of
// events says "change": the page (or data-live-from) is fetched and the element with the
// same id is put in its place. What a person is typing in stays as it is.
import { word } from "./words.js";

const bar = document.querySelector("[data-offline]");
let lost = 0;

const made = document.querySelector('meta[name="made"]')?.content;
const kept = "kept" in document.body.dataset; // the worker had it

function showOffline() {
  if (bar) bar.hidden = navigator.onLine && lost === 0 && !kept;
}
if (kept && bar && made) {
  const at = new Date(Number(made));
  const time = document.createElement("time");
  time.dateTime = at.toISOString();
  time.textContent = new Intl.DateTimeFormat(document.documentElement.lang || "en", { dateStyle: "medium", timeStyle: "short" }).format(at);
  bar.append(" ", word("As of"), " ", time, ".");
}
window.addEventListener("online", showOffline);
window.addEventListener("offline", showOffline);
showOffline();

// withMade adds when the page was made, so that the server tells what changed before the stream began.
function withMade(url) {
  return made ? url + (url.includes("?") ? "&" : "?") + "made=" + made : url;
}

/** watch listens to a stream of events: onEvent(name, data). It connects again when the connection is lost,
 *  rests while nobody looks at the page, and gives a function that ends it. */
export function watch(url, onEvent, names = ["change"]) {
  let source = null, wait = 1000, timer = 0, missing = false, ended = false, opened = false;

  function miss(is) {
    if (missing === is) return;
    missing = is;
    lost += is ? 1 : -1;
    showOffline();
  }
  function open() {
    if (ended || source) return;
    source = new EventSource(opened ? url : withMade(url));
    source.onopen = () => {
      wait = 1000;
      miss(false);
      if (opened) onEvent("change", "look again"); // something may have happened meanwhile
      opened = true;
    };
    source.onerror = () => {
      close();
      timer = setTimeout(open, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 1.7, 30000);
      if (wait > 2500) miss(true); // a short loss is not worth a word
    };
    for (const name of names) source.addEventListener(name, (event) => onEvent(name, event.data));
  }
  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }
  function visibility() {
    if (document.hidden) close();
    else { wait = 1000; open(); }
  }
  document.addEventListener("visibilitychange", visibility);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", visibility);
  window.addEventListener("online", visibility);
  visibility();
  return () => {
    ended = true;
    close();
    miss(false);
    document.removeEventListener("visibilitychange", visibility);
    for (const on of ["pageshow", "online"]) window.removeEventListener(on, visibility);
  };
}

const watched = new Set();
const seen = new Map(); // what was put in place last, by id

/** startLive begins to watch for the elements of a part of the page. */
export function startLive(root, enliven) {
  for (const element of root.querySelectorAll("[data-live][id]")) {
    if (watched.has(element.id)) continue;
    watched.add(element.id);
    let running = false, again = false;
    const look = async () => {
      if (running) { again = true; return; }
      running = true;
      do { again = false; await refresh(element.id, enliven); } while (again);
      running = false;
    };
    watch(element.dataset.live, look);
  }
}

/** refresh looks at the element with an id again. */
export async function refresh(id, enliven = () => {}) {
  const old = document.getElementById(id);
  if (!old || isTyping(old) || old.querySelector("dialog[open]")) return;
  let text;
  try {
    const answer = await fetch(old.dataset.liveFrom || location.href, { credentials: "same-origin" });
    if (!answer.ok) return showStale(old);
    text = await answer.text();
  } catch { return; } // no connection, which the bar says
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(id);
  if (!fresh) return showStale(old);
  hideStale(id);
  if (isTyping(old)) return;
  const content = fresh.outerHTML;
  if (content === seen.get(id)) return;
  seen.set(id, content);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const key = focused && (focused.id ? "#" + CSS.escape(focused.id) : focused.getAttribute("href") && `[href="${CSS.escape(focused.getAttribute("href"))}"]`);
  old.replaceWith(fresh);
  if (key) fresh.querySelector(key)?.focus({ preventScroll: true });
  enliven(fresh);
  fresh.dispatchEvent(new CustomEvent("refreshed", { bubbles: true }));
}

const stale = (id) => document.querySelector(`[data-stale="${CSS.escape(id)}"]`);

// showStale says that a part of the page could not be updated, once, and offers to reload.
function showStale(element) {
  if (stale(element.id)) return;
  const notice = document.createElement("section");
  notice.className = "notice tone-warn";
  notice.setAttribute("role", "status");
  notice.dataset.stale = element.id;
  const body = document.createElement("div"), text = document.createElement("p"), row = document.createElement("p"), link = document.createElement("a");
  text.textContent = word("This part could not be updated. What you see may be old.");
  row.className = "row";
  link.href = location.href;
  link.textContent = word("Reload the page");
  link.addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
  row.append(link);
  body.append(text, row);
  notice.append(body);
  element.before(notice);
}

function hideStale(id) { stale(id)?.remove(); }

// isTyping says whether somebody is at work in a part of the page, or has left something there.
function isTyping(element) {
  const active = document.activeElement;
  if (element.contains(active) && active.matches("input, textarea, select")) return true;
  return [...element.querySelectorAll("textarea, input:not([type=hidden])")].some(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
}
