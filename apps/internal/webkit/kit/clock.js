// The clock of the server: the page says what time it was when it was sent, so a wrong clock on
// the device does no harm.
const sent = Date.parse(document.querySelector('meta[name="clock"]')?.content ?? "") || Date.now();

/** now is the time of the server in milliseconds. */
export const now = () => sent + performance.now();
