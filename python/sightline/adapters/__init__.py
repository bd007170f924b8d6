"""Scenes from other packages, and to them. Each package is imported when its adapter is called."""
