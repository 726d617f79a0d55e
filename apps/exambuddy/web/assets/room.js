// The room of an exam follows its candidates. What is unticked stays unticked.
async function refresh() {
  const room = document.querySelector("[data-room]");
  if (!room || document.hidden) return;
  try {
    const response = await fetch(location.href, { credentials: "same-origin" });
    if (!response.ok) return;
    const next = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-room]");
    if (!next) return;
    if (!room.querySelector("input") !== !next.querySelector("input")) { location.reload(); return; }
    for (const box of room.querySelectorAll("input[type=checkbox]:not(:checked)")) {
      const same = next.querySelector(`input[value="${CSS.escape(box.value)}"]`);
      if (same) same.checked = false;
    }
    const focused = room.contains(document.activeElement) ? document.activeElement.value : "";
    room.replaceChildren(...next.childNodes);
    if (focused) room.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus();
  } catch { /* the next round tries again */ }
}
setInterval(refresh, 5000);
