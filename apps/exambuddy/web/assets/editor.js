// The editor shows the question as candidates see it while it is typed, and saves with Ctrl+S.
const form = document.querySelector("[data-editor]");
const shown = document.querySelector("aside [data-preview]");
for (const select of document.querySelectorAll("[data-submit-on-change]")) select.addEventListener("change", () => select.form.submit());

let timer = 0, number = 0;

async function refresh() {
  const mine = ++number, fields = new FormData(form);
  fields.delete("image");
  try {
    const response = await fetch(form.dataset.editor, { method: "POST", body: fields, credentials: "same-origin" });
    if (!response.ok || mine !== number) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-preview]");
    if (page) shown.replaceChildren(...page.childNodes);
  } catch { /* the next change tries again */ }
}

/** splitPasted fills the rows from a pasted question with its options. */
function splitPasted(event) {
  const lines = (event.clipboardData?.getData("text") ?? "").split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  const options = lines.filter((line) => /^[\[(]?[A-Fa-f][\])\.:]\s+/.test(line));
  const rows = [...form.querySelectorAll('input[name^="row-"]')];
  if (options.length < 2 || options.length > rows.length || rows.some((row) => row.value)) return;
  event.preventDefault();
  form.elements.text.value = lines.filter((line) => !options.includes(line) && !/^(answer|correct):/i.test(line)).join("\n").replace(/^(Q?\d+[.)]\s*)/, "");
  options.forEach((option, i) => { rows[i].value = option.replace(/^[\[(]?[A-Fa-f][\])\.:]\s+/, ""); });
  const answer = lines.find((line) => /^(answer|correct):/i.test(line));
  for (const letter of answer?.split(":")[1].match(/[A-F]/gi) ?? []) {
    const box = form.querySelector(`input[name="correct"][value="${letter.toUpperCase().charCodeAt(0) - 65}"]`);
    if (box) box.checked = true;
  }
  refresh();
}

if (form && shown) {
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(refresh, 300); });
  form.elements.text?.addEventListener("paste", splitPasted);
  document.addEventListener("keydown", (event) => { if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); form.requestSubmit(); } });
}
