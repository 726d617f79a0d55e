// What is wrong with a field is said until somebody changes it. The server says it again if
// it still is.
for (const on of ["input", "change"]) {
  document.addEventListener(on, (event) => {
    const box = event.target.closest?.(".has-error");
    if (box) forgive(box, event.target);
  });
}

function forgive(box, changed) {
  box.classList.remove("has-error");
  const gone = new Set();
  for (const error of box.querySelectorAll(".error")) { gone.add(error.id); error.remove(); }
  for (const field of [box, ...box.querySelectorAll("[aria-invalid], [aria-describedby]")]) {
    field.removeAttribute("aria-invalid");
    const rest = (field.getAttribute("aria-describedby") ?? "").split(/\s+/).filter((id) => id && !gone.has(id));
    if (rest.length) field.setAttribute("aria-describedby", rest.join(" ")); else field.removeAttribute("aria-describedby");
  }
  for (const summary of document.querySelectorAll("[data-errors]")) shorten(summary, [box.id, changed.id]);
}

// shorten takes a field out of a summary. It is no alert any more: what is left was said.
function shorten(summary, ids) {
  const link = [...summary.querySelectorAll("li a")].find((a) => a.hash.length > 1 && ids.includes(decodeURIComponent(a.hash.slice(1))));
  if (!link) return;
  summary.removeAttribute("role");
  link.closest("li").remove();
  const left = summary.querySelectorAll("li").length;
  summary.hidden = left === 0;
  const title = summary.querySelector("[data-errors-count]");
  if (title) title.textContent = left === 1 ? "Please check one thing" : `Please check ${left} things`;
}
