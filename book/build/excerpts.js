// What search shows below a result. Sphinx's script fetches a page for that; here is its text.
(() => {
  const texts = TEXTS;
  const root = document.documentElement.dataset.content_root;
  const fetched = window.fetch;
  window.fetch = (page, ...more) => {
    const text = typeof page === "string" && texts[page.slice(root.length)];
    return text ? Promise.resolve({ text: async () => text }) : fetched(page, ...more);
  };
})();
