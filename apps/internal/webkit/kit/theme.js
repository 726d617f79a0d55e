// The switch of brightness works by its form. Here it works without leaving the page.
import { post } from "./http.js";
import { say, toast } from "./toast.js";

const form = document.querySelector("[data-theme-switch]");
const button = form?.querySelector("button");
// From the device's own brightness the first step is the one that can be seen.
const order = matchMedia("(prefers-color-scheme: dark)").matches ? ["system", "light", "dark"] : ["system", "dark", "light"];

function show(chosen) {
  const words = button.dataset[chosen];
  button.dataset.now = chosen;
  button.value = order[(order.indexOf(chosen) + 1) % order.length];
  button.title = words;
  button.setAttribute("aria-label", words);
}

if (button) show(button.dataset.now);

let sent = Promise.resolve(); // one after the other, so that the last one stays
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const chosen = button.value;
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  const scheme = document.querySelector('meta[name="color-scheme"]');
  if (scheme) scheme.content = chosen === "system" ? "light dark" : chosen;
  show(chosen);
  say(button.dataset[chosen]);
  sent = sent.then(async () => {
    const answer = await post(form.action, { theme: chosen });
    if (!answer.ok) throw new Error(String(answer.status));
  }).catch(() => {
    toast("The brightness could not be saved. It lasts as long as this page.", "warn");
  });
});
