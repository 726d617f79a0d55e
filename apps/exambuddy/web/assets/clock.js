// The timer of an exam, by the server's clock. It speaks at half of the time, at 30 s and at 10 s only, and on demand.
let sent = Date.parse(document.querySelector('meta[name="clock"]')?.content ?? "") || Date.now();
let loaded = Date.now(), began = performance.now();
const timer = document.querySelector("[data-clock]");
const said = document.querySelector("[data-clock-said]");
const hide = document.querySelector("[data-clock-hide]");

// The clock of a device can be set, and its steady clock may stand still while the device sleeps. While they differ, the one
// that leaves less time is shown, and the server is asked.
const byDate = () => Date.now() - loaded, steady = () => performance.now() - began;
const differ = () => Math.abs(byDate() - steady()) > 2000;
const left = () => (Date.parse(timer.dataset.clock) - sent - Math.max(byDate(), steady())) / 1000;

let asked = 0;
async function askServer() {
  if (asked && performance.now() - asked < 3000) return;
  asked = performance.now();
  try {
    const now = Date.parse((await fetch(location.href, { method: "HEAD", credentials: "same-origin" })).headers.get("Date") ?? "");
    if (now) { sent = now; loaded = Date.now(); began = performance.now(); asked = 0; }
  } catch { /* the next one may arrive */ }
}

function text(seconds) {
  const s = Math.max(0, Math.ceil(seconds)), two = (n) => String(n).padStart(2, "0");
  const h = Math.floor(s / 3600), m = Math.floor(s % 3600 / 60);
  return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

function words(seconds) {
  const s = Math.max(0, Math.round(seconds)), m = Math.floor(s / 60);
  return (m ? `${m} min ` : "") + `${s % 60} s left`;
}

/** sayTime says the time that is left to a screen reader. */
export function sayTime() { if (timer && said) said.textContent = words(left()); }

/** startClock runs the timer of the page. over is called once at its end. */
export function startClock(over) {
  if (!timer) return;
  const show = timer.querySelector("[data-clock-text]"), limit = Number(timer.dataset.limit) || 0;
  const marks = [limit / 2, 30, 10].filter((mark) => mark > 0 && mark < left());
  let hidden = false;
  if (hide) {
    hide.hidden = false;
    hide.addEventListener("click", () => { hidden = !hidden; hide.setAttribute("aria-pressed", String(hidden)); hide.textContent = hidden ? "Show time" : "Hide"; });
  }
  const begunOver = left() <= 0;
  const tick = () => {
    const unsure = differ(), now = left();
    if (unsure) askServer();
    timer.classList.toggle("soon", now <= 30 && now > 10);
    timer.classList.toggle("critical", now <= 10);
    show.textContent = text(now);
    timer.classList.toggle("hidden-clock", hidden && now > 10);
    while (marks.length && now <= marks[0]) { marks.shift(); sayTime(); }
    if (now > 0 || unsure) return;
    clearInterval(running);
    if (!begunOver) over();
  };
  const running = setInterval(tick, 100);
  tick();
}
