// A table that was opened once starts without a network, where there is TLS. Signing out asks about what waits, and
// leaves nothing behind; a sign-in that was ended elsewhere leaves the taps.
import { forgetOffers } from "./kept/shelf.js";
import * as store from "./kept/store.js";
import { counts } from "./kept/words.js";

const able = window.isSecureContext && "serviceWorker" in navigator;
const line = document.querySelector("[data-network]");
const { lang } = document.documentElement;
const worker = lang === "en" ? "/worker.js" : `/worker.js?language=${lang}`; // its shell is in the language of the page
const whose = document.querySelector("main").dataset.who.split(" ");

const tls = window.location.protocol.startsWith("https");
const shown = tls ? worded("With TLS") : able ? worded("On this machine") : worded("Without TLS");

line.textContent = able ?
  worded("{0}: a table that was opened once starts without a network", shown) :
  worded("{0}: keep a table's page open, it does not start without a network", shown);
line.hidden = false;

// Only what is needed to start; nobody's taps are among it.
async function forget() {
  await store.ready;
  await forgetOffers();
  for (const name of window.caches ? await caches.keys() : []) await caches.delete(name);
}

window.addEventListener("signed-out", forget);

document.querySelector("form[action='/sign-out']")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await store.ready;
  const own = store.all().filter((item) => whose.includes(item.who));
  const lost = worded(
    "{1} not sent yet: signing out drops it. Sign out?|{1} not sent yet: signing out drops them. Sign out?",
    own.length,
    counts(own),
  );
  if (own.length && !window.confirm(lost)) return;
  await store.empty(whose);
  await forget();
  event.target.submit();
});

// A newer worker takes over as soon as nothing waits on this phone.
async function renew(registration) {
  await store.ready;
  if (registration.waiting && !store.all().length) registration.waiting.postMessage("renew");
}

async function begin() {
  const registration = await navigator.serviceWorker.register(worker);
  if (!registration) return;
  (await navigator.serviceWorker.ready).active.postMessage("fill");
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => renew(registration));
  });
  setInterval(() => renew(registration), 10_000);
  renew(registration);
}

if (able && document.querySelector("#kept") && whose[0]) {
  if (document.readyState === "complete") begin().catch(() => {});
  else window.addEventListener("load", () => begin().catch(() => {}));
}
