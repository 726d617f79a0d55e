// Everything a page of the family can do by itself. Each module finds what it is for
// by a data attribute, also in parts of the page that come later (see enliven).
import "./theme.js";
import "./toast.js";
import "./dialog.js";
import "./sending.js";
import "./copy.js";
import "./errors.js";
import "./segments.js";
import { startLive } from "./live.js";
import { startTimes } from "./time.js";
import { startTimers } from "./timer.js";
import { startFields } from "./fields.js";
import { startRows } from "./rows.js";
import { startPagers } from "./pager.js";
import { startWorker } from "./install.js";

/** enliven makes a part of the page work that was not there when the page was loaded. */
export function enliven(root) {
  startTimes(root);
  startTimers(root);
  startFields(root);
  startRows(root);
  startPagers(root, enliven);
  startLive(root, enliven);
  for (const notice of root.querySelectorAll("[data-dismiss]")) startDismiss(notice);
}

// A notice that was dismissed stays away in this browser.
function startDismiss(notice) {
  const key = "dismissed " + notice.dataset.dismiss;
  const button = notice.querySelector("[data-dismiss-button]");
  try {
    if (localStorage.getItem(key)) { notice.hidden = true; return; }
  } catch { /* no storage: it stays */ }
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    notice.hidden = true;
    try { localStorage.setItem(key, "1"); } catch { /* hidden for now */ }
    document.getElementById("main")?.focus({ preventScroll: true });
  });
}

// The server knows the viewer's zone from the next request on.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes("tz=" + encodeURIComponent(zone))) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = "tz=" + encodeURIComponent(zone) + "; Path=/; Max-Age=31536000; SameSite=Lax" + secure;
}

enliven(document);
startWorker();
document.querySelector("[data-focus]")?.focus();
document.documentElement.dataset.ready = "true";
