"""Adapter for mteb, the Massive Text Embedding Benchmark (Muennighoff et al. 2023)::

    import mteb
    from lstm_tools.formats.mteb import Encoder

    tasks = mteb.get_tasks(tasks=["NanoSciFactRetrieval"])
    mteb.evaluate(Encoder(lstm_edu.load("model.npz")), tasks)

mteb is not among the project's dependencies, so install it yourself. The methods are those of
`EncoderProtocol` in mteb 2.
"""

from collections.abc import Mapping

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import MissingError
from lstm_edu.gradients.cost import normalise


class Encoder:
    """A wrapper around a model, with the methods that mteb calls.

    Parameters
    ----------
    model : DualEncoder
    name : str
        ``organisation/model``, under which mteb stores the results. mteb skips a name that already
        has results, so another model needs another name.
    """

    def __init__(self, model, name="lstm_edu/model"):
        self.model, self.name = arguments.model(model), arguments.text("name", name)
        if model.relevance.words:
            arguments.refuse("model", model, "a lstm_edu.DualEncoder, with one vector per text")

    def encode(self, inputs, *, task_metadata, hf_split, hf_subset, prompt_type=None, **kwargs):
        """Embed the texts of all batches in an (n_texts, embedding size) array.

        Parameters
        ----------
        inputs : iterable of dict
            Batches, each with a list of str as its ``"text"``.
        prompt_type : "query", "document" or None
            The side of the model that encodes the texts. None, for a task with one kind of text,
            means "document".
        task_metadata, hf_split, hf_subset, **kwargs
            Further arguments of mteb; ignored.
        """
        prompt_type = arguments.choice("prompt_type", prompt_type, [None, "query", "document"])
        texts = []
        for k, batch in enumerate(arguments.each("inputs", inputs, "batches")):
            if not isinstance(batch, Mapping) or "text" not in batch:
                arguments.refuse(f"inputs[{k}]", batch, "a dict with a list of texts as its 'text'")
            texts += arguments.texts(f"inputs[{k}]['text']", batch["text"])
        if prompt_type == "query":
            return self.model.encode_query(texts)
        return self.model.encode_document(texts)

    def similarity(self, embeddings1, embeddings2):
        """Compute the cosines of all pairs of embeddings, as an (n_first, n_second) array.

        The embeddings may be arrays or mteb's tensors.
        """
        return self.model.similarity(*_both(embeddings1, embeddings2))

    def similarity_pairwise(self, embeddings1, embeddings2):
        """Compute the cosine of each embedding with its counterpart, as an (n,) array."""
        first, second = (normalise(y)[0] for y in _both(embeddings1, embeddings2))
        arguments.same_number(embeddings1=first, embeddings2=second)
        return np.einsum("nm,nm->n", first, second)

    @property
    def mteb_model_meta(self):
        """Metadata that mteb stores with the results."""
        try:
            from mteb.models import ModelMeta
        except ImportError:
            raise MissingError("mteb_model_meta: needs mteb: pip install mteb") from None
        facts = {
            "name": self.name,
            "n_parameters": self.model.n_parameters,
            "embed_dim": self.model.document.cell.size,
            "framework": ["NumPy"],
        }
        return ModelMeta.create_empty(overwrites=facts)


def _both(embeddings1, embeddings2):
    return arguments.vectors(embeddings1=embeddings1, embeddings2=embeddings2)
