// Uploads photos while the form is being filled in, and keeps what was typed over a reload.
const form = document.querySelector("[data-post]");
const input = form?.querySelector("[data-photos]");
const list = form?.querySelector("[data-thumbs]");
const status = form?.querySelector("[data-photo-status]");
const token = form?.elements.csrf?.value;

const removable = (row) => {
  const drop = document.createElement("button");
  drop.type = "button";
  drop.className = "button quiet small";
  drop.textContent = "Remove";
  drop.addEventListener("click", () => { row.remove(); input.focus(); });
  row.append(drop);
};
for (const row of list?.children ?? []) removable(row);

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
  row.append(image, field);
  removable(row);
  list.append(row);
};

// upload sends photos one after the other. It reports whether all have arrived.
async function upload(files) {
  let failed = "";
  for (const [index, file] of files.entries()) {
    status.textContent = `Uploading photo ${index + 1} of ${files.length}…`;
    const response = await fetch("/photos", { method: "POST", body: file, headers: { "X-CSRF-Token": token } }).catch(() => null);
    if (response?.ok) add(await response.text());
    else failed = response?.status === 422 ? await response.text() : "A photo could not be uploaded. Try again.";
  }
  status.textContent = failed;
  return !failed;
}

let uploads = null; // those under way
input?.addEventListener("change", () => {
  const files = [...input.files];
  input.value = "";
  const all = Promise.resolve(uploads).then((before) => upload(files).then((arrived) => arrived && before !== false));
  uploads = all;
  all.finally(() => { if (uploads === all) uploads = null; });
});

// What is sent has all photos.
form?.addEventListener("submit", async (event) => {
  if (!uploads) return;
  event.preventDefault();
  const { submitter } = event;
  while (uploads) if (!await uploads) return;
  form.requestSubmit(submitter);
});

// What was typed survives a reload until it is sent. The next person at this device does not see it.
const place = form && `ecobid post ${form.dataset.person}`;
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
  window.addEventListener("submit", (event) => { if (event.target === form && !event.defaultPrevented) localStorage.removeItem(place); });
}
