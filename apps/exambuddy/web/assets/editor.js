// The editor shows the question as candidates see it while it is typed, and saves with Ctrl+S.
const form = document.querySelector("[data-editor]");
const shown = document.querySelector("aside [data-preview]");
for (const select of document.querySelectorAll("[data-submit-on-change]")) select.addEventListener("change", () => select.form.submit());

let timer = 0, number = 0;

async function refresh() {
  const mine = ++number, fields = new FormData(form);
  for (const name of [...fields.keys()]) if (name.endsWith("-file")) fields.delete(name);
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
  const rows = [...form.querySelectorAll('textarea[name^="row-"]')];
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

/** startDrawing lets regions be drawn on the image. The numbers of the rows stay the truth. */
function startDrawing(area) {
  const map = area.querySelector("svg"), boxes = [...form.querySelectorAll("[data-box]")], field = (box, name) => form.elements[`${name}-${box.dataset.box}`];
  let active = boxes.find((box) => !field(box, "w").value) ?? boxes[0], from = null;
  const show = () => {
    map.replaceChildren();
    for (const box of boxes) {
      const [x, y, w, h] = ["x", "y", "w", "h"].map((name) => Number(field(box, name).value) * 10);
      if (!w || !h) continue;
      const rect = document.createElementNS(map.namespaceURI, "rect");
      for (const [name, value] of Object.entries({ x, y, width: w, height: h })) rect.setAttribute(name, value);
      if (box === active) rect.classList.add("chosen");
      map.append(rect);
    }
  };
  const at = (event) => {
    const box = area.getBoundingClientRect(), part = (value, whole) => Math.round(Math.min(1, Math.max(0, value / whole)) * 1000) / 10;
    return { x: part(event.clientX - box.left, box.width), y: part(event.clientY - box.top, box.height) };
  };
  for (const row of form.querySelectorAll(".editor-row")) row.addEventListener("focusin", () => { active = row.querySelector("[data-box]") ?? active; show(); });
  area.addEventListener("pointerdown", (event) => { from = at(event); area.setPointerCapture(event.pointerId); event.preventDefault(); });
  area.addEventListener("pointermove", (event) => {
    if (!from || !active) return;
    const to = at(event), set = (name, value) => { field(active, name).value = String(Math.round(value * 10) / 10); };
    set("x", Math.min(from.x, to.x)); set("y", Math.min(from.y, to.y)); set("w", Math.abs(from.x - to.x)); set("h", Math.abs(from.y - to.y));
    show();
  });
  area.addEventListener("pointerup", () => { if (from) { from = null; form.dispatchEvent(new Event("input", { bubbles: true })); } });
  form.addEventListener("input", show);
  const hint = form.querySelector("[data-draw-hint]");
  if (hint) hint.hidden = false;
  show();
}

if (form && shown) {
  for (const area of form.querySelectorAll("[data-draw]")) startDrawing(area);
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(refresh, 300); });
  form.elements.text?.addEventListener("paste", splitPasted);
  document.addEventListener("keydown", (event) => { if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); form.requestSubmit(); } });
}
