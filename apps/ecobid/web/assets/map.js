// A square of the map shows its things in the list beside it.
document.querySelector(".map svg")?.addEventListener("click", (event) => {
  const id = event.target.closest?.("[data-shows]")?.dataset.shows;
  const group = id && document.getElementById(id);
  if (!group) return;
  for (const other of document.querySelectorAll(".map-group.shown")) other.classList.remove("shown");
  group.classList.add("shown");
  group.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
});
