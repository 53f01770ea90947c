// A hand that was shown after a PIN. The address is the table's again, so that nobody who loads the page anew or goes
// back sends that PIN once more; the cards go as soon as the page is not looked at, and it is the table after that.
const shown = document.querySelector("[data-back]");
history.replaceState(null, "", shown.dataset.back);

function away() {
  shown.replaceChildren();
}

window.addEventListener("pagehide", away);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) away();
  else location.replace(shown.dataset.back);
});
