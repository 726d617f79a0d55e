// The service worker: assets come from a cache with the version in its name, pages from the
// network, or from what was last seen of them, or the offline page.
const CACHE = "site " + settings.version;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([...settings.precache, settings.offline]);
    await keepStart(cache);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("site ") && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const request = event.request;
  const url = new URL(request.url);
  if (request.method === "POST" && url.origin === location.origin && settings.forget?.includes(url.pathname)) {
    const answer = fetch(request);
    event.respondWith(answer);
    event.waitUntil(answer.then(forgetIfDone, () => { /* without an answer the person may still be signed in */ }));
    return;
  }
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith(settings.assets)) {
    event.respondWith(fromCache(request));
  } else if (request.mode === "navigate") {
    event.respondWith(page(request, url));
  }
});

async function fromCache(request) {
  return (await caches.match(request)) ?? fetch(request);
}

// forgetIfDone forgets after a form that succeeded. A refused one leaves the person signed in, with their messages.
async function forgetIfDone(answer) {
  if (answer.ok || answer.type === "opaqueredirect") await forget();
}

// forget deletes the kept pages and ends push messages: the next person on this device must not read them.
async function forget() {
  const cache = await caches.open(CACHE);
  await Promise.all((settings.keep ?? []).map((path) => cache.delete(path)));
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
}

// keepStart keeps the first of the kept pages from the first visit on, which did not pass the worker.
async function keepStart(cache) {
  const start = settings.keep?.[0];
  if (!start) return;
  try {
    const answer = await fetch(start);
    if (answer.ok && !answer.redirected) await cache.put(start, answer);
  } catch {
    // It is kept on the next visit.
  }
}

// marked tells a kept page that it is one, so that it shows its time.
async function marked(kept) {
  if (!kept) return undefined;
  const text = await kept.text();
  return new Response(text.replace("<body ", "<body data-kept "), { status: kept.status, headers: kept.headers });
}

async function page(request, url) {
  const cache = await caches.open(CACHE);
  const keep = (settings.keep ?? []).includes(url.pathname) && !url.search; // with a query it is another page
  try {
    const answer = await fetch(request);
    if (keep && answer.ok) await cache.put(url.pathname, answer.clone());
    if (keep && answer.type === "opaqueredirect") await cache.delete(url.pathname); // such as to the page to sign in
    return answer;
  } catch {
    return (keep && await marked(await cache.match(url.pathname))) || (await cache.match(settings.offline)) || Response.error();
  }
}
