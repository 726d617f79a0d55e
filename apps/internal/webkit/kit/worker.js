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
  if (request.method === "POST" && url.origin === location.origin) {
    const forgets = settings.forget?.includes(url.pathname);
    if (!forgets && !enters(url)) return;
    const answer = fetch(request);
    event.respondWith(answer);
    event.waitUntil(answer.then((done) => forgetIfDone(done, forgets), () => { /* without an answer nothing may have changed */ }));
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

// enters tells whether a person signs in at an address.
function enters(url) {
  return settings.enter?.some((path) => path === url.pathname || path.endsWith("/") && url.pathname.startsWith(path));
}

function isDone(answer) { return answer.ok || answer.type === "opaqueredirect"; }

// forgetIfDone forgets after a form that succeeded. A refused one leaves the person signed in, with their messages.
async function forgetIfDone(answer, leaves) {
  if (!isDone(answer)) return;
  await forgetPages();
  if (leaves) await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
}

let era = 0; // grows when the kept pages are deleted: a page that was asked for before is not kept

// forgetPages deletes the kept pages: the next person on this device must not read them.
async function forgetPages() {
  era++;
  const cache = await caches.open(CACHE);
  await Promise.all((settings.keep ?? []).map((path) => cache.delete(path)));
}

// keep keeps a page, unless the person has left or another one has come since it was asked for.
async function keep(cache, path, answer, asked) {
  if (asked === era) await cache.put(path, answer);
  if (asked !== era) await cache.delete(path); // while the page arrived
}

// keepStart keeps the first of the kept pages from the first visit on, which did not pass the worker.
async function keepStart(cache) {
  const start = settings.keep?.[0];
  if (!start) return;
  const asked = era;
  try {
    const answer = await fetch(start);
    if (answer.ok && !answer.redirected) await keep(cache, start, answer, asked);
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
  const kept = (settings.keep ?? []).includes(url.pathname) && !url.search; // with a query it is another page
  const asked = era;
  try {
    const answer = await fetch(request);
    if (enters(url) && answer.type === "opaqueredirect") await forgetPages(); // a provider has signed the person in
    if (kept && answer.ok) await keep(cache, url.pathname, answer.clone(), asked);
    if (kept && answer.type === "opaqueredirect") await cache.delete(url.pathname); // such as to the page to sign in
    return answer;
  } catch {
    return (kept && await marked(await cache.match(url.pathname))) || (await cache.match(settings.offline)) || Response.error();
  }
}
