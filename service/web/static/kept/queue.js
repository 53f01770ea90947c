// Sends what waits: in order, each under its first key, until the service has answered. Where somebody else recorded
// meanwhile, or a tap became a question, it is held with all behind it, and a person decides.
import * as store from "./store.js";

// The version of the words between page and service, which an entry keeps: a service that does not know it says so.
const code = document.documentElement.dataset.code;

const WAIT = 1500;
const PATIENCE = 10_000;
const TWICE = 1000; // a finger that taps twice is faster
const BUSY = [429, 502, 503, 504];
const STOPS = ["unauthorised", "other-sign-in"]; // goes on when the right one has signed in
const OLD = "upgrade-required"; // the service was renewed: a page of its own sends what this one may not
const RESTORED = "other-era"; // the service came back from a copy since: sent into its new era by a person's word alone
const ASKS = ["lost-race", "confirm-needed", RESTORED]; // not recorded: it may go on another version under the same key
const OVER = ["misfit", "rule-broken", "malformed", "window-closed", "unknown-option", "too-large"];
OVER.push("already-entered", "changed");

// Why nothing was recorded; {wait} where the service did not answer, so that it may have been, or said when to ask.
// Where more waits behind it nobody looks at the table that it makes: a short answer is enough.
async function post(item, more) {
  const headers = { "Idempotency-Key": item.key, "X-Table": "1", "X-As": item.who, "X-Code": item.code ?? code };
  headers["Content-Type"] = "application/x-www-form-urlencoded";
  if (more) headers.Prefer = "return=minimal";
  if (item.era) headers["X-Era"] = item.era;
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const answer = await fetch(item.action, { method: "POST", body: item.body, headers, signal: patience.signal });
    if (BUSY.includes(answer.status)) return { wait: (answer.headers.get("Retry-After") || 0) * 1000 };
    const era = answer.headers.get("X-Era"); // said where it is another one
    if (answer.headers.get("X-Table")) return { ...(await answer.json()), era };
    if (!answer.headers.get("Content-Type")?.startsWith("application/problem+json")) return { wait: 0 };
    const problem = await answer.json();
    return { refused: { slug: problem.type.split("/").pop(), said: problem.detail }, meanwhile: [], era };
  } catch {
    return { wait: 0 };
  } finally {
    clearTimeout(timer);
  }
}

async function pause(wait) {
  let resume;
  const over = new Promise((done) => (resume = done));
  const timer = setTimeout(resume, Math.max(WAIT, wait || 0));
  window.addEventListener("online", resume);
  await over;
  clearTimeout(timer);
  window.removeEventListener("online", resume);
}

// Puts a tap on top of what is there now: its version, the seat of the turn where nobody chose one, or that of whoever
// is asked, and the word of what a square takes now, where it takes this or that.
export function rebase(item, on) {
  const body = new URLSearchParams(item.body);
  if (on.version != null) body.set("version", on.version);
  const seat = item.asked ? on.asked : on.turn;
  if (seat != null && item.inTurn) body.set("seat", seat);
  const taken = item.words?.find((each) => on.takes?.includes(each));
  if (item.words) body.set("do", taken ?? body.get("do") ?? item.words[0]);
  return { ...item, body: body.toString() };
}

// `here` is {match, who, called, era}; `hear` has recorded(item, answer), refused(item, answer), changed() and base(),
// what the page shows: {version, turn, asked, takes}, and its era where it is drawn anew.
export function makeQueue(here, hear) {
  const queue = { lost: false, stopped: null, busy: false };
  let done = []; // recorded, and not drawn yet
  queue.drawn = () => (done = []);
  const mine = (item) => item.match === here.match && item.who === here.who;
  queue.waiting = () => store.all().filter((item) => mine(item) && item.action && !item.held);
  queue.held = () => store.all().filter((item) => mine(item) && item.held);
  queue.typed = () => store.counted().filter((item) => mine(item) && item.typed);
  queue.others = () => store.counted().filter((item) => item.match === here.match && item.who !== here.who);

  // What was tapped in the deal that is on and is not drawn by the service yet: its cards, and each fact with its
  // square; an undo takes the last fact back. Where a deal was begun among it, with the layout that was typed for it.
  queue.cards = () => {
    const items = [...done, ...queue.waiting(), ...queue.held()].sort((a, b) => a.order - b.order);
    const begun = items.findLastIndex((item) => item.action.endsWith("/deals"));
    const facts = [];
    for (const item of items.slice(begun + 1)) {
      if (item.action.endsWith("/facts")) facts.push({ card: item.card ?? null, square: item.square ?? null });
      else if (item.action.endsWith("/undo")) facts.pop();
    }
    const cards = new Set(facts.map((each) => each.card).filter((card) => card !== null));
    const deals = items.filter((item) => item.action.endsWith("/deals")).length;
    return { begun: begun >= 0, deals, laid: items[begun]?.laid ?? null, cards, facts };
  };

  // A double tap on one button; while nobody answers, the next one may well say the same: both pass.
  queue.twice = (same) => {
    const last = queue.waiting().at(-1);
    return last?.same === same && !(queue.lost && Date.now() - last.at > TWICE);
  };

  queue.add = (item) => {
    const on = new URLSearchParams(item.body).get(
      "version"); // the version that it was made on, whatever it goes with
    const { match, who, called } = here;
    const era = hear.base().era ?? here.era;
    const made = store.add({ ...item, match, who, called, era, on, code });
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
    const answer = await post(sent, queue.waiting().length > 1);
    queue.lost = "wait" in answer;
    if (queue.lost) {
      hear.changed();
      await pause(answer.wait);
    } else if (!answer.refused || answer.refused.slug === "key-reused") recorded(sent, answer);
    else if (store.find(item.key)) refused(sent, answer, item.tried); // else another tab has seen to it
  }

  // The next one was meant on top of this one, whatever else has been recorded since.
  function recorded(item, answer) {
    const next = queue.waiting().find((each) => each.key !== item.key);
    if (next && !next.tried) store.keep(rebase(next, answer));
    store.drop(item.key);
    done.push(item);
    hear.recorded(item, answer);
  }

  function refused(item, answer, before) {
    const { slug } = answer.refused;
    if (answer.era) here.era = answer.era; // what is tapped from now on is of that one
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
    const restored = held[0]?.held.slug === RESTORED;
    for (const { held: why, ...item } of held) {
      const again = { ...(item.tried ? item : rebase(item, on)), code, era: restored ? here.era : item.era };
      if (why.slug === "confirm-needed" && sure) again.body += `&${sure}=1`;
      store.keep({ ...again, order: store.last() });
      on = {};
    }
    run();
  };
  queue.drop = (items) => {
    const first = queue.held()[0];
    for (const item of items) forget(item);
    const left = queue.held()[0]; // what others recorded, or that all came from a copy, is said of what is left, too
    const stays = ["lost-race", RESTORED].includes(first?.held.slug);
    if (left && left.key !== first.key && stays) store.keep({ ...left, held: first.held });
    hear.changed();
  };
  // The first one was a slip: those behind it still wait for a word.
  queue.slip = () => queue.drop(queue.held().slice(0, 1));
  return queue;
}
