// Suits in four colours or in two, as this device was told: kept here, sent nowhere.
const KEY = "lurch-suits";
const button = document.querySelector("[data-suits]");

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is closed: four colours
  }
}

function show(two) {
  document.documentElement.classList.toggle("two-colour", two);
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", two);
}

button?.addEventListener("click", () => {
  const two = !document.documentElement.classList.contains("two-colour");
  show(two);
  try {
    localStorage.setItem(KEY, two ? "two" : "four");
  } catch {
    // for this page only
  }
});
show(read() === "two");
