// Fill in each <div class="sentence" data-shows="push">, an interactive figure among the sentences
// of a lesson.
const INSTRUMENTS = { push, race, rows };
document.querySelectorAll(".sentence[data-shows]").forEach((root, k) => {
  root.classList.add("mathjax_ignore", "tex2jax_ignore");
  INSTRUMENTS[root.dataset.shows](root, `sentence-${k}`);
});
