// What this browser keeps until the service has answered: taps and typed results, one entry each, so that two tabs do
// not overwrite each other. Facts of a hidden hand live as long as the tab's session, everything else for 14 days.
const PREFIX = "lurch.kept.";
const DAYS = 14;
export const MOST = 500;

// A browser may refuse to keep anything: then a page's own memory has to do.
function memory() {
  const held = new Map();
  return {
    get length() {
      return held.size;
    },
    key: (at) => [...held.keys()][at],
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, text) => held.set(name, text),
    removeItem: (name) => held.delete(name),
  };
}

function shelf(name) {
  try {
    const found = window[name];
    found.setItem(`${PREFIX}?`, "");
    found.removeItem(`${PREFIX}?`);
    return found;
  } catch {
    return null;
  }
}

const here = memory();
const session = shelf("sessionStorage") ?? here;
const lasting = shelf("localStorage") ?? here;
const shelves = [...new Set([session, lasting, here])];

function read(text) {
  try {
    const item = JSON.parse(text);
    return typeof item?.key === "string" ? item : null;
  } catch {
    return null;
  }
}

export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Everything that is kept, in the order in which it was tapped.
export function all() {
  const found = shelves.flatMap((each) =>
    Array.from({ length: each.length }, (_, at) => each.key(at))
    .filter((name) => name?.startsWith(PREFIX))
    .map((name) => read(each.getItem(name))),
  );
  return found.filter(Boolean).sort((a, b) => a.order - b.order);
}

// The same for people: a form that is being sent counts once.
export function counted() {
  const items = all();
  const sent = new Set(items.filter((item) => item.result).map((item) => item.match + item.who + item.form));
  return items.filter((item) => !item.typed || !sent.has(item.match + item.who + item.form));
}

export function find(key) {
  for (const each of shelves) {
    const item = read(each.getItem(PREFIX + key));
    if (item) return item;
  }
  return null;
}

export function drop(key) {
  for (const each of shelves) each.removeItem(PREFIX + key);
}

// What one person typed into a form of a match, whether it was sent already or not.
export function typedOn({ match, who }, form) {
  return all().find((item) => item.typed && item.match === match && item.who === who && item.form === form);
}

// Keeps an item, or what has become of it.
export function keep(item) {
  const text = JSON.stringify(item);
  try {
    (item.hidden ? session : lasting).setItem(PREFIX + item.key, text);
  } catch {
    drop(item.key); // the browser's room is full: what it held of this is old
    here.setItem(PREFIX + item.key, text);
  }
}

// A new item behind all others; null when this browser keeps as many as it may.
export function add(item) {
  const before = all();
  if (before.length >= MOST) return null;
  const made = { ...item, key: newKey(), order: (before.at(-1)?.order ?? 0) + 1, at: Date.now() };
  keep(made);
  return made;
}

// Drops what is too old to be sent, and gives it back to be named.
export function expire() {
  const old = all().filter((item) => Date.now() - item.at > DAYS * 86_400_000);
  for (const item of old) drop(item.key);
  return old;
}

// Hears of what another tab keeps or drops.
export function onChange(hear) {
  window.addEventListener("storage", (event) => {
    if (event.key === null || event.key.startsWith(PREFIX)) hear();
  });
}
