"""Timings quoted in the README, the page Further and lesson 11, and their shared code."""
