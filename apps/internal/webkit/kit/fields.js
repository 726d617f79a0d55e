// Text areas that grow with their text, and count it.
const number = new Intl.NumberFormat(document.documentElement.lang || "en");

function grow(area) {
  if (CSS.supports("field-sizing", "content")) return; // the browser does it
  area.style.height = "auto"; // set by script, which the policy allows
  area.style.height = area.scrollHeight + 2 + "px";
}

function count(area, out) {
  const length = [...area.value.trim()].length;
  const max = Number(area.dataset.max), min = Number(area.dataset.min || 0);
  out.classList.toggle("over", length > max);
  if (length > max) out.textContent = `${number.format(length - max)} characters too many`;
  else if (length < min && length > 0) out.textContent = `${number.format(min - length)} more needed`;
  else out.textContent = `${number.format(length)} of ${number.format(max)}`;
}

/** startFields takes over the fields of a part of the page. */
export function startFields(root) {
  for (const area of root.querySelectorAll("textarea[data-grow]")) {
    const out = document.querySelector(`[data-counter-for="${area.id}"]`);
    const update = () => { grow(area); if (out && area.dataset.max) count(area, out); };
    area.addEventListener("input", update);
    update();
  }
}
