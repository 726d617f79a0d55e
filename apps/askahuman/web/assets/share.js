// On phones and tablets a link is shared with what the device offers for it, instead of copied.
import { toast } from "../kit/toast.js";

/** offerShare makes buttons that copy a link into buttons that share it, where that is possible. */
export function offerShare() {
  if (!navigator.share || !matchMedia("(pointer: coarse)").matches) return;
  for (const button of document.querySelectorAll("[data-share] [data-copy]")) {
    const url = button.dataset.copy;
    delete button.dataset.copy;
    button.querySelector("[data-copy-label]").textContent = "Share";
    button.addEventListener("click", async () => {
      try {
        await navigator.share({ title: document.querySelector("h1").textContent, url });
      } catch (error) {
        if (error.name !== "AbortError") toast("Your device could not share it. Copy the address of this page instead.", "warn"); // else they changed their mind
      }
    });
  }
}
