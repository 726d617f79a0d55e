// Shows push messages, and opens the page that they lead to.
self.addEventListener("push", (event) => {
  let message = {};
  try { message = event.data?.json() ?? {}; } catch { /* a message that cannot be read still says that there is one */ }
  event.waitUntil(self.registration.showNotification(message.title ?? "News on EcoBid", {
    body: message.body ?? "", icon: "/icon-any-192.png", badge: "/icon-any-192.png", tag: message.tag, data: message.data ?? {},
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const target = new URL(new URL(event.notification.data?.url ?? "/notifications", location.origin).pathname, location.origin); // never another site
  event.waitUntil(self.clients.openWindow(target));
});
