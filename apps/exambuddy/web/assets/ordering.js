// Ordering: the buttons move an item without a request; an item can also be dragged, or lifted with Space and moved with the arrows.

function number(list) {
  const rows = [...list.children];
  rows.forEach((row, i) => {
    row.querySelector("[data-place]").textContent = String(i + 1);
    row.querySelector('[data-move="-1"]').disabled = i === 0;
    row.querySelector('[data-move="1"]').disabled = i === rows.length - 1;
  });
}

/** startOrdering takes over the lists to order of a form. */
export function startOrdering(form, changed) {
  for (const list of form.querySelectorAll("[data-ordering]:not([data-locked])")) {
    const said = form.querySelector("[data-order-said]");
    const tell = (row) => { said.textContent = `${row.querySelector(".order-text").textContent}, position ${[...list.children].indexOf(row) + 1} of ${list.children.length}`; };
    const move = (row, by) => {
      const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
      if (!other) return;
      if (by < 0) other.before(row); else other.after(row);
      number(list);
      tell(row);
      changed();
    };
    list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-move]");
      if (!button) return;
      event.preventDefault();
      move(button.closest("li"), Number(button.dataset.move));
      if (button.disabled) button.parentElement.querySelector("[data-move]:not(:disabled)")?.focus(); else button.focus();
    });
    let dragged = null;
    list.addEventListener("dragstart", (event) => { dragged = event.target.closest("li"); event.dataTransfer.effectAllowed = "move"; });
    list.addEventListener("dragover", (event) => {
      const over = event.target.closest("li");
      if (!dragged || !over) return;
      event.preventDefault();
      if (over === dragged) return;
      const box = over.getBoundingClientRect();
      if (event.clientY < box.top + box.height / 2) over.before(dragged); else over.after(dragged);
    });
    list.addEventListener("dragend", () => { if (dragged) { number(list); tell(dragged); dragged = null; changed(); } });
    let lifted = false, before = null;
    for (const row of list.children) { row.tabIndex = 0; }
    list.addEventListener("keydown", (event) => {
      const row = event.target.closest("li");
      if (event.target !== row) return;
      if (event.key === " ") { event.preventDefault(); lifted = !lifted; before = [...list.children]; row.classList.toggle("lifted", lifted); tell(row); }
      else if (lifted && (event.key === "ArrowUp" || event.key === "ArrowDown")) { event.preventDefault(); move(row, event.key === "ArrowUp" ? -1 : 1); row.focus(); }
      else if (lifted && event.key === "Escape") { lifted = false; row.classList.remove("lifted"); list.append(...before); number(list); changed(); row.focus(); }
    });
  }
}
