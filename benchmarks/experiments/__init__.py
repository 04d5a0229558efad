"""Trainings whose figures lessons and pages read, one file per question."""
