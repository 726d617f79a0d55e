// Push messages: asks the browser for a subscription of the person who uses it now.

/** possible tells whether this browser can get push messages. */
export const possible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/**
 * subscribe gives the fields of a new subscription for the server's public key. One that is there already
 * ends, and its address is the field "replaces": it may be of the person who used this browser before, whose
 * messages must not be shown any more.
 */
export async function subscribe(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  await before?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh, auth: keys.auth, replaces: before?.endpoint ?? "" };
}

function bytes(base64url) {
  const base64 = base64url.replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(base64.padEnd(Math.ceil(base64.length / 4) * 4, "=")), (c) => c.charCodeAt(0));
}
