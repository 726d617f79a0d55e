// After five seconds the page goes back to the questions, unless somebody does anything. It
// counts only while the words that say so can be seen, and not at all when there is a badge to look at.
const place = document.querySelector("[data-return]");
const words = document.querySelector("[data-countdown]");
const ACTIONS = ["pointerdown", "keydown", "wheel", "touchmove", "focusin"];
let left = 5, seen = false, ticker = 0;

function show() {
  words.textContent = `Back to the questions in ${left} ${left === 1 ? "second" : "seconds"}. Touch anything to stay.`;
}

function tick() {
  if (document.hidden || !seen) return;
  left -= 1;
  if (left <= 0) { stop(); location.assign(place.dataset.return); return; }
  show();
}

const eye = new IntersectionObserver((entries) => { seen = entries.at(-1).isIntersecting; }, { threshold: 1 });

function stop() {
  clearInterval(ticker);
  eye.disconnect();
  words.hidden = true;
  for (const name of ACTIONS) window.removeEventListener(name, stop);
}

if (words) {
  words.hidden = false;
  show();
  eye.observe(words);
  ticker = setInterval(tick, 1000);
  for (const name of ACTIONS) window.addEventListener(name, stop, { passive: true });
}
