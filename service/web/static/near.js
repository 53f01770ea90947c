// While a name is typed: whom it may mean. A tap on one of them fills the field.
for (const field of document.querySelectorAll("input[data-near]")) {
  const place = document.getElementById(field.getAttribute("aria-describedby"));
  let asked = 0;
  let wait = 0;

  async function show() {
    const own = ++asked;
    const address = new URL(field.dataset.near, location.href);
    address.searchParams.set("name", field.value.trim());
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      const text = answer.ok ? await answer.text() : "";
      if (own === asked) place.innerHTML = text;
    } catch {
      if (own === asked) place.textContent = ""; // no network: the question is asked when the form is sent
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(show, 200);
  });
  place.addEventListener("click", (tap) => {
    const chosen = tap.target.closest("[data-name]");
    if (!chosen) return;
    field.value = chosen.textContent;
    place.textContent = "";
    field.focus();
  });
}

// Who played lately: a tap fills the first field that is empty, another tap empties it again.
const lately = document.querySelector("[data-fill]");
if (lately) {
  const fields = [...document.querySelectorAll("input[data-near]")];
  const mark = () => {
    for (const chip of lately.querySelectorAll("[data-name]")) {
      chip.setAttribute("aria-pressed", fields.some((field) => field.value.trim() === chip.textContent));
    }
  };
  lately.hidden = false;
  lately.addEventListener("click", (tap) => {
    const chip = tap.target.closest("[data-name]");
    if (!chip) return;
    const filled = fields.find((field) => field.value.trim() === chip.textContent);
    const field = filled || fields.find((each) => !each.value.trim());
    if (field) field.value = filled ? "" : chip.textContent;
    mark();
  });
  for (const field of fields) field.addEventListener("change", mark);
  mark();
}
