// A second click on a choice that can be taken back takes it back, as "Clear" does.
import { say } from "./toast.js";

let chosen = null; // the choice that was already made when it was pressed

document.addEventListener("pointerdown", (event) => {
  const input = event.target.closest?.(".segments label")?.querySelector("input");
  chosen = input?.checked ? input : null;
});

document.addEventListener("click", (event) => {
  if (event.target !== chosen || event.detail === 0) return; // 0: by keyboard
  chosen = null;
  const none = event.target.closest(".segmented")?.querySelector(".segment-none input");
  if (!none) return;
  none.checked = true;
  for (const name of ["input", "change"]) none.dispatchEvent(new Event(name, { bubbles: true }));
  say("The choice is cleared");
});
