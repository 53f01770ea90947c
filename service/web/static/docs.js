// The API pages, without the internet.
window.addEventListener("DOMContentLoaded", () => {
  SwaggerUIBundle({ url: "/docs/openapi.json", dom_id: "#docs", validatorUrl: null });
});
