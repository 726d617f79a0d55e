// The service worker: assets come from a cache with the version in its name, pages from the
// network, or from what was last seen of them, or the offline page.
const CACHE = "site " + settings.version;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([...settings.precache, settings.offline]);
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

async function page(request, url) {
  const cache = await caches.open(CACHE);
  const keep = (settings.keep ?? []).includes(url.pathname);
  try {
    const answer = await fetch(request);
    if (keep && answer.ok) await cache.put(url.pathname, answer.clone());
    return answer;
  } catch {
    return (keep && await cache.match(url.pathname)) || (await cache.match(settings.offline)) || Response.error();
  }
}
