// This runs before the page is drawn. The modules come later, and a button that asks a question
// first must not act before they are here: its form waits, and dialog.js asks then.
window.early = {
  asked: null,
  hold(event) {
    if (!event.submitter?.dataset.confirm) return;
    event.preventDefault();
    event.stopPropagation();
    window.early.asked = event.submitter;
  },
};
document.addEventListener("submit", window.early.hold, true);
