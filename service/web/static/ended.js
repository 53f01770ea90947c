// A stream that has ended for good says why: signed out, or not allowed any more. One that ends because the service
// stops or is full is tried again by the browser itself; meanwhile, and while a network is silent, whoever follows is
// told how old is what they see.
function tellEnd(source) {
  source.addEventListener("end", (message) => {
    const why = JSON.parse(message.data);
    if (why.status === 503) return;
    if (why.status === 401 || why.status === 403) window.dispatchEvent(new Event("signed-out"));
    source.close();
    const line = document.querySelector("#ended");
    line.querySelector("span").textContent = why.detail;
    line.hidden = false;
  });
  tellAge(source);
}

const SILENCE = 40_000; // a pulse comes every 15 s

const BLINK = 3000; // a service that starts anew is back by then

function tellAge(source) {
  const line = document.createElement("p");
  Object.assign(line, { id: "age", className: "problem", role: "status", hidden: true });
  document.querySelector("#ended").after(line);
  let fresh = Date.now();
  let cut = Infinity; // since when the stream is cut

  function heard() {
    fresh = Date.now();
    cut = Infinity;
    draw();
  }

  function draw() {
    const ended = source.readyState === EventSource.CLOSED && !document.querySelector("#ended").hidden;
    line.hidden = ended || !(Date.now() - cut > BLINK || !navigator.onLine || Date.now() - fresh > SILENCE);
    if (line.hidden) return;
    const past = Math.max(0, Math.floor((Date.now() - fresh) / 1000));
    const age = past < 60 ? worded("less than a minute") : worded("{0} min", Math.floor(past / 60));
    const at = new Date(fresh).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const text = worded("No connection: what you see is of {0}, {1} ago.", at, age);
    if (line.textContent !== text) line.textContent = text;
  }

  for (const each of ["open", "message", "pulse"]) source.addEventListener(each, heard);
  source.addEventListener("error", () => {
    cut = Math.min(cut, Date.now());
    draw();
  });
  window.addEventListener("offline", draw);
  window.addEventListener("online", draw);
  setInterval(draw, 2000);
}
