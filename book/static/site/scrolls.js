// What is larger than its place scrolls; so that keys can scroll it, the tab key stops there.
(() => {
  const boxes =
    "pre, p, div.math, .table-wrapper, .cell_output, .output, mjx-container, .jp-RenderedImage, " +
    ".jp-OutputArea-output, .jp-RenderedHTMLCommon, .map";
  const look = () => {
    for (const box of document.querySelectorAll(boxes)) {
      const larger = box.scrollWidth > box.clientWidth && box.clientWidth > 0
        || box.scrollHeight > box.clientHeight + 1 && box.clientHeight > 0;
      if (larger && ["auto", "scroll"].includes(getComputedStyle(box).overflowX)) {
        if (box.tabIndex < 0) box.tabIndex = 0, box.dataset.scrolls = "";
      } else if ("scrolls" in box.dataset) {
        box.removeAttribute("tabindex");
        delete box.dataset.scrolls;
      }
    }
  };
  const start = () => {
    look();
    document.addEventListener("toggle", look, true);  // what was folded had no width
    window.addEventListener("resize", () => { look(); requestAnimationFrame(look); });
    document.fonts.ready.then(look);
    window.MathJax?.startup?.promise?.then(look);
  };
  window.addEventListener("load", start);
})();
