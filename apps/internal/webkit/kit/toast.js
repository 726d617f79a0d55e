// Short messages at the lower edge, on phones under the header. They go by themselves, but not while somebody reads them.
const SHOWN = 7000;

const place = document.querySelector("[data-toasts]");

/** toast shows a message; tone is good, warn, bad or info. */
export function toast(text, tone = "info") {
  if (!place) return;
  const box = document.createElement("div");
  box.className = "toast tone-" + tone;
  const words = document.createElement("p");
  words.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "toast-close";
  close.dataset.closeToast = "";
  close.setAttribute("aria-label", "Hide this message");
  close.textContent = "✕";
  box.append(words, close);
  place.append(box);
  while (place.children.length > 4) place.firstElementChild.remove();
  leaveLater(box);
}

const said = document.querySelector("[data-said]");

/** say tells those who do not see the screen what the others see. */
export function say(text) {
  if (!said) return;
  said.textContent = "";
  requestAnimationFrame(() => { said.textContent = text; }); // the same words twice are news, too
}

function leaveLater(box) {
  let timer = setTimeout(leave, SHOWN);
  function leave() {
    box.classList.add("leaving");
    setTimeout(() => box.remove(), 300);
  }
  for (const on of ["pointerenter", "focusin"]) box.addEventListener(on, () => clearTimeout(timer));
  for (const on of ["pointerleave", "focusout"]) {
    box.addEventListener(on, () => { clearTimeout(timer); timer = setTimeout(leave, SHOWN); });
  }
}

place?.addEventListener("click", (event) => {
  if (event.target.closest("[data-close-toast]")) event.target.closest(".toast").remove();
});
for (const box of document.querySelectorAll("[data-toast]")) leaveLater(box);
