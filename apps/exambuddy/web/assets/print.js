// Pages to print have a button for it. Folded parts are printed, too.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("main details")) part.open = true; });
