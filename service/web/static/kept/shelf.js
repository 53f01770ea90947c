// The shelf that lasts: IndexedDB of this browser, one entry a tap, in one queue a table and person.
const NAME = "lurch";
const ENTRIES = "entries";
const OFFERS = "offers";
const PATIENCE = 3000; // some browsers never answer: then a page's own memory has to do

let base = null;
let opening = null; // what is written while the shelf is opened waits for it

function told(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

function ended(work) {
  return new Promise((done, failed) => {
    work.oncomplete = done;
    work.onabort = () => failed(work.error);
  });
}

async function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    const made = request.result.createObjectStore(ENTRIES, { keyPath: "key" });
    made.createIndex("queue", ["match", "who"]);
    request.result.createObjectStore(OFFERS, { keyPath: "match" });
  };
  base = await told(request);
  base.onversionchange = () => base.close(); // a newer page waits for it
}

async function inTime(work) {
  let timer;
  const late = new Promise((_, failed) => (timer = setTimeout(failed, PATIENCE)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

// Everything that lasts; null where this browser keeps nothing.
export async function read() {
  try {
    if (!base) await (opening = inTime(opened()));
    return await told(base.transaction(ENTRIES).objectStore(ENTRIES).getAll());
  } catch {
    base = null;
    return null;
  }
}

// One write, whole and in the order in which it was asked for; tells whether it lasts.
async function written(act, store = ENTRIES, again = true) {
  try {
    if (!again) await (opening = inTime(opened()));
    if (!base) await opening;
    const work = base.transaction(store, "readwrite");
    const over = ended(work);
    act(work.objectStore(store), () => work.commit?.()); // at once: the page may be left in this moment
    await over;
    return true;
  } catch (error) {
    // some browsers close it while the phone sleeps
    if (again && error?.name === "InvalidStateError") return written(act, store, false);
    return false; // full or refused: the page's own copy has to do
  }
}

export function put(item) {
  return written((entries, commit) => {
    entries.put(item);
    commit();
  });
}

// What has become of an entry; nothing where another tab has seen to it already.
export function change(item) {
  return written((entries) => {
    entries.getKey(item.key).onsuccess = (found) => found.target.result && entries.put(item);
  });
}

export function remove(key) {
  return written((entries, commit) => {
    entries.delete(key);
    commit();
  });
}

// What a table offered when it was last seen, without a name or a hand: for a page that starts without a network.
export function remember(offer) {
  return written((offers, commit) => {
    offers.put(offer);
    commit();
  }, OFFERS);
}

export async function offered(match) {
  try {
    return await told(base.transaction(OFFERS).objectStore(OFFERS).get(match));
  } catch {
    return null;
  }
}

export function forgetOffers() {
  return written((offers, commit) => {
    offers.clear();
    commit();
  }, OFFERS);
}
