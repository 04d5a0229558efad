# Set up the course that was cloned to /c, on Colab: notebooks run in /content, so that `..` is `/`.
cd /c && python -m pip install -q ".[widgets]" bm25s
ln -sfn /c/data_samples /c/benchmarks /c/book /
