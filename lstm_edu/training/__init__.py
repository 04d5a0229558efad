"""Algorithm 1: minibatches of a click log, Nesterov momentum (6), clipping, checkpoints; Adam.

The path of a minibatch through `lstm_edu.train`, with the default settings: Adam, and as unclicked
titles all titles of the minibatch that the query has not clicked. (With `lstm_edu.PAPER`,
`nesterov.Nesterov` takes Adam's place, and `minibatches.sample_unclicked` draws the titles.)

1. Before the first epoch `loop.train` turns the texts into numbers, `minibatches.from_pairs`, and
   makes a `runs.Run`, which has an `Adam` for each side.
2. `loop.train` → `loop._epoch` → `loop._updates` → `loop.update`, for each of the `Examples` that
   `minibatches.of_epoch` yields.
3. `Batch.compact` finds the rows of W that the minibatch touches. `Adam.ahead` returns the weights
   at which to take the gradient, with only these rows. (`Adam` inherits all but its formula from
   `nesterov.Lazy`.)
4. `lstm_edu.gradients.minibatch.minibatch_gradient` does steps 5 to 7. A large minibatch is split
   into lanes for two threads (`parallel.worth`, `lanes.lanes`); those of the sample are too small.
5. The forward pass: `parallel.read_in_lanes` → `Recurrent.forward` (in `cells/cell.py`) →
   `LSTM.outputs`.
6. The loss (5) and the errors at the embeddings (15): `Cosine.cost_gradient` →
   `cost.cost_gradient` → `cost.cosines_with_all` → `cost.loss_gradient` → `cost.loss`.
7. The backward pass: `go_back` in `parallel.read_in_lanes` → `minibatch.backward` →
   `Recurrent.backward` → `LSTM.errors`, then `LSTM.gradient`. At the end
   `lstm_edu.text.lanes.trigrams_gradient` sums the rows of W's gradient.
8. `nesterov.clip` limits the norm of each side's gradient.
9. `Adam.move` changes the weights by `Adam.update` → `adam.correct`: first Wrec and b, then the
   touched rows of W, block by block.
10. These weights are copies, in `Run.sides`. The model's weights are their running average, which
    `Adam.move` updates, too. In rows of W that were not touched, the average catches up when they
    are touched next, or at the end of the epoch, by `Adam.catch_up`.

`algorithm_1` is an epoch of the paper in plain lines, for comparison in tests; lesson 06 writes it,
too.

Lessons 06, 07, 11 and 14.
"""
