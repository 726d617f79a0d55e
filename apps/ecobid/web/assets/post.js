// Uploads photos while the form is being filled in, and keeps what was typed over a reload.
const form = document.querySelector("[data-post]");
const input = form?.querySelector("[data-photos]");
const list = form?.querySelector("[data-thumbs]");
const status = form?.querySelector("[data-photo-status]");
const token = form?.elements.csrf?.value;

const add = (id) => {
  const row = document.createElement("li");
  const image = document.createElement("img");
  image.src = `/photos/${id}-small`;
  image.alt = "Photo";
  image.width = 160;
  image.height = 120;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "photo-id";
  field.value = id;
  const drop = document.createElement("button");
  drop.type = "button";
  drop.className = "button quiet small";
  drop.textContent = "Remove";
  drop.addEventListener("click", () => row.remove());
  row.append(image, field, drop);
  list.append(row);
};

input?.addEventListener("change", async () => {
  const files = [...input.files];
  input.value = "";
  for (const [index, file] of files.entries()) {
    status.textContent = `Uploading photo ${index + 1} of ${files.length}…`;
    const response = await fetch("/photos", { method: "POST", body: file, headers: { "X-CSRF-Token": token } }).catch(() => null);
    if (!response?.ok) {
      status.textContent = response?.status === 422 ? await response.text() : "A photo could not be uploaded. Try again.";
      return;
    }
    add(await response.text());
  }
  status.textContent = "";
});

// What was typed survives a reload until it is sent.
const place = form && `ecobid post ${form.dataset.post}`;
if (form?.dataset.post === "new") {
  const kept = JSON.parse(localStorage.getItem(place) ?? "{}");
  for (const [name, value] of Object.entries(kept)) {
    const field = form.elements[name];
    if (field && "value" in field && !field.value) field.value = value;
  }
  form.addEventListener("input", () => {
    const values = {};
    for (const name of ["title", "description", "kilos", "address"]) values[name] = form.elements[name]?.value ?? "";
    localStorage.setItem(place, JSON.stringify(values));
  });
  form.addEventListener("submit", () => localStorage.removeItem(place));
}
