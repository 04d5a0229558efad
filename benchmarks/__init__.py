"""Measurements that take long: experiments, timings, and their stored results."""
