"""Algorithm 1: minibatches of a click log, Nesterov momentum (6), clipping, checkpoints; Adam.

The way of a minibatch: `minibatches.of_epoch` draws it. `loop.update` lets each side look ahead
(`optimizers`), takes the gradient there (`lstm_edu.gradients.minibatch`, or by two threads
`lstm_edu.gradients.parallel`), clips it (`nesterov`), and lets each side correct its weights.

Lessons 06, 07, 11 and 14.
"""
