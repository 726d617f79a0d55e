// Rows and tables that scroll sideways say on which side there is more. Rows begin where the current entry is.

const FADE = 40; // pixels at an edge where there is more

function say(row) {
  const left = row.scrollLeft > 2;
  const right = row.scrollLeft + row.clientWidth < row.scrollWidth - 2;
  const more = left && right ? "both" : left ? "left" : right ? "right" : "";
  if (more) row.dataset.fade = more; else delete row.dataset.fade;
}

const sizes = new ResizeObserver((entries) => { for (const entry of entries) say(entry.target); });

/** startRows takes over the rows of a part of the page. */
export function startRows(root) {
  for (const row of root.querySelectorAll("[data-row], .table-wrap")) {
    const current = row.matches("[data-row]") && row.querySelector("[aria-current], :checked");
    if (current) {
      const at = current.getBoundingClientRect(), box = row.getBoundingClientRect();
      if (at.right > box.right - FADE || at.left < box.left + FADE) row.scrollLeft += at.left - box.left - (box.width - at.width) / 2;
    }
    row.addEventListener("scroll", () => say(row), { passive: true });
    sizes.observe(row);
  }
}
