"""Timings that the README, lesson 11 and lesson 14 read, and their common code."""
