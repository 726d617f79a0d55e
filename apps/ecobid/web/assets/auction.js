// Tells people who do not see the price that it has changed, and keeps the least bid in the field until
// something is typed there.
const field = document.querySelector("[name=maximum]");
const status = document.querySelector("[data-auction-status]");
document.addEventListener("refreshed", (event) => {
  if (event.target.id !== "auction") return;
  if (status) status.textContent = event.target.dataset.say;
  if (field && field.value === field.defaultValue) field.value = field.defaultValue = event.target.dataset.least;
});
