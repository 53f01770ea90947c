// Starts a table's page without a network. It keeps the shell and files of one version, never a page that somebody was
// shown; before this stand VERSION, SHELL and FILES.
const CACHE = `lurch-${VERSION}`;
const TABLE = /^\/matches\/[0-9a-f-]{36}(\/(layout|result))?$/;
const PATIENCE = 6000;

async function fill() {
  const cache = await caches.open(CACHE);
  for (const each of [SHELL, ...FILES]) {
    if (await cache.match(each)) continue;
    const answer = await fetch(each, { credentials: "omit", cache: "no-cache" });
    if (!answer.ok) throw new Error(each);
    await cache.put(each, answer);
  }
}

// How many taps wait on this phone, as far as they last.
function waiting() {
  return new Promise((done) => {
    const request = indexedDB.open("lurch");
    request.onerror = () => done(0);
    request.onupgradeneeded = () => request.transaction.abort(); // nothing was ever kept
    request.onsuccess = () => {
      const found = request.result.transaction("entries").objectStore("entries").count();
      found.onsuccess = () => (request.result.close(), done(found.result));
      found.onerror = () => done(1);
    };
  });
}

self.addEventListener("install", (event) => event.waitUntil(fill()));

self.addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  for (const name of await caches.keys())
    if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("message", (event) => {
  if (event.data === "fill") event.waitUntil(fill().catch(() => {})); // the next start tries again
  if (event.data === "renew") event.waitUntil(waiting().then((number) => number || self.skipWaiting()));
});

// The page as it is; without an answer in time the shell, in which taps are kept.
async function started(request) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    return await fetch(request, { signal: patience.signal });
  } catch {
    return (await caches.match(SHELL, { cacheName: CACHE })) ?? Response.error(); // opening one would make it again
  } finally {
    clearTimeout(timer);
  }
}

// A file under its own stamp never changes; what a script imports is asked for first.
async function file(request, stamped) {
  const own = await caches.match(request, { cacheName: CACHE });
  if (own && stamped) return own;
  try {
    return await fetch(request);
  } catch {
    return own ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (request.mode === "navigate" && TABLE.test(address.pathname)) event.respondWith(started(request));
  else if (FILES.includes(address.pathname + address.search))
    event.respondWith(file(request, address.searchParams.has("v")));
});
