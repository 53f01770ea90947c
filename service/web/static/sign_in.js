// The secret of an invitation stands behind # and never leaves the browser before the button is tapped.
const form = document.querySelector("#by-link");

function fill() {
  const secret = location.hash.slice(1);
  if (!form || !secret) return;
  form.elements.link.value = secret;
  form.querySelector("label").hidden = true;
  document.querySelector("#asks").textContent = worded(
    "The link is good once: with one tap this browser is signed in.",
  );
  history.replaceState(null, "", location.pathname); // it is not left in the address bar
}
window.addEventListener("hashchange", fill);
fill();
