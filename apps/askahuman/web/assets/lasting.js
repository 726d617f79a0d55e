// How long something lasts, in words.

/** minutes is a short time as m:ss. */
export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** lasting is how long something lasts: seconds count only near the end, when they matter. */
export function lasting(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 300) return minutes(seconds);
  if (seconds < 7200) return Math.floor(seconds / 60) + " min";
  return Math.floor(seconds / 3600) + " h";
}
