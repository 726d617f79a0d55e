// Timers by the server's clock.
import { now } from "./clock.js";

const running = new Set();

function text(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  if (s >= 172800) {
    const hours = Math.floor(s % 86400 / 3600);
    return Math.floor(s / 86400) + " days" + (hours ? " " + hours + " h" : "");
  }
  const two = (n) => String(n).padStart(2, "0");
  const h = Math.floor(s / 3600), m = Math.floor(s % 3600 / 60);
  return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

function tick(timer) {
  const show = timer.querySelector("[data-timer-text]");
  if (timer.dataset.since) {
    show.textContent = text((now() - Date.parse(timer.dataset.since)) / 1000);
    return;
  }
  const left = (Date.parse(timer.dataset.until) - now()) / 1000;
  const warn = Number(timer.dataset.warn || 0);
  timer.classList.toggle("soon", left > 0 && left <= warn);
  if (left > 0) { show.textContent = text(left + 0.999); return; }
  running.delete(timer);
  timer.classList.add("over");
  show.textContent = timer.dataset.over || text(0);
  timer.dispatchEvent(new CustomEvent("timer-over", { bubbles: true }));
  if (timer.hasAttribute("data-reload") && !timer.dataset.reloaded) {
    timer.dataset.reloaded = "1";
    if (left > -5) setTimeout(() => location.reload(), 800);
  }
}

/** startTimers takes over the timers of a part of the page. A script may listen to "timer-over". */
export function startTimers(root) {
  for (const timer of root.querySelectorAll("[data-timer]")) { running.add(timer); tick(timer); }
}

setInterval(() => {
  for (const timer of running) {
    if (timer.isConnected) tick(timer); else running.delete(timer);
  }
}, 250);
