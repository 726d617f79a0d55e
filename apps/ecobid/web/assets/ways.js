// The fields of an auction are shown only for an auction.
for (const fields of document.querySelectorAll("[data-auction]")) {
  const form = fields.closest("form");
  const toggle = () => { fields.hidden = form.elements.way?.value !== "auction"; };
  form.addEventListener("change", toggle);
  toggle();
}
