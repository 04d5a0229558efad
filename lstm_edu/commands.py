"""What each command of the command line does; `lstm_edu.__main__` reads its arguments."""

import datetime
import errno
import inspect
import io
import json
import os
import re
import sys
from contextlib import nullcontext, suppress
from dataclasses import fields
from itertools import islice

from . import files
from .aligned import AlignedEncoder
from .cells import CELLS, Attention, Bidirectional
from .data import beir, trec
from .data.clicks import iter_pairs, iter_titles, read_judgments, read_pairs
from .files import InputError
from .loading import load
from .model import LINES, DualEncoder
from .ranking import ndcg, nearest
from .text.hashing import LetterTrigrams
from .training import runs
from .training import train as training
from .training.cluster import connected
from .training.settings import PAPER, PAPER_START

FIGURES = ".png", ".svg", ".pdf"
RECURRENT = {kind.__name__.lower(): kind for kind in CELLS if hasattr(kind, "n_cells")}


def train(args):
    """Train and save."""
    _check_written("--out", args.out, args.pairs, args.start_from)

    def each_pair():
        return iter_pairs(args.pairs) if pairs is None else pairs

    done, before = [], _stamp(args.out)

    def after_epoch(model, history):
        done.append(history)
        if not args.quiet:
            try:
                _print_epoch(history)
            except OSError as error:
                if not has_no_reader(error):
                    raise
                print_no_more()  # but train on

    try:
        runs.check_free(args.out, args.resume, args.overwrite)
        # a pipe can be read but once; of a file no text is kept
        pairs = None if os.path.isfile(args.pairs) else read_pairs(args.pairs)
        settings = _settings(args)
        model = _model(args, each_pair, settings.get("seed", 0))
        with nullcontext() if args.cluster is None else connected(args.cluster) as cluster:
            training.train(
                model,
                each_pair(),
                checkpoint=args.out,
                resume=args.resume,
                overwrite=args.overwrite,
                progress=False if args.quiet else None,
                callback=after_epoch,
                cluster=cluster,
                **settings,
            )
    except InputError as error:
        names = {*inspect.signature(training.train).parameters, "n_cells", "min_count"}
        raise InputError(_by_flags(str(error), names)) from None
    except KeyboardInterrupt:
        ours = _stamp(args.out) != before or args.resume and before is not None
        said = _kept(args.out) if ours else "no epoch is done, nothing is kept"
        raise KeyboardInterrupt(said) from None
    if not done and not args.quiet:
        print(f"{args.out} is complete; there was nothing to resume")


def _settings(args):
    """What `lstm_edu.train` is told, by the command line or the paper."""
    names = [
        name
        for name in inspect.signature(training.train).parameters
        if hasattr(args, name) and name not in ("pairs", "resume", "overwrite", "cluster")
    ]
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    settings = (PAPER if args.paper else {}) | given
    if args.optimizer == "adam" and args.momentum is None:
        settings["momentum"] = None  # the paper's is Nesterov's
    return {name: None if value == "none" else value for name, value in settings.items()}


def _model(args, each_pair, seed):
    """The model to train: a new one, or that of --start-from."""
    if args.start_from is None:
        texts = (text for pair in each_pair() for text in pair)
        min_count = 1 if args.min_count is None else args.min_count
        start = (PAPER_START if args.paper else {}) | (
            {} if args.tied is None else {"tied": args.tied}
        )
        goes_on = args.resume and os.path.exists(args.out)
        # a run that began before 0.2 goes on by the rule that it began with
        rule = load(args.out).hashing.rule if goes_on else "NFKC"
        hashing = LetterTrigrams.fit(texts, min_count, rule)
        kind = AlignedEncoder if args.aligned else DualEncoder
        return kind(_cell(args), hashing, seed, **start)
    names = "cell", "cells", "forget_gate", "peepholes", "bidirectional", "attention", "aligned"
    for name in (*names, "tied", "min_count"):
        value = getattr(args, name)
        if value is not None and value is not False:  # a number may be 0
            raise InputError(f"{flag(name)}: --start-from keeps what its model has")
    return load(args.start_from)


def _cell(args):
    """The cell that the command line asks for."""
    name = args.cell or "lstm"
    kind = RECURRENT[name]
    given = {"forget_gate": args.forget_gate, "peepholes": args.peepholes}
    arguments = {name: value for name, value in given.items() if value}
    for argument in arguments:
        if argument not in {field.name for field in fields(kind)}:
            raise InputError(f"{flag(argument)}: --cell {name} has none")
    if args.cells is not None:
        arguments["n_cells"] = args.cells
    cell = Bidirectional(kind(**arguments)) if args.bidirectional else kind(**arguments)
    return Attention(cell) if args.attention else cell


def flag(name):
    """The command line's name of an argument: --negatives of n_negatives."""
    return "--" + name.removeprefix("n_").replace("_", "-")


def _by_flags(said, names):
    """What is said of the arguments, with their names on the command line."""
    if said.split(":")[0] in names:
        said = re.sub(r"\w+", lambda m: flag(m[0]) if m[0] in names and "_" in m[0] else m[0], said)
        said = said if said.startswith("--") else "--" + said
    said = re.sub(r"\b(resume|overwrite)=True", r"--\1", said)
    return re.sub(r"(?<=: its )\w+(?= is )", lambda m: flag(m[0]) if m[0] in names else m[0], said)


def _stamp(path):
    """What tells whether a file has been written since; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


def _kept(path):
    """What a run that was stopped has left, and how to go on."""
    n = len(load(path).training["history"]["cost"])
    epochs = "1 epoch" if n == 1 else f"{n} epochs"
    return f"{path} keeps {epochs}; the same command with --resume goes on from there"


def _print_epoch(history):
    last = {name: values[-1] for name, values in history.items()}
    held_out = f"  held-out nDCG@10 {last['held_out']:.4f}" if "held_out" in last else ""
    norms = f"{last['gradient_norm_query']:.3g} {last['gradient_norm_document']:.3g}"
    print(
        f"epoch {len(history['cost']):3}  cost {last['cost']:.4f}  "
        f"|gradient| {norms}{held_out}  {last['seconds']:.1f} s",
        flush=True,
    )


def evaluate(args):
    """Print nDCG of a model, or of a run, as lines or JSON."""
    if args.run is not None:
        _check_written("--run", args.run, args.model, args.judgments, args.queries, args.documents)
    if trec.n_columns(args.model) == len(trec.RUN):
        if args.run is not None:
            raise InputError(f"--run: {args.model} is no model that could rank, but a run itself")
        result = ndcg.evaluate_run(trec.read_run(args.model), _grades(args), args.ndcg)
    elif args.run is not None:
        model, judgments = load(args.model), _judgments(args)
        run = ndcg.run_of(model, judgments)
        trec.write_run(args.run, run)
        result = ndcg.evaluate_run(run, _by_query(judgments), args.ndcg)
    else:
        result = ndcg.evaluate(load(args.model), _judgments(args), args.ndcg)
    if args.json:
        print(json.dumps(result | {"ndcg": args.ndcg}))
    else:
        for name in ("nDCG@1", "nDCG@3", "nDCG@10"):
            print(f"{name:8} {result[name]:.4f}")
        print(f"{args.ndcg}: {ndcg.KINDS[args.ndcg]}; equal scores share their ranks")
        left_out = f"{result['n_left_out']} without a relevant title left out"
        print(f"{result['n_queries']} queries; {left_out}")


def _judgments(args):
    """The judged queries with their texts."""
    if args.queries is not None or args.documents is not None:
        if args.queries is None or args.documents is None:
            raise InputError("--queries, --documents: qrels need both")
        return trec.read_qrels(args.judgments, args.queries, args.documents)
    if os.path.isdir(args.judgments):
        return beir.read_beir(args.judgments, train=None)[1]
    if trec.n_columns(args.judgments) == len(trec.QRELS):
        raise InputError(
            f"{args.judgments}: has the columns of qrels, which hold no texts; "
            "a model wants them: --queries and --documents"
        )
    return read_judgments(args.judgments)


def _grades(args):
    """The grades alone, which are enough to evaluate a run."""
    if os.path.isdir(args.judgments):
        return beir.read_grades(args.judgments)
    if trec.n_columns(args.judgments) == len(trec.QRELS):
        return trec.read_grades(args.judgments)
    return _by_query(read_judgments(args.judgments))


def _by_query(judgments):
    return {search.qid: dict(zip(search.docids, search.grades)) for search in judgments}


def _check_written(option, path, *inputs):
    """Say now whether a file could be written at the end, and that it is none of the inputs."""
    files.check_writable(path)
    for name in inputs:
        is_folder = name is not None and os.path.isdir(name)
        files.check_apart(option, path, *(beir.files_of(name) if is_folder else [name]))


def rank(args):
    """Print the best titles with their scores, or write them as a run for many queries."""
    if args.top < 1:
        raise InputError(f"--top: {args.top}; must be at least 1")
    if args.run is not None:
        return _rank_many(args)
    if args.query is None or args.queries is not None:
        raise InputError("--query: is missing; for many queries, --queries and --run")
    if not args.query.split():
        raise InputError("--query: is empty")
    model, titles, best = load(args.model), iter_titles(args.titles), []
    for block in iter(lambda: list(islice(titles, _lines(model))), []):
        # equal scores stay in the file's order
        best = sorted(best + model.rank(args.query, block), key=lambda ranked: -ranked[1])
        best = best[: args.top]
    for title, score in best:
        print(f"{score:+.4f}\t{title}")


def _lines(model):
    """How many titles to have in memory at a time; of aligned words each is several vectors."""
    return max(1, LINES // 16) if model.relevance.words else LINES


def _rank_many(args):
    """Write a run: the best titles for each of many queries; titles come block by block."""
    is_beir = os.path.isdir(args.titles)
    if args.query is not None or args.queries is None and not is_beir:
        raise InputError("--run: is for the queries of a file, --queries FILE")
    _check_written("--run", args.run, args.model, args.titles, args.queries)
    queries = trec.read_queries(args.queries) if args.queries else beir.read_queries(args.titles)
    titles = beir.iter_corpus(args.titles) if is_beir else trec.iter_documents(args.titles)
    model = load(args.model)

    def blocks():
        for block in iter(lambda: list(islice(titles, _lines(model))), []):
            docids, texts = zip(*block)
            yield docids, model.encode_document(texts)

    asked, run = model.encode_query(list(queries.values())), {}
    if model.relevance.words:
        scores = ((docids, model.similarity(asked, words)) for docids, words in blocks())
        found = nearest.top_of_scores(scores, args.top)
    else:
        found = nearest.top_of_blocks(asked, blocks(), args.top)
    for qid, docids, scores in zip(queries, *found):
        run[qid] = dict(zip(docids, map(float, scores)))
        if len(run[qid]) < len(docids):
            raise InputError(f"{args.titles}: a docid of the best for qid {qid!r} comes twice")
    trec.write_run(args.run, run)


def compare(args):
    """Print Table IV, as text or JSON."""
    from .table_iv import comparison, parts, results

    rows = comparison.ROWS if args.rows is None else args.rows.split(",")
    figure = None if args.figure is None else _figure(args)
    pairs, judgments = read_pairs(args.pairs), read_judgments(args.judgments)
    settings = args.ndcg, args.epochs, args.search_pairs
    folder = parts.folder_of(pairs, judgments, *settings) if args.folder is None else args.folder
    settings = *settings, args.skip_thought, args.sentences

    try:
        result = comparison.table_iv(
            pairs, judgments, folder, rows, args.seeds, *settings, args.jobs, tell
        )
    except InputError as error:
        raise InputError(_by_flags(str(error), comparison.MOST)) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"the parts that are done are kept in {folder}; the same command goes on from there"
        ) from None
    if args.json:
        head = {
            "date": str(datetime.date.today()),
            "pairs": len(pairs),
            "seeds": args.seeds,
            "epochs": args.epochs,
            "search_pairs": args.search_pairs,
        }
        rows = ",\n".join(json.dumps(row) for row in result["rows"])  # a row a line
        print(json.dumps(head | {"metric": result["metric"]})[:-1] + f', "rows": [\n{rows}]}}')
    else:
        print(results.as_text(result))
    if figure is not None:
        figure(result)


def _figure(args):
    """What draws the table into --figure, whole or not at all; what cannot be is said now."""
    from .plots import comparison
    from .table_iv.skip_thought_files import FILES

    model = [os.path.join(args.skip_thought or "", name) for name in FILES]
    _check_written("--figure", args.figure, args.pairs, args.judgments, args.sentences, *model)
    kind = os.path.splitext(args.figure)[1].lower()
    if kind not in FIGURES:
        raise InputError(f"--figure: {args.figure!r}; must end in {', '.join(FIGURES)}")

    def draw(result):
        drawn = io.BytesIO()
        comparison(result).savefig(drawn, format=kind[1:])
        files.write_bytes(args.figure, drawn.getvalue())

    return draw


def sample(args):
    """Write the sample data."""
    from .data import questions, synthetic

    if args.seed < 0:
        raise InputError(f"--seed: {args.seed}; must be a whole number from 0")
    synthetic.write(args.out, args.seed)
    questions.write(os.path.join(args.out, "questions"), args.seed)


def has_no_reader(error):
    """Whether a pipe is meant whose other end is closed, of which Windows says EINVAL."""
    unread = (errno.EPIPE, errno.EINVAL) if sys.platform == "win32" else (errno.EPIPE,)
    return isinstance(error, OSError) and error.errno in unread and error.filename is None


def print_no_more():
    """Send what is still printed nowhere."""
    with suppress(OSError, ValueError):  # of a stream that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(line):
    """Print a line on the standard error, if that can be; if not, the work goes on all the same."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:  # print would take the standard output instead
            print(files.one_line(line), file=sys.stderr, flush=True)
