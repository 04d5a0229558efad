"""Algorithm 1: minibatches of a click log, Nesterov momentum (6), clipping, checkpoints; Adam.

The way of a minibatch: `loop.train` → `minibatches.of_epoch`, which draws it → `loop.update`. There
each side looks ahead (`optimizers.Adam.look_ahead`, or `Nesterov`), the gradient is taken
(`lstm_edu.gradients.parallel`, by two threads what `lstm_edu.gradients.minibatch` does in a line
each: `Recurrent.forward` → `LSTM.outputs`, `Cosine.cost_gradient` → `cost.loss`,
`Recurrent.backward` → `LSTM.errors` → `LSTM.gradient`) and clipped (`nesterov.clip`), and each side
corrects its weights (`optimizers.Adam.correct` → `lazy_adam.correct`). Where an average is kept,
`run.sides` are trained and the model's own weights are the average.

Lessons 06, 07, 11 and 14.
"""
