#!/usr/bin/env python3
"""Dissipation of the Taylor-Green vortex over time from monitor.csv of a run: the rate at which kinetic energy is lost, that by viscosity in resolved
vorticity, 2 mu times the enstrophy, and the work of pressure, all per volume; the peaks, beside the reference.

    python3 cases/taylor-green-re1600/dissipation.py output/monitor.csv [--viscosity 6.25e-4]
"""
import argparse
import csv
import math
import typing

VOLUME = (2 * math.pi)**3
REFERENCE = "reference (spectral, 512^3 points, 1st International Workshop on High-Order CFD Methods): 0.01286 at t = 8.97"


class Rate(typing.NamedTuple):
    time: float
    loss: float  # of kinetic energy
    viscous: float  # 2 mu times the enstrophy
    pressure_work: float


def rates(lines, viscosity):
    """Of the lines of a monitor.csv, per volume; losses are those between the rows before and after."""
    rows = [{key: float(row[key]) for key in ("time", "kinetic_energy", "enstrophy", "compression")} for row in csv.DictReader(lines)]
    rows = [row for k, row in enumerate(rows) if k == 0 or row["time"] > rows[k - 1]["time"]]
    return [Rate(row["time"], (before["kinetic_energy"] - after["kinetic_energy"]) / (after["time"] - before["time"]) / VOLUME,
                 2 * viscosity * row["enstrophy"] / VOLUME, row["compression"] / VOLUME)
            for before, row, after in zip(rows, rows[1:], rows[2:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("monitor", help="monitor.csv of a run")
    parser.add_argument("--viscosity", type=float, default=1 / 1600, help="mu of the run")
    chosen = parser.parse_args()
    with open(chosen.monitor, newline="", encoding="utf-8") as file:
        found = rates(file, chosen.viscosity)
    print("time,energy_loss,viscous,pressure_work")
    for rate in found:
        print(f"{rate.time:.4f},{rate.loss:.6e},{rate.viscous:.6e},{rate.pressure_work:.6e}")
    for name, what in (("loss", "kinetic energy lost"), ("viscous", "2 mu enstrophy")):
        peak = max(found, key=lambda rate: getattr(rate, name), default=None)
        if peak:
            print(f"# peak of {what}: {getattr(peak, name):.5f} at t = {peak.time:.2f}")
    print(f"# {REFERENCE}")


if __name__ == "__main__":
    main()
