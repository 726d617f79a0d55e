// The theme switch works by its form. Here it works without leaving the page.
import { post } from "./http.js";
import { toast } from "./toast.js";

const form = document.querySelector("[data-theme-switch]");
form?.addEventListener("submit", async (event) => {
  const chosen = event.submitter?.value;
  if (!chosen) return;
  event.preventDefault();
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  const scheme = document.querySelector('meta[name="color-scheme"]');
  if (scheme) scheme.content = chosen === "system" ? "light dark" : chosen;
  for (const button of form.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.value === chosen));
  }
  try {
    await post(form.action, { theme: chosen });
  } catch {
    toast("The brightness could not be saved: you are offline.", "warn");
  }
});
