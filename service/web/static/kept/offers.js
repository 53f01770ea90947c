// What a table offers to tap, remembered for a page that has no network: no name, no hand, no score. The page that is
// open knows it; in a secure context it lasts, so that a page can start with it.
import { squareOf } from "./board.js";
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
let known = null;
let remembered = ready; // one after the other: each adds to what the one before kept
export function keepOffer(here, offer) {
  if (offer.taps.length) remembered = remembered.then(() => add(here, offer));
}

// What this page would offer without a network; nothing before it was shown something to tap.
export const offered = () => known;

async function add({ match, who, era }, { ahead, taps, ...now }) {
  const lasting = window.isSecureContext;
  const { lang } = document.documentElement;
  const before = known ?? (lasting ? await shelf.offered(match) : null);
  const own = before?.who === who && before.lang === lang ? Object.values(before.taps) : [];
  const all = {}; // a pack lies in its order, and what was shown last is newest
  for (const tap of [...ahead, ...own, ...taps]) all[tap.said] = tap;
  known = { match, who, era, lang, ...now, taps: all };
  if (lasting) await shelf.remember(known);
}

// What a table may come to offer: its pack, and the calls up to the first card.
export function lookingAhead(table, version) {
  const { word, cards, calls, later, answers } = { ...NOTHING, ...JSON.parse(table.dataset.ahead ?? "{}") };
  const action = `${addressOf()}/facts`;
  const tap = (stated, said, text, css, more) => {
    const body = new URLSearchParams({ version, ...stated }).toString();
    const whose = { seat: null, inTurn: true, card: null };
    return { action, body, ...whose, same: `${action} ${body}`, said, hidden: false, text, css, ...more };
  };
  const call = ([fact, said, text, css, called], more) => tap({ fact }, said, text, css, { call: called, ...more });
  return [
    ...cards.map(([card, said, text, css]) => tap({ do: word, card }, said, text, css, { card })),
    ...[...calls, ...later].map((each) => call(each)),
    ...answers.map((each) => call(each, { asked: true })),
  ];
}

const NOTHING = { cards: [], calls: [], later: [], answers: [] };

// A page of a table is at its address, or below it.
export const addressOf = () => location.pathname.split("/").slice(0, 3).join("/");

// The forms that the page brought along, as they are remembered: without a name.
export function broughtAlong() {
  const html = document.querySelector("template[data-away]")?.innerHTML ?? "";
  return { html, square: squareOf(html) };
}

// The deal after the one that is on, which nothing on the page begins yet.
export function dealAfter(said, version) {
  const action = `${addressOf()}/deals`;
  const body = `version=${version}`;
  const whose = { seat: null, inTurn: false, card: null };
  return { action, body, ...whose, same: `${action} ${body}`, said, hidden: false, text: said, css: "secondary" };
}
