// The review of an import: keys go through the drafts and set their answers. On a wide screen the page of the current
// draft is shown beside it. A file that is being read reloads the page.
if (document.querySelector("[data-waiting]")) setTimeout(() => location.reload(), 2000);

const drafts = [...document.querySelectorAll("[data-draft]")];
let current = -1;

function show(index) {
  current = Math.max(0, Math.min(drafts.length - 1, index));
  drafts[current].focus();
  drafts[current].scrollIntoView({ block: "nearest" });
  showPage(drafts[current]);
}

// showPage shows the page of a draft in the frame, if there is room for one. It reports whether it did.
const source = document.querySelector("[data-source]");
function showPage(draft) {
  const link = draft?.querySelector("a[data-page]");
  if (!link || !source?.checkVisibility()) return false;
  const src = link.href + "&view=FitH&navpanes=0&pagemode=none";
  if (source.src !== src) {
    // A viewer does not follow a change of only the fragment, so that the frame is made anew.
    source.src = src;
    source.replaceWith(source);
  }
  return true;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-page]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && showPage(link.closest("[data-draft]"))) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (!drafts.length || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input[type=text], select, textarea, dialog")) return;
  const inside = drafts.indexOf(event.target.closest("[data-draft]"));
  if (inside >= 0) current = inside;
  const key = event.key.toLowerCase(), draft = drafts[current];
  if (key === "j") show(current + 1);
  else if (key === "k") show(current - 1);
  else if (draft && key === "p") showPage(draft) || draft.querySelector("a[data-page]")?.click();
  else if (draft && key === "x") draft.querySelector('input[value="skip"]')?.click();
  else if (draft && key.length === 1 && key >= "a" && key <= "f") draft.querySelectorAll(".answers input")[key.charCodeAt(0) - 97]?.click();
});
