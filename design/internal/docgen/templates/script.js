(() => {
  const key = "sortkey-theme";
  const root = document.documentElement;
  const read = () => { try { return localStorage.getItem(key) || "system"; } catch { return "system"; } };
  const keep = (theme) => { try { localStorage.setItem(key, theme); } catch { /* a file may not store */ } };
  root.dataset.theme = read();
  addEventListener("DOMContentLoaded", () => {
    for (const choice of document.querySelectorAll("input[name=theme]")) {
      choice.checked = choice.value === root.dataset.theme;
      choice.addEventListener("change", () => { root.dataset.theme = choice.value; keep(choice.value); });
    }
  });
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  addEventListener("DOMContentLoaded", reveal);
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open]):not(.numbers)")];
    for (const d of folded) d.open = true;
  });
  addEventListener("afterprint", () => { for (const d of folded) d.open = false; });
})();
