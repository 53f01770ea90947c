// The live table: it follows its match by server-sent events, sends taps without leaving the page, and
// repeats what did not arrive under the same key, so that nothing is recorded twice or lost.
const WAIT = 1500;

function key() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function drawn(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh;
}

// What the next tap builds on: the version of the match, and the seat whose turn it is.
function base(root) {
  return {
    version: root.querySelector("[name=version]")?.value,
    turn: root.querySelector("[name=seat] option[selected]")?.value,
  };
}

function rebase(tap, on) {
  if (on.version && tap.body.has("version")) tap.body.set("version", on.version);
  if (on.turn && tap.inTurn) tap.body.set("seat", on.turn);
}

window.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector("[data-live]");
  if (!table) return;
  const said = document.querySelector("#said");
  const unsent = document.querySelector("#unsent");

  // What is there already is not drawn again, and nothing is while a finger is down: a tap must not lose its button.
  let held = false;
  let next = null; // what came meanwhile
  let own = null; // what our own last tap made of the table, while that is not drawn yet
  function show(html) {
    if (held) {
      next = html;
      return;
    }
    own = null;
    const fresh = drawn(html);
    if (fresh.innerHTML.trim() === table.innerHTML.trim()) return;
    const focused = document.activeElement?.dataset?.key;
    const within = table.contains(document.activeElement);
    table.innerHTML = html;
    const line = table.querySelector("[data-said]")?.dataset.said ?? "";
    if (said.textContent !== line) said.textContent = line;
    if (!within) return;
    const same = focused && table.querySelector(`[data-key="${CSS.escape(focused)}"]`);
    (same || table.querySelector(".entry button"))?.focus({ preventScroll: true });
  }

  async function send(action, body) {
    const headers = { "Idempotency-Key": key(), "X-Table": "1" };
    table.setAttribute("aria-busy", "true");
    for (;;) {
      try {
        const answer = await fetch(action, { method: "POST", body, headers });
        if (answer.status !== 503) {
          unsent.hidden = true;
          table.removeAttribute("aria-busy");
          if (answer.headers.get("X-Table")) {
            const html = await answer.text();
            own = base(drawn(html).content);
            show(html);
          } else location.reload();
          return answer.ok;
        }
      } catch {
        // no network: the same again in a moment
      }
      unsent.textContent = `${waiting.length} not sent yet: no connection. It is tried again until it arrives.`;
      unsent.hidden = false;
      await new Promise((resume) => setTimeout(resume, WAIT));
    }
  }

  // Taps wait for each other: the next one is meant on top of the one before, so it goes with the version that
  // came of that; when one is refused, those behind it are not sent.
  const waiting = [];
  table.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target, event.submitter));
    // nobody chose the seat: it is that of whose turn it will be when the taps before this one have arrived
    const inTurn = body.has("seat") && body.get("seat") === base(event.target).turn;
    const tap = { action: event.target.action, body, inTurn, said: `${event.target.action} ${body}` };
    if (own) rebase(tap, own);
    if (waiting.at(-1)?.said === tap.said) return; // a double tap on one button
    waiting.push(tap);
    if (waiting.length > 1) return;
    while (waiting.length) {
      const ok = await send(waiting[0].action, waiting[0].body);
      waiting.shift();
      if (!ok) waiting.length = 0;
      if (waiting.length) rebase(waiting[0], own ?? base(table));
    }
  });

  table.addEventListener("pointerdown", () => {
    held = true;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    window.addEventListener(end, () =>
      setTimeout(() => {
        const html = next;
        held = false;
        next = null;
        if (html !== null && !waiting.length) show(html);
      }),
    );
  }

  const source = new EventSource(table.dataset.live);
  tellEnd(source);
  source.onmessage = (message) => {
    if (!waiting.length) show(message.data);
  };
  window.addEventListener("pagehide", () => source.close());

  let suit = "";
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const typed = event.key.toUpperCase();
    const led = table.querySelector(".entry")?.dataset.led ?? "";
    if ("SHDCX".includes(typed)) suit = typed;
    else if (typed === "U") table.querySelector('[data-key="undo"]')?.click();
    else if ("AKQJT98765432RB".includes(typed)) {
      table.querySelector(`[data-key="${suit || led}${typed}"]`)?.click();
      suit = "";
    } else if (typed === "ESCAPE") suit = "";
  });
});
