#!/usr/bin/env python3
"""The step with each method at shocks: pictures of the density and of the sensor, into docs/images, for docs/shocks.md.

    python3 cases/forward-facing-step/methods.py --galerna build/galerna [--device cuda] [--h 0.04] [--order 2] [--methods filter,viscosity]

Prints the numbers of elements, steps and seconds.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

NO_LIMITER = {"shock__limiter": "", "shock__variables": ""}
METHODS = {"limiter": {}, "filter": NO_LIMITER | {"shock__method": "filter"}, "viscosity": NO_LIMITER | {"shock__method": "viscosity"}}
PICTURES = {"output__picture__density__width": 700, "output__picture__sensor__field": "sensor", "output__picture__sensor__width": 700}


def main():
    chosen = validation.options(__doc__, meshes="", h=0.04, order=2, methods=",".join(METHODS))
    mesh = validation.meshes(chosen, HERE / "tunnel.geo", {f"tunnel{chosen.h}": {"h": chosen.h}})[f"tunnel{chosen.h}"]
    for method in chosen.methods.split(","):
        report = validation.run(chosen, HERE.name, picture=("density", f"shocks-{method}.png"), mesh__file=mesh, discretization__order=chosen.order,
                                **PICTURES, **METHODS[method])
        validation.keep_picture(chosen, report, "sensor", f"shocks-{method}-sensor.png")
        print(method, report["mesh"]["elements"], report["time"]["steps"], "steps", f"{report['time']['wall_loop']:.0f} s", report["limiter"], flush=True)


if __name__ == "__main__":
    main()
