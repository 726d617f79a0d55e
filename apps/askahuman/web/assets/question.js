// A page with a question knows how long it is open, and notices its end: what somebody wrote stays,
// but it is not sent any more.
import { watch } from "../kit/live.js";
import { say } from "../kit/toast.js";
import { now } from "../kit/clock.js";
import { minutes, lasting } from "./lasting.js";
import { offerShare } from "./share.js";

const form = document.querySelector("[data-answer]");
const send = form?.querySelector("button.primary");
const notice = document.querySelector("[data-over]");
let isOver = false;
let stop = () => {};

function over(why) {
  if (isOver) return;
  isOver = true;
  stop();
  notice.querySelector("[data-over-why]").textContent = why;
  notice.hidden = false;
  say(notice.querySelector("h2").textContent + ". " + why);
  for (const part of document.querySelectorAll("[data-while-open]")) part.hidden = true;
  send.disabled = true;
  send.textContent = send.dataset.text;
  if (closes) closes.textContent = "Closed";
}

const closes = document.querySelector("[data-ends]");
function tell() {
  const left = Date.parse(closes.dataset.ends) - now();
  if (left <= 0) { over("Its time was up."); return; }
  closes.textContent = "Closes in " + lasting(left);
}

// After too many answers the next one waits.
const free = now() + Number(form?.dataset.wait ?? 0) * 1000;
function wait() {
  const left = Math.ceil((free - now()) / 1000);
  send.disabled = left > 0;
  send.textContent = left > 0 ? `${send.dataset.text} in ${minutes(left)}` : send.dataset.text;
  return left > 0;
}

if (form) {
  send.dataset.text = send.textContent;
  let waiting = wait();
  tell();
  const ticker = setInterval(() => {
    if (isOver) { clearInterval(ticker); return; }
    tell();
    if (waiting && !isOver) waiting = wait();
  }, 250);
  stop = watch(form.dataset.end, (name, why) => { if (name === "over") over(why); }, ["over"]);
  if (isOver) stop();
}
offerShare();
