"""Small files in TREC formats, and unusual ids that these formats allow."""

from hypothesis import strategies as st

IDS = st.text(st.characters(codec="utf-8"), min_size=1).filter(
    lambda text: text.split() == [text] != ["#"] and text[0] != "\ufeff" and "\0" not in text
)
QUERIES = "q1\thotels in shanghai\nq2\tflights\nq9\tnobody judged this\n"
DOCUMENTS = "d1\tShanghai hotels\nd2\tcheap flights\nd3\tweather\n"


def write_three(folder, qrels, queries=QUERIES, documents=DOCUMENTS):
    """Write qrels, queries and documents to a folder; return the three paths."""
    paths = [folder / name for name in ("qrels.txt", "queries.tsv", "documents.tsv")]
    for path, text in zip(paths, (qrels, queries, documents)):
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return paths
