// What a table offers to tap, remembered for a page that starts without a network: no name, no hand, no score.
import * as shelf from "./shelf.js";
import { ready } from "./store.js";

// Nothing that a finger waits for.
let due = false;
export function later(act) {
  if (due) return;
  due = true;
  const now = () => {
    due = false;
    act();
  };
  if (window.requestIdleCallback) window.requestIdleCallback(now, { timeout: 2000 });
  else setTimeout(now, 200);
}

// What was offered before at this table is offered still: the next deal has the same calls.
let remembered = ready; // one after the other: each adds to what the one before kept
export function keepOffer(here, offer) {
  if (window.isSecureContext && offer.taps.length) remembered = remembered.then(() => add(here, offer));
}

async function add({ match, who }, { version, turn, taps, gone }) {
  const before = await shelf.offered(match);
  const known = before?.who === who ? before.taps : {};
  for (const tap of taps) known[tap.said] = tap;
  await shelf.remember({ match, who, version, turn, gone, taps: known });
}
