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
  addEventListener("DOMContentLoaded", () => {
    const form = document.querySelector("[data-filters]");
    if (!form) return;
    form.hidden = false;
    const rows = [...document.querySelectorAll("#patterns tbody tr")];
    const show = () => {
      const { text, ...chosen } = Object.fromEntries(new FormData(form));
      const wanted = text.trim().toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const fits = (!wanted || row.textContent.toLowerCase().includes(wanted)) &&
          Object.entries(chosen).every(([name, value]) => !value || row.dataset[name]?.includes(` ${value} `));
        row.hidden = !fits;
        if (fits) shown++;
      }
      form.querySelector("output").textContent = shown === rows.length ? "" : `${shown} of ${rows.length} patterns`;
    };
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(show));
  });
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open]):not(.numbers)")];
    for (const d of folded) d.open = true;
  });
  addEventListener("afterprint", () => { for (const d of folded) d.open = false; });
})();
