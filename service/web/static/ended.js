// A stream that has ended for good says why: signed out, or not allowed any more. One that ends because the service
// stops or is full is tried again by the browser itself; meanwhile, and while a network is silent, whoever follows is
// told how old is what they see.
//
// A proxy may hold a stream back until it ends. Where nothing at all was heard for a while, and nothing failed either,
// short streams are asked for: each ends behind its first word, and the browser asks again.
const HELD = 20_000;

// A proxy whose service is away answers with what is no stream, and a browser does not ask for that again by itself.
// Here it is asked again, ever more seldom, and not by a whole hall in the same second.
const SOON = 3000;
const SELDOM = 30_000;

function listen(place, hear, watch = () => {}) {
  // Who was signed in is told when the sign-in is gone, also where guests may look; a wall shows what they may see.
  const whose = document.querySelector("main").dataset;
  const address = whose.who || "known" in whose ? `${place}?known=1` : place;
  const short = `${address}${address === place ? "?" : "&"}short=1`;
  let source;
  let patience;
  let again;
  let pause = SOON;

  function open(at) {
    const long = at === address;
    source?.close();
    source = new EventSource(at);
    source.onmessage = hear;
    for (const each of ["message", "pulse", "end"]) source.addEventListener(each, () => clearTimeout(patience));
    source.addEventListener("open", () => {
      pause = SOON;
    });
    source.addEventListener("error", ({ target }) => {
      if (target.readyState === EventSource.CLOSED) ask(at);
      else if (long) wait(); // the network is away, which is another thing
    });
    if (long) wait();
    watch(source, !long);
  }

  function wait() {
    clearTimeout(patience);
    patience = setTimeout(() => open(short), HELD);
  }

  function ask(at) {
    clearTimeout(patience);
    again = setTimeout(() => open(at), pause * (1 + Math.random()));
    pause = Math.min(2 * pause, SELDOM);
  }
  open(address);
  window.addEventListener("pagehide", () => {
    clearTimeout(patience);
    clearTimeout(again);
    source.close();
  });
}

function tellEnd(source, short) {
  source.addEventListener("end", (message) => {
    const why = JSON.parse(message.data);
    if (why.status === 503) return;
    if (why.status === 401 || why.status === 403) window.dispatchEvent(new Event("signed-out"));
    source.close();
    const line = document.querySelector("#ended");
    line.querySelector("span").textContent = why.detail;
    line.hidden = false;
  });
  tellAge(source, short);
}

const SILENCE = 40_000; // a pulse comes every 15 s

const BLINK = 3000; // a service that starts anew is back by then

let age; // of what is seen: one line on a page

function tellAge(source, short) {
  age ??= aging();
  age.source = source;
  let word = false; // a short stream ends behind one, and has not failed
  for (const each of ["open", "message", "pulse"])
    source.addEventListener(each, () => {
      word = short;
      age.heard();
    });
  source.addEventListener("error", () => {
    if (!word) age.failed();
    word = false;
  });
}

function aging() {
  const line = document.createElement("p");
  Object.assign(line, { id: "age", className: "problem", role: "status", hidden: true });
  document.querySelector("#ended").after(line);
  let fresh = Date.now();
  let cut = Infinity; // since when the stream is cut
  const own = { source: null, heard, failed };

  function heard() {
    fresh = Date.now();
    cut = Infinity;
    draw();
  }

  function failed() {
    cut = Math.min(cut, Date.now());
    draw();
  }

  function draw() {
    const ended = own.source.readyState === EventSource.CLOSED && !document.querySelector("#ended").hidden;
    line.hidden = ended || !(Date.now() - cut > BLINK || !navigator.onLine || Date.now() - fresh > SILENCE);
    if (line.hidden) return;
    const past = Math.max(0, Math.floor((Date.now() - fresh) / 1000));
    const since = past < 60 ? worded("less than a minute") : worded("{0} min", Math.floor(past / 60));
    const at = new Date(fresh).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const text = worded("No connection: what you see is of {0}, {1} ago.", at, since);
    if (line.textContent !== text) line.textContent = text;
  }

  window.addEventListener("offline", draw);
  window.addEventListener("online", draw);
  setInterval(draw, 2000);
  return own;
}
