"""Algorithm 1: minibatches of a click log, Nesterov momentum (6), clipping, checkpoints; Adam.

The way of a minibatch, as `lstm_edu.train` goes it by default: by Adam, against every title of the
minibatch that a query has not clicked (neither (6) nor `sample_unclicked` runs; `lstm_edu.PAPER`
asks for them).

1. `loop.train` → `minibatches.of_epoch`, which draws it → `loop.update`, which does the rest.
2. Each side says at which weights the gradient is taken: `optimizers.Adam.look_ahead`.
3. The gradient: `lstm_edu.gradients.parallel.gradient_in_lanes`, by two threads what
   `lstm_edu.gradients.minibatch.minibatch_gradient` does in a line each. Both sides are read,
   `Recurrent.forward` → `LSTM.outputs`; the cost (4), (5) and its errors (11) are
   `Cosine.cost_gradient` → `cost.loss`; the way back is `Recurrent.backward` → `LSTM.errors` →
   `LSTM.gradient`, but for W, whose rows `lstm_edu.text.lanes.trigrams_gradient` adds up.
4. Its norm is limited, `nesterov.clip`, and each side corrects its weights,
   `optimizers.Adam.correct` → `lazy_adam.correct`, which moves the rows that the minibatch touches.
5. `run.sides` are trained. The model's own weights are the average of these.

`algorithm_1` is an epoch of the paper in plain lines; nothing runs it but lessons and tests.

Lessons 06, 07, 11 and 14.
"""
