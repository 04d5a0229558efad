"""How fast a step, an epoch, embedding and a search are."""
