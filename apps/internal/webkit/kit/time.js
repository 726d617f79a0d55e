// Times as a person says them, kept true, with the exact time in the viewer's zone on hover.
import { now } from "./clock.js";

const lang = document.documentElement.lang || "en";
const words = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
const exact = new Intl.DateTimeFormat(lang, { dateStyle: "full", timeStyle: "short" });
// The browser's own English word, "now", does not follow a verb: "Asked just now".
const moment = lang.startsWith("en") ? { past: "just now", ahead: "in a moment" } : { past: words.format(0, "second"), ahead: words.format(0, "second") };
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60]];

function say(element) {
  const at = new Date(element.dateTime);
  const seconds = (at - Date.now()) / 1000;
  const size = Math.abs(seconds);
  if (size < 45) {
    element.textContent = seconds > 0 ? moment.ahead : moment.past;
    return;
  }
  const [unit, length] = UNITS.find(([, length]) => size >= length * 0.98) ?? UNITS[4];
  const count = Math.max(1, Math.round(size / length));
  element.textContent = words.format(seconds < 0 ? -count : count, unit);
}

const seen = new Set();

/** startTimes takes over the times of a part of the page. */
export function startTimes(root) {
  for (const element of root.querySelectorAll("time[data-relative]")) {
    element.title = exact.format(new Date(element.dateTime));
    // A page that was rendered by a clock of its own (a demo, a test) keeps its words.
    if (Math.abs(Date.now() - now()) < 120000) { say(element); seen.add(element); }
  }
}

setInterval(() => {
  for (const element of seen) {
    if (element.isConnected) say(element); else seen.delete(element);
  }
}, 20000);
