"""The model as somebody writes it in PyTorch who does not think of speed: an `EmbeddingBag` of
letter trigrams, a packed `nn.LSTM`, Adam, and the other titles of the minibatch as negatives.

It has the parameters of `nn.LSTM`: a forget gate, two biases, and between trigrams and gates a word
vector, as long as the embedding. Where it is kinder to itself than most: the trigrams of every text
are looked up before the clock starts.
"""

import numpy as np
import torch
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

import lstm_edu


class Encoder(torch.nn.Module):
    """Texts to unit vectors."""

    def __init__(self, n_trigrams, n_cells):
        super().__init__()
        self.words = torch.nn.EmbeddingBag(n_trigrams, n_cells, mode="sum")
        torch.nn.init.normal_(self.words.weight, std=0.05)  # left at 1, all cells are saturated
        self.lstm = torch.nn.LSTM(n_cells, n_cells, batch_first=True)

    def forward(self, texts):
        ids, starts, lengths = zip(*texts)
        n_ids = np.cumsum([0, *map(len, ids)])[:-1].tolist()
        starts = torch.cat([own + n for own, n in zip(starts, n_ids)])
        words = self.words(torch.cat(ids), starts).split(lengths)
        padded = pad_sequence(words, batch_first=True)
        packed = pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False)
        _, (y, _) = self.lstm(packed)
        return functional.normalize(y[0], dim=1)


class Ranker:
    """Two encoders that start alike, and what is known of the texts."""

    def __init__(self, pairs, n_cells, seed):
        torch.manual_seed(seed)
        self.hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
        self.query, self.document = (Encoder(self.hashing.size, n_cells) for _ in range(2))
        self.document.load_state_dict(self.query.state_dict())
        self.known = {}

    def numbers(self, text):
        """A text's trigrams, where each of its words starts among them, and how many words."""
        if text not in self.known:
            words = self.hashing.words(text) or [""]  # a sentence has a word, if an empty one
            counts = self.hashing.operator(words)
            ids = np.repeat(counts.indices, counts.data.astype(int))
            starts = np.append(0, np.cumsum(counts.sum(axis=1)))[:-1]
            as_tensors = (torch.from_numpy(x.astype(np.int64)) for x in (ids, starts))
            self.known[text] = *as_tensors, len(words)
        return self.known[text]

    @property
    def sides(self):
        return self.query, self.document

    def embed(self, side, texts, size=1024):
        """Unit vectors of many texts."""
        blocks = (texts[start : start + size] for start in range(0, len(texts), size))
        return torch.cat([side([self.numbers(text) for text in block]) for block in blocks])

    @torch.no_grad()
    def scores(self, queries, titles):
        """As `lstm_edu.DualEncoder.scores`."""
        all_ = list(dict.fromkeys(title for some in titles for title in some))
        row = {title: k for k, title in enumerate(all_)}
        yq, yd = (self.embed(side, texts) for side, texts in zip(self.sides, (queries, all_)))
        return [(yd[[row[t] for t in some]] @ y).numpy() for y, some in zip(yq, titles)]


def epoch(ranker, optimizer, minibatches, gamma):
    """An epoch over minibatches, each a list of (query, title)."""
    for pairs in minibatches:
        queries, titles = ([ranker.numbers(text) for text in texts] for texts in zip(*pairs))
        R = gamma * ranker.query(queries) @ ranker.document(titles).T
        loss = functional.cross_entropy(R, torch.arange(len(pairs)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
