#!/usr/bin/env python3
"""Dissipation of the Taylor-Green vortex over time from monitor.csv of a run: the rate at which kinetic energy is lost, that by viscosity in resolved
vorticity, 2 mu times the enstrophy, and the work of pressure, all per volume; the peaks, beside the reference.

    python3 cases/taylor-green-re1600/dissipation.py output/monitor.csv [--viscosity 6.25e-4]
"""
import argparse
import csv
import math

VOLUME = (2 * math.pi)**3
REFERENCE = "reference (spectral, 512^3 points, 1st International Workshop on High-Order CFD Methods): 0.01286 at t = 8.97"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("monitor", help="monitor.csv of a run")
    parser.add_argument("--viscosity", type=float, default=1 / 1600, help="mu of the run")
    chosen = parser.parse_args()
    with open(chosen.monitor, newline="", encoding="utf-8") as file:
        rows = [{key: float(row[key]) for key in ("time", "kinetic_energy", "enstrophy", "compression")} for row in csv.DictReader(file)]
    rows = [row for k, row in enumerate(rows) if k == 0 or row["time"] > rows[k - 1]["time"]]
    peaks = {"loss": (0, 0), "viscous": (0, 0)}
    print("time,energy_loss,viscous,pressure_work")
    for before, row, after in zip(rows, rows[1:], rows[2:]):
        loss = (before["kinetic_energy"] - after["kinetic_energy"]) / (after["time"] - before["time"]) / VOLUME
        viscous = 2 * chosen.viscosity * row["enstrophy"] / VOLUME
        print(f"{row['time']:.4f},{loss:.6e},{viscous:.6e},{row['compression'] / VOLUME:.6e}")
        for name, value in (("loss", loss), ("viscous", viscous)):
            peaks[name] = max(peaks[name], (value, row["time"]))
    for name, what in (("loss", "kinetic energy lost"), ("viscous", "2 mu enstrophy")):
        print(f"# peak of {what}: {peaks[name][0]:.5f} at t = {peaks[name][1]:.2f}")
    print(f"# {REFERENCE}")


if __name__ == "__main__":
    main()
