// Sends what waits: in order, each under its first key, until the service has answered. Where somebody else recorded
// meanwhile, or a tap became a question, it is held with all behind it, and a person decides.
import * as store from "./store.js";

// The version of the words between page and service, which an entry keeps: a service that does not know it says so.
const code = document.documentElement.dataset.code;

const WAIT = 1500;
const PATIENCE = 10_000;
const BUSY = [429, 502, 503, 504];
const STOPS = ["unauthorised", "other-sign-in"]; // goes on when the right one has signed in
const OLD = "upgrade-required"; // the service was renewed: a page of its own sends what this one may not
const ASKS = ["lost-race", "confirm-needed"]; // surely not recorded: it may go on a newer version under the same key
const OVER = ["misfit", "rule-broken", "malformed", "window-closed", "unknown-option", "too-large"];
OVER.push("already-entered", "changed");

// Why nothing was recorded; null where the service did not answer, so that it may have been.
async function post(item) {
  const headers = { "Idempotency-Key": item.key, "X-Table": "1", "X-As": item.who, "X-Code": item.code ?? code };
  headers["Content-Type"] = "application/x-www-form-urlencoded";
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const answer = await fetch(item.action, { method: "POST", body: item.body, headers, signal: patience.signal });
    if (BUSY.includes(answer.status)) return null;
    if (answer.headers.get("X-Table")) return await answer.json();
    if (!answer.headers.get("Content-Type")?.startsWith("application/problem+json")) return null;
    const problem = await answer.json();
    return { refused: { slug: problem.type.split("/").pop(), said: problem.detail }, meanwhile: [] };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function pause() {
  let resume;
  const over = new Promise((done) => (resume = done));
  const timer = setTimeout(resume, WAIT);
  window.addEventListener("online", resume);
  await over;
  clearTimeout(timer);
  window.removeEventListener("online", resume);
}

// Puts a tap on top of what is there now: its version and, where nobody chose the seat, that of the turn.
function rebase(item, on) {
  const body = new URLSearchParams(item.body);
  if (on.version != null) body.set("version", on.version);
  if (on.turn != null && item.inTurn) body.set("seat", on.turn);
  return { ...item, body: body.toString() };
}

// `here` is {match, who}; `hear` has recorded(item, answer), refused(item, answer), changed() and base(), what the page
// shows: {version, turn}.
export function makeQueue(here, hear) {
  const queue = { lost: false, stopped: null, busy: false };
  const mine = (item) => item.match === here.match && item.who === here.who;
  queue.waiting = () => store.all().filter((item) => mine(item) && item.action && !item.held);
  queue.held = () => store.all().filter((item) => mine(item) && item.held);
  queue.typed = () => store.counted().filter((item) => mine(item) && item.typed);
  queue.others = () => store.counted().filter((item) => item.match === here.match && item.who !== here.who);

  // Cards that were tapped in the deal that is on, and are not recorded yet.
  queue.cards = () => {
    const items = [...queue.waiting(), ...queue.held()].sort((a, b) => a.order - b.order);
    const begun = items.findLastIndex((item) => item.action.endsWith("/deals"));
    return { begun: begun >= 0, cards: new Set(items.slice(begun + 1).flatMap((item) => item.card ?? [])) };
  };

  queue.add = (item) => {
    const on = new URLSearchParams(item.body).get(
      "version"); // the version that it was made on, whatever it goes with
    const made = store.add({ ...item, match: here.match, who: here.who, called: here.called, on, code });
    if (made) run();
    return made;
  };

  async function run() {
    if (queue.busy || queue.stopped) return;
    queue.busy = true;
    await store.ready;
    try {
      for (let next = queue.waiting()[0]; next && !queue.stopped; next = queue.waiting()[0]) {
        hear.changed();
        await deliver(next);
      }
    } finally {
      queue.busy = false;
    }
    hear.changed();
  }
  queue.run = run;
  queue.again = () => {
    queue.stopped = null;
    run();
  };

  async function deliver(item) {
    const sent = { ...item, tried: true }; // from now on this key stands for this body, until there is an answer
    await store.keep(sent);
    const answer = await post(sent);
    queue.lost = answer === null;
    if (queue.lost) {
      hear.changed();
      await pause();
    } else if (!answer.refused || answer.refused.slug === "key-reused") recorded(sent, answer);
    else if (store.find(item.key)) refused(sent, answer, item.tried); // else another tab has seen to it
  }

  // The next one was meant on top of this one, whatever else has been recorded since.
  function recorded(item, answer) {
    const next = queue.waiting().find((each) => each.key !== item.key);
    if (next && !next.tried) store.keep(rebase(next, answer));
    store.drop(item.key);
    hear.recorded(item, answer);
  }

  function refused(item, answer, before) {
    const { slug } = answer.refused;
    if (STOPS.includes(slug) || (slug === OLD && item.code === code)) {
      queue.stopped = answer.refused;
      if (slug !== OLD) window.dispatchEvent(new Event("signed-out")); // ended elsewhere
    } else {
      const why = { ...answer.refused, meanwhile: answer.meanwhile };
      for (const each of queue.waiting()) store.keep({ ...each, held: { slug: "behind" } });
      if (OVER.includes(slug)) store.drop(item.key);
      else store.keep({ ...item, tried: slug === OLD ? before : !ASKS.includes(slug), held: why });
    }
    hear.refused(item, answer);
  }

  // What is dropped is dropped with what was typed for it.
  function forget(item) {
    if (item.result) store.drop(store.typedOn(item, item.form, item.named)?.key);
    store.drop(item.key);
  }

  // What a person decides about what is held: `sure` is the field that answers a question.
  queue.send = (sure) => {
    const held = queue.held();
    let on = queue.waiting().length ? {} : hear.base();
    for (const { held: why, ...item } of held) {
      const again = { ...(item.tried ? item : rebase(item, on)), code };
      if (why.slug === "confirm-needed" && sure) again.body += `&${sure}=1`;
      store.keep({ ...again, order: store.last() });
      on = {};
    }
    run();
  };
  queue.drop = (items) => {
    const first = queue.held()[0];
    for (const item of items) forget(item);
    const left = queue.held()[0]; // what others recorded is said of what is left, too
    if (left && left.key !== first.key && first.held.slug === "lost-race") store.keep({ ...left, held: first.held });
    hear.changed();
  };
  // The first one was a slip: those behind it still wait for a word.
  queue.slip = () => queue.drop(queue.held().slice(0, 1));
  return queue;
}
