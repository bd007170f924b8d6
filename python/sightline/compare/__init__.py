"""Ray casters that are installed beside sightline, scored: rate, right answers, repeatability.

``python -m sightline.compare`` runs it; docs/compare.md holds a table and says how to read it.
"""
