// What this browser keeps until the service has answered: taps and typed results. A page works on its own copy, which
// is read once from the shelf and told of what other tabs change. Facts of a hidden hand live as long as the tab's
// session, everything else for 14 days.
import * as shelf from "./shelf.js";

const PREFIX = "lurch.kept.";
const DAYS = 14;
export const MOST = 500;

const entries = new Map();
const gone = new Set(); // dropped here: a shelf that was read before that does not bring it back
const listeners = [];
const tabs = window.BroadcastChannel ? new BroadcastChannel(PREFIX) : null;
let lasting = true;

function storage(name) {
  try {
    return window[name];
  } catch {
    return null; // a browser may refuse to keep anything
  }
}

const session = storage("sessionStorage");

// What is kept as text in one of the browser's own storages.
function texts(place) {
  const found = [];
  for (const name of place ? Object.keys(place).filter((each) => each.startsWith(PREFIX)) : []) {
    try {
      const item = JSON.parse(place[name]);
      if (typeof item?.key === "string") found.push(item);
    } catch {
      // not ours
    }
  }
  return found;
}

for (const item of texts(session)) entries.set(item.key, item);

// What pages of an older version kept is taken over: nothing that waits is lost by an upgrade.
async function inherit() {
  const old = storage("localStorage");
  for (const item of texts(old)) {
    entries.set(item.key, item);
    if (await shelf.put(item)) old.removeItem(PREFIX + item.key);
  }
}

async function refresh() {
  const found = await shelf.read();
  lasting = found !== null;
  for (const item of found ?? [])
    if (!entries.has(item.key) && !gone.has(item.key)) entries.set(item.key, item);
}

// Everything that was kept is there.
export const ready = refresh().then(inherit);

// Tells whether what is kept outlives this page.
export const lasts = () => lasting;

export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Everything that is kept, in the order in which it was tapped.
export function all() {
  return [...entries.values()].sort((a, b) => a.order - b.order);
}

// The same for people: a form that is being sent counts once.
export function counted() {
  const items = all();
  const sent = new Set(items.filter((item) => item.result).map((item) => item.match + item.who + item.form));
  return items.filter((item) => !item.typed || !sent.has(item.match + item.who + item.form));
}

export function find(key) {
  return entries.get(key) ?? null;
}

export async function drop(key) {
  const item = entries.get(key);
  if (!item) return;
  gone.add(key);
  entries.delete(key);
  session?.removeItem(PREFIX + key);
  if (item.hidden) return;
  await shelf.remove(key);
  tabs?.postMessage({ key });
}

// What one person typed into a form of a match, whether it was sent already or not. Entries of older pages know their
// form by what it is called.
export function typedOn({ match, who }, form, called = form) {
  const own = all().filter((item) => item.typed && item.match === match && item.who === who);
  return own.find((item) => item.form === form || item.form === called);
}

// Keeps what has become of an item: it may be sent as soon as that lasts.
export async function keep(item, write = shelf.change) {
  if (write === shelf.change && !entries.has(item.key)) return; // dropped meanwhile
  entries.set(item.key, item);
  if (!item.hidden) {
    lasting = await write(item);
    tabs?.postMessage({ key: item.key, item });
    return;
  }
  try {
    session.setItem(PREFIX + item.key, JSON.stringify(item));
  } catch {
    lasting = false;
  }
}

// The next place behind all others, also behind those that are still being read.
export const last = () => Math.max(Date.now(), (all().at(-1)?.order ?? 0) + 1);

// A new item behind all others; null when this browser keeps as many as it may.
export function add(item) {
  if (entries.size >= MOST) return null;
  const made = { ...item, key: newKey(), order: last(), at: Date.now() };
  keep(made, shelf.put);
  return made;
}

// Drops what is too old to be sent, and gives it back to be named.
export function expire() {
  const old = all().filter((item) => Date.now() - item.at > DAYS * 86_400_000);
  for (const item of old) drop(item.key);
  return old;
}

// Drops what one person tapped or typed here: whoever signs out was asked.
export async function empty(whose) {
  for (const each of all())
    if (whose.includes(each.who)) await drop(each.key);
}

// Hears of what another tab keeps or drops.
export function onChange(hear) {
  listeners.push(hear);
}

if (tabs)
  tabs.onmessage = ({ data }) => {
    if (data.item) entries.set(data.key, data.item);
    else entries.delete(data.key);
    for (const hear of listeners) hear();
  };
