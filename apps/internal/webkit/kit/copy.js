// Buttons that copy a text.
import { say, toast } from "./toast.js";
import { word } from "./words.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    toast("Your browser does not let us copy. Select the text and copy it yourself.", "warn");
    const text = button.nextElementSibling;
    if (text?.matches(".copy-text")) text.classList.add("shown"); // elsewhere it stands beside the button
    return;
  }
  const label = button.querySelector("[data-copy-label]");
  if (!label) { toast("Copied", "good"); return; }
  const before = label.dataset.before ?? label.textContent;
  label.dataset.before = before;
  label.textContent = word("Copied");
  say("Copied");
  setTimeout(() => { label.textContent = before; }, 2000);
});
