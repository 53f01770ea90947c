// A table that was opened once starts without a network, where there is TLS. Signing out asks about what waits, and
// leaves nothing behind; a sign-in that was ended elsewhere leaves the taps.
import { forgetOffers } from "./kept/shelf.js";
import * as store from "./kept/store.js";
import { counts } from "./kept/words.js";

const able = window.isSecureContext && "serviceWorker" in navigator;
const line = document.querySelector("[data-network]");
const whose = document.querySelector("main").dataset.who.split(" ");

const shown = window.location.protocol === "https:" ? "With TLS" : able ? "On this machine" : "Without TLS";

line.textContent = able ?
  `${shown}: a table that was opened once starts without a network` :
  `${shown}: keep a table's page open, it does not start without a network`;
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
  const lost = `${counts(own)} not sent yet: signing out drops ${own.length === 1 ? "it" : "them"}. Sign out?`;
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
  const registration = await navigator.serviceWorker.register("/worker.js");
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
