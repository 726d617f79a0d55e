// The start page tells whether this device can keep answers without a connection.
const line = document.querySelector("[data-device]");
if (line) {
  let stores = true;
  try { localStorage.setItem("exam-check", "1"); localStorage.removeItem("exam-check"); } catch { stores = false; }
  line.textContent = stores ? "Your device can keep answers while the connection is away." : "Your device cannot keep answers while the connection is away: its storage is off.";
  line.hidden = false;
}
