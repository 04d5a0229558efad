"""Algorithm 1: minibatches of a click log, Nesterov momentum (6), clipping, checkpoints; Adam.

A minibatch in `lstm_edu.train` by default: Adam, against every title of the minibatch that a query
has not clicked. (Neither (6) nor `sample_unclicked` runs; `lstm_edu.PAPER` asks for them.)

1. `loop.train` → `loop._epoch` → `loop._updates`. For each minibatch that `minibatches.of_epoch`
   draws, `loop.update` does the rest.
2. Each side returns the weights at which the gradient is taken: `Adam.ahead`, in `nesterov.Lazy`.
3. The gradient: `lstm_edu.gradients.minibatch.minibatch_gradient`, whose passes
   `lstm_edu.gradients.parallel.read_in_lanes` runs, by two threads where a minibatch is large
   (`parallel.worth`; the sample's are not). Both sides are read, `Recurrent.forward` (in
   `cells/cell.py`) → `LSTM.outputs`; the cost (5) and its errors at the embeddings (15) are
   `Cosine.cost_gradient` → `cost.cost_gradient` → `cost.cosines_with_all` → `cost.loss_gradient` →
   `cost.loss`; the backward pass is `Recurrent.backward` → `LSTM.errors` → `LSTM.gradient`, but for
   W, whose rows `lstm_edu.text.lanes.trigrams_gradient` adds up.
4. The norm of each side's gradient is limited, `nesterov.clip`, and each side moves its weights,
   `Adam.move`: Wrec and b whole, and of W the rows that the minibatch touches, block by block; both
   by `adam.correct`.
5. This moves copies of the weights, in `Run.sides`. The model's own weights are their average,
   ``mean``, moved in the same call; rows of W that waited follow when they are next touched, or at
   the epoch's end, `Adam.catch_up`.

`algorithm_1` is an epoch of the paper in plain lines, with which tests compare the rest; lesson 06
writes it, too.

Lessons 06, 07, 11 and 14.
"""
