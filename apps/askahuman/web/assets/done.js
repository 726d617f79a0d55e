// After five seconds the page goes back to the questions, unless somebody does anything.
const place = document.querySelector("[data-return]");
const words = document.querySelector("[data-countdown]");
let left = 5;

function show() {
  words.hidden = false;
  words.textContent = `Back to the questions in ${left} ${left === 1 ? "second" : "seconds"}. Touch anything to stay.`;
}
const ticker = setInterval(() => {
  if (document.hidden) return;
  left -= 1;
  if (left <= 0) { stop(); location.assign(place.dataset.return); return; }
  show();
}, 1000);

function stop() {
  clearInterval(ticker);
  words.hidden = true;
  for (const name of ACTIONS) window.removeEventListener(name, stop);
}
const ACTIONS = ["pointerdown", "keydown", "wheel", "touchmove", "focusin"];
for (const name of ACTIONS) window.addEventListener(name, stop, { passive: true });
show();
