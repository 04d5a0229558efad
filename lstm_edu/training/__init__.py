"""Training: minibatches of a click log, Nesterov momentum, Adam, clipping, checkpoints.

These are the steps of `lstm_edu.train` for one minibatch with the default settings. The optimizer
is Adam, and a query's unclicked titles are all titles of the minibatch that were not clicked for
it. (With `lstm_edu.PAPER`, `nesterov.Nesterov` replaces Adam, and `minibatches.sample_unclicked`
draws the unclicked titles.)

1. Before the first epoch `loop.train` converts the texts to numbers with `minibatches.from_pairs`
   and creates a `runs.Run`, which has an `Adam` for each side (query and document).
2. `loop.train` → `loop._epoch` → `loop._updates` → `loop.update`, for each of the `Examples` that
   `minibatches.of_epoch` yields.
3. `Batch.compact` finds the rows of W that the minibatch touches. `Adam.ahead` returns the weights
   at which the gradient is taken, with only these rows of W. (`Adam` inherits everything except its
   formula from `nesterov.Lazy`.)
4. `lstm_edu.gradients.minibatch.minibatch_gradient` does steps 5 to 7. A large minibatch is split
   into parts, called lanes, for two threads (`parallel.worth`, `lanes.lanes`); minibatches of the
   sample data are too small for this.
5. Forward pass: `parallel.read_in_lanes` → `Recurrent.forward` (in `cells/cell.py`) →
   `LSTM.outputs`.
6. Loss (5) and the errors at the embeddings (15): `Cosine.cost_gradient` →
   `cost.cost_gradient` → `cost.cosines_with_all` → `cost.loss_gradient` → `cost.loss`.
7. Backward pass: `go_back` in `parallel.read_in_lanes` → `minibatch.backward` →
   `Recurrent.backward` → `LSTM.errors`, then `LSTM.gradient`. Finally
   `lstm_edu.text.lanes.trigrams_gradient` computes the gradient of W's touched rows.
8. `nesterov.clip` limits the norm of each side's gradient.
9. `Adam.move` updates the weights with `Adam.update` → `adam.correct`: first Wrec and b, then the
   touched rows of W in blocks.
10. The updated weights are copies, in `Run.sides`. The model's weights are their running average,
    which `Adam.move` also updates. In untouched rows of W, the average is updated when the rows are
    touched next, or at the end of the epoch by `Adam.catch_up`.

`algorithm_1` implements an epoch in plain form, as in the paper and in lesson 06. Tests check that
both forms agree.

Lessons 06, 07, 11 and 14.
"""
