"""What the figures come from: experiments, speed, and their stored results."""
