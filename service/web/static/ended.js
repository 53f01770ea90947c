// A stream that has ended for good says why: signed out, or not allowed any more. One that ends because the service
// stops or is full is tried again by the browser itself.
function tellEnd(source) {
  source.addEventListener("end", (message) => {
    const why = JSON.parse(message.data);
    if (why.status === 503) return;
    source.close();
    const line = document.querySelector("#ended");
    line.querySelector("span").textContent = why.detail;
    line.hidden = false;
  });
}
