"""The paper's drawings of its models (Figs. 1-3, 13)."""
