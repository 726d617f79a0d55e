// "Show more" adds the next page of a list to the list that stands before it, by itself
// when its end comes into view. Without script it is a link.
import { word } from "./words.js";

/** startPagers takes over the pagers of a part of the page. */
export function startPagers(root, enliven) {
  for (const link of root.querySelectorAll("a[data-more]")) start(link, enliven);
}

function start(link, enliven) {
  const pager = link.closest(".pager");
  const list = pager?.previousElementSibling;
  if (!list) return;
  let busy = false;
  async function more(byHand) {
    if (busy) return;
    busy = true;
    link.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(link.href, { credentials: "same-origin" });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("a[data-more]")?.closest(".pager");
      const source = list.id ? page.getElementById(list.id) : page.querySelector(".pager")?.previousElementSibling;
      const first = source?.firstElementChild;
      for (const child of [...(source?.children ?? [])]) { list.append(child); enliven(child); }
      if (fresh) { pager.replaceWith(fresh); start(fresh.querySelector("a[data-more]"), enliven); } else pager.remove();
      if (byHand && first) { first.tabIndex = -1; first.focus({ preventScroll: true }); }
    } catch {
      link.textContent = word("That did not work. Try again");
    }
    link.removeAttribute("aria-busy");
    busy = false;
  }
  link.addEventListener("click", (event) => { event.preventDefault(); more(true); });
  if (link.dataset.more === "auto" && "IntersectionObserver" in window) {
    const seen = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) { seen.disconnect(); more(false); }
    }, { rootMargin: "300px" });
    seen.observe(link);
  }
}
