// "Run this lesson" needs a web server that has the folder lite beside the book; say so without one.
document.addEventListener("click", async event => {
  const link = /** @type {HTMLAnchorElement} */ (event.target.closest("p.run a"));
  if (!link) return;
  event.preventDefault();
  let said = "To run it, start a web server in the folder that has book and lite (python -m "
    + "http.server, say), and open http://localhost:8000/book/ there.";
  if (location.protocol !== "file:") {
    const found = await fetch(link.href, {method: "HEAD"}).catch(() => ({ok: false}));
    if (found.ok) return location.assign(link.href);
    said = "It can't be run here: the folder lite is missing beside this book.";
  }
  link.nextElementSibling.textContent = said;
});
