#!/usr/bin/env python3
"""Draws how residuals fall in Newton's method, over right-hand sides and over seconds, from files newton.csv.

    python3 bench/steady_curves.py docs/images/newton.png "cylinder, Re 40, p = 3"=out/newton.csv …

Needs Matplotlib.
"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def main():
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
    for word in sys.argv[2:]:
        label, file = word.rsplit("=", 1)
        with open(file) as text:
            rows = list(csv.DictReader(text))
        residual = [float(row["relative_residual"]) for row in rows]
        for axis, column in zip(axes, ("rhs_evaluations", "seconds")):
            axis.semilogy([float(row[column]) for row in rows], residual, marker=".", linewidth=1, label=label)
    for axis, name in zip(axes, ("right-hand sides", "seconds")):
        axis.set_xlabel(name)
        axis.grid(linewidth=0.3)
    axes[0].set_ylabel("residual, relative to the first one")
    axes[1].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(sys.argv[1], dpi=110)


if __name__ == "__main__":
    main()
