"""Timings that the README, the page Further and lesson 11 read, and their common code."""
