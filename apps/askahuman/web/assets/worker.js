// A part of the service worker: notifications, and answers that wait for the network.
// It shares its scope with the rest of the worker, so it keeps its names to itself.
(() => {
  const STORE = "answers";
  const PAGES = "queued page";

  function database() {
    return new Promise((resolve, reject) => {
      const open = indexedDB.open("ask-a-human", 1);
      open.onupgradeneeded = () => open.result.createObjectStore(STORE, { keyPath: "url" });
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(open.error);
    });
  }

  async function inStore(mode, act) {
    const db = await database();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = db.transaction(STORE, mode);
        const request = act(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onerror = () => reject(transaction.error);
      });
    } finally {
      db.close();
    }
  }

  self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(PAGES).then((cache) => cache.add("/queued")));
  });

  // An answer that does not get through is kept, one for each question.
  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "POST" || request.mode !== "navigate" || url.origin !== location.origin || !/^\/q\/[^/]+$/.test(url.pathname)) return;
    event.respondWith(sendOrKeep(request, url));
  });

  async function sendOrKeep(request, url) {
    const copy = request.clone();
    try {
      return await fetch(request);
    } catch (error) {
      const page = await caches.match("/queued");
      if (!page) throw error;
      const form = new URLSearchParams(await copy.formData());
      form.delete("csrf");
      await inStore("readwrite", (store) => store.put({ url: url.pathname, body: form.toString(), kept: Date.now() }));
      await self.registration.sync?.register(STORE).catch(() => { /* the next page sends it */ });
      return page;
    }
  }

  let sending = null;
  function sendAll() {
    sending ??= sendKept().finally(() => { sending = null; });
    return sending;
  }

  async function sendKept() {
    const kept = await inStore("readonly", (store) => store.getAll());
    if (kept.length === 0) return;
    const token = await freshToken();
    if (token === "") throw new Error("later"); // without one every answer would be refused, and gone
    for (const answer of kept) {
      const response = await fetch(answer.url, {
        method: "POST", body: new URLSearchParams(answer.body), headers: { "X-CSRF-Token": token }, credentials: "same-origin",
      });
      if (response.status === 429 || response.status >= 500) throw new Error("later"); // the rest waits as well
      await inStore("readwrite", (store) => store.delete(answer.url));
      untold[outcome(response, answer.url)] += 1;
    }
    for (const client of await self.clients.matchAll()) tell(client);
  }

  // Who has answered a question already is led back to it, and not on from there.
  function outcome(response, asked) {
    if (response.ok) return new URL(response.url).pathname === asked ? "twice" : "sent";
    return response.status === 410 ? "late" : "refused";
  }

  // What was sent is told until a page says that it stood there long enough to be read: the page
  // that hears of it first may be the one that is being left.
  const nothing = { sent: 0, twice: 0, late: 0, refused: 0 };
  let untold = { ...nothing };
  function tell(client) {
    if (Object.values(untold).some((answers) => answers > 0)) client?.postMessage({ type: "answers sent", ...untold });
  }

  // The token against forged forms is on every page.
  async function freshToken() {
    const page = await fetch("/queued", { credentials: "same-origin", cache: "no-store" });
    return /<meta name="csrf" content="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  }

  self.addEventListener("sync", (event) => {
    if (event.tag === STORE) event.waitUntil(sendAll());
  });
  self.addEventListener("message", (event) => {
    if (event.data?.type === "send answers") event.waitUntil(sendAll().catch(() => { /* they wait on */ }).then(() => tell(event.source)));
    if (event.data?.type === "answers told") untold = { ...nothing };
  });

  self.addEventListener("push", (event) => {
    let message = {};
    try { message = event.data?.json() ?? {}; } catch { /* a message that cannot be read still says that there is one */ }
    event.waitUntil(self.registration.showNotification(message.title ?? "Somebody needs an answer", {
      body: message.body ?? "It takes about 30 seconds.",
      icon: "/icon-any-192.png", badge: "/icon-any-192.png", tag: message.data?.question_id, data: message.data ?? {},
    }));
  });

  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data?.url));
  });

  async function open(address) {
    const url = new URL(address ?? "/", location.origin);
    const target = new URL(url.pathname, location.origin); // never another site
    if (target.pathname !== "/") target.searchParams.set("from", "push");
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    for (const client of windows) {
      if ("navigate" in client && client.url.startsWith(location.origin)) {
        try { await (await client.focus()).navigate(target); return; } catch { /* one we do not control */ }
      }
    }
    await self.clients.openWindow(target);
  }

  self.addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil((async () => {
      const options = event.oldSubscription?.options;
      const subscription = event.newSubscription ?? (options && await self.registration.pushManager.subscribe(options));
      if (!subscription) return;
      const { endpoint, keys } = subscription.toJSON();
      await fetch("/me/notifications/push", {
        method: "POST", credentials: "same-origin", headers: { "X-CSRF-Token": await freshToken() },
        body: new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth, replaces: event.oldSubscription?.endpoint ?? "" }),
      });
    })());
  });
})();
