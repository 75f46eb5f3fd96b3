#!/usr/bin/env python3
"""Gives damaged cases, meshes, checkpoints, agglomerations and CAD files to the program and watches how it ends: an exit code of the user guide with a message, never a
signal, 'unexpected', a sanitizer's report, a program that does not end, or a half-written file.

    scripts/fuzz.py [--galerna build/galerna] [--seconds 60] [--seed 1] [cases] [meshes] [checkpoints] [agglomerations] [cad]

Each kind takes so many seconds; the sequence of inputs depends on the seed alone. By hand, for an hour in all: --seconds 900 --seed 2. Kernels are compiled
without optimization, and kept in $GALERNA_CACHE or beside the program. Inputs that failed are kept in fuzz-failures/ with a line that repeats them; exit code 1
if there are any.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
MESHES = ROOT / "tests/mesh/data"
POLYTOPES = ROOT / "tests/polytopic/data"
CAD = ROOT / "tests/cad/data"
SEAL = 512  # bytes before the HDF5 file in a checkpoint
EXIT_CODES = {0, 2, 3, 4, 130}
WRONG = re.compile(rb"unexpected:|Sanitizer|runtime error|terminate called|Assertion|stack smashing|std::")

FLOW = """
[mesh]
file = "{mesh}"
[equations]
type = "{equations}"
{viscosity}
[discretization]
order = 1
riemann = "hllc"
[time]
scheme = "ssprk33"
cfl = 0.5
end = 1
max_steps = 2
[constants]
mach = 0.3
[functions]
bump = "exp(-(x^2 + y^2)*4)"
[initial]
density = "1 + 0.1*bump"
velocity_x = "mach"
velocity_y = 0
{third}
pressure = "1/1.4"
[boundary.bottom]
type = "{wall}"
[boundary.rest]
type = "far-field"
density = 1
velocity_x = "mach"
velocity_y = 0
{third}
pressure = "1/1.4"
[output]
directory = "out"
[output.fields]
twice = "2*density"
[output.checkpoint]
steps = 1
[output.probe.near]
point = {point}
[output.integral.mass]
formula = "density"
[output.picture.main]
field = "mach"
width = 200
{picture}
"""
POLYTOPIC = """
[functions]
u = "sin(pi*x)*sin(pi*y)"
[mesh]
file = "{mesh}"
agglomerate = {{ file = "{agglomeration}" }}
[equations]
type = "advection-diffusion-reaction"
diffusion = 1
reaction = "1 + x"
source = "(2*pi^2 + 1 + x)*u"
[discretization]
order = 1
{boundaries}
[exact]
value = "u"
[output]
directory = "out"
"""
TEXTS = {
    "plane.toml": FLOW.format(mesh="plane.msh", equations="euler", viscosity="", third="", wall="slip-wall", point="[0.3, 0.3]", picture=""),
    "curved.toml": FLOW.format(mesh="curved.msh", equations="navier-stokes", viscosity="mu = 0.01", third="", wall="no-slip-adiabatic", point="[0.3, 0.3]",
                               picture="mesh = true\nstreamlines = 3"),
    "space.toml": FLOW.format(mesh="space.msh", equations="euler", viscosity="", third="velocity_z = 0", wall="slip-wall", point="[0.3, 0.3, 0.3]",
                              picture="normal = [0, 1, 0]\npoint = [0.5, 0.5, 0.5]"),
    "polygons.toml": POLYTOPIC.format(mesh="polygons.msh", agglomeration="polygons.agg",
                                      boundaries="".join(f'[boundary.{side}]\ntype = "dirichlet"\nvalue = 0\n' for side in ("bottom", "right", "top", "left"))),
}
FILES = {
    "plane.msh": MESHES / "plane-order1-41.msh",
    "curved.msh": MESHES / "plane-order2-22.msh",
    "space.msh": MESHES / "solids-order1-41.msh",
    "polygons.msh": POLYTOPES / "square1.msh",
    "polygons.agg": POLYTOPES / "square1.agg",
}
NASTY = ["", "0", "-1", "1", "2", "3", "-0.0", "1e308", "-1e308", "1e-320", "inf", "nan", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
         "4294967296", "2147483648", "1e400", "0x7f", "x", "true", "[]", "{}", "[[]]", "{ a = {} }", '""', '" "', '"x"', '"/"', '"../x"', '"\\u0000"', '"é"', "'''",
         '"1/0"', '"sqrt(-1)"', '"x/x"', '"(("', '"where(x > 0, 1)"', '"ddx(x)"', "1979-05-27", "[1, 2]", "[1, 2, 3]", "[1e308, -1e308]", '["a", "a"]', "9" * 400,
         "[" * 300, '"' + "x+" * 3000 + 'x"', '"' + "a" * 5000 + '"']


def damaged_bytes(data, random_):
    data = bytearray(data)
    for _ in range(random_.choice((1, 1, 2, 8, 40))):
        if not data:
            break
        at = random_.randrange(len(data))
        action = random_.randrange(6)
        if action < 3:
            data[at] = random_.choice((0, 1, 0x7F, 0x80, 0xFF, random_.randrange(256), data[at] ^ (1 << random_.randrange(8))))
        elif action == 3:
            del data[at:at + random_.choice((1, 4, 8, 100))]
        elif action == 4:
            data[at:at] = bytes(random_.randrange(256) for _ in range(random_.choice((1, 4, 8))))
        elif random_.random() < 0.3:
            del data[at:]
    return bytes(data)


def damaged_lines(data, random_, words):
    """\\param words pattern of what is replaced in a line"""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for _ in range(random_.choice((1, 1, 1, 2, 4))):
        at = random_.randrange(len(lines))
        action = random_.randrange(9)
        found = list(re.finditer(words, lines[at]))
        if action < 5 and found:
            match = random_.choice(found)
            begin, end = match.span(match.lastindex or 0)
            lines[at] = lines[at][:begin] + random_.choice(NASTY) + lines[at][end:]
        elif action == 5:
            lines[at:at + 1] = [lines[at]] * random_.choice((0, 0, 2, 3))
        elif action == 6:
            other = random_.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif action == 7:
            begin = random_.randrange(len(lines))
            lines[at:at] = lines[begin:begin + random_.choice((1, 2, 8))]
        else:
            del lines[at:at + random_.choice((1, 2, 5))]
        lines = lines or [""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def damaged(data, random_, words):
    return damaged_bytes(data, random_) if random_.random() < 0.25 else damaged_lines(data, random_, words)


def resealed(data):
    """The checkpoint with the size and checksum in its head that fit what is behind it: damage that somebody made on purpose."""
    format_ = data.split(b"\n")[0]
    head = format_ + b"\nbytes %d\ncrc32 %08x\n" % (len(data) - SEAL, zlib.crc32(data[SEAL:]))
    return head.ljust(SEAL, b"\0") + data[SEAL:]


NUMBERS = r"[^\s\"]+"
ENTITIES = r"[#\w.+-]+"
VALUES = r"(?:=\s*(.*)|\[([^\[\]]*)\]|(\w+))"


class Fuzzer:
    def __init__(self, galerna, kernels, seed, limit):
        self.galerna, self.kernels, self.seed, self.limit = galerna, kernels, seed, limit
        self.failures = []
        self.counts = {}
        self.lock = threading.Lock()
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="galerna-fuzz-"))
        for name, file in FILES.items():
            shutil.copy(file, self.base / name)
        for name, text in TEXTS.items():
            (self.base / name).write_text(text)
        self.cases = [self.base / name for name in TEXTS] + sorted(ROOT.glob("cases/*/case.toml"))

    def prepare(self):
        """Compiles the kernels and makes checkpoints."""
        for case in TEXTS:
            code, output = self.execute(["run", case, "--device", "cpu", "--output", case[:-5]], self.base, 900)
            if code != 0:
                sys.exit(f"{case}: exit code {code}\n{output.decode(errors='replace')}")

    def execute(self, arguments, folder, limit):
        environment = {**os.environ, "GALERNA_OPTIMIZE": "0", "GALERNA_CACHE": str(self.kernels), "OMP_NUM_THREADS": "1",
                       "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1", "UBSAN_OPTIONS": "print_stacktrace=1"}

        def limits():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
        with open(folder / ".said", "w+b") as said:
            process = subprocess.Popen([str(self.galerna), *map(str, arguments)], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said,
                                       stderr=subprocess.STDOUT, preexec_fn=limits)
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                code = None
            said.seek(0)
            return code, said.read(1 << 20)

    def commands_of(self, kind, folder, random_):
        """Damages a copy of the input in the folder; returns what to run."""
        for name in (*FILES, *TEXTS):
            shutil.copy(self.base / name, folder / name)
        case = random_.choice(list(TEXTS))
        stem = case[:-5]
        run = ["run", case, "--device", "cpu", "--quiet"]

        def damage(name, words, source=None):
            data = (source or folder / name).read_bytes()
            (folder / name).write_bytes(damaged(data, random_, words) if words else damaged_bytes(data, random_))
        if kind == "cases":
            source = random_.choice(self.cases[:len(TEXTS)] if random_.random() < 0.7 else self.cases)
            damage("case.toml", VALUES, source)
            commands = [["check", "case.toml", "--device", "cpu"]]
            if source.parent == self.base and random_.random() < 0.1:
                commands.append(["run", "case.toml", "--device", "cpu", "--quiet", "--set", "time.max_steps=1", "--output", "out"])
            return commands
        if kind == "meshes":
            others = sorted(MESHES.glob("*.msh"))
            source = random_.choice(others) if random_.random() < 0.5 else None
            binary = source and "binary" in source.name
            damage(stem + ".msh", None if binary else NUMBERS, source)
            commands = [["info", stem + ".msh"], ["check", case, "--device", "cpu"], ["agglomerate", stem + ".msh", "-o", "new.agg", "--simplices", "3"]]
            return commands + ([run] if source is None and random_.random() < 0.3 else [])
        if kind == "checkpoints":
            checkpoints = sorted(file for name in TEXTS for file in (self.base / name[:-5]).glob("checkpoint_*.h5"))
            source = random_.choice(checkpoints)
            stem = source.parent.name
            damage("checkpoint.h5", None, source)
            if random_.random() < 0.6:
                data = (folder / "checkpoint.h5").read_bytes()
                (folder / "checkpoint.h5").write_bytes(resealed(source.read_bytes()[:SEAL] + data[SEAL:]))
            return [["info", "checkpoint.h5"], ["plot", "checkpoint.h5", "-o", "picture.png"],
                    ["run", stem + ".toml", "--device", "cpu", "--quiet", "--restart", "checkpoint.h5"]]
        if kind == "cad":
            source = random_.choice(sorted(CAD.iterdir()))
            name = "damaged" + source.suffix
            damage(name, ENTITIES, source)
            if random_.random() < 0.3:
                data = (folder / name).read_bytes()
                (folder / name).write_bytes(data[:random_.randrange(len(data) + 1)])
            curve = ["curve", "space.msh", "--cad", name, "--boundary", "bottom", "--order", "2", "-o", "curved.msh"]
            return [["info", name], [*curve, "--set", f"mesh.cad.scale={random_.choice((1, 1e-3, 1e3))}"]]
        damage("polygons.agg", NUMBERS)
        return [["info", "polygons.msh", "--agglomeration", "polygons.agg"], ["check", "polygons.toml", "--device", "cpu"],
                ["run", "polygons.toml", "--device", "cpu", "--quiet"]]

    def verdict(self, code, output, folder):
        """What is wrong with the end of a command; "" where nothing is."""
        if code is None:
            return f"took longer than {self.limit} s"
        if code < 0:
            return f"signal {-code}"
        if code not in EXIT_CODES:
            return f"exit code {code}"
        if found := WRONG.search(output):
            return f"says '{found.group().decode()}'"
        if code != 0 and not output.strip():
            return "failed without a word"
        left = [path for path in folder.rglob("*") if path.name.endswith((".tmp", ".lock"))]
        return f"left {left[0].name}" if left else ""

    def try_one(self, kind, number):
        random_ = random.Random(f"{self.seed}-{kind}-{number}")
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{kind}-{number}-", dir=self.base))
        for command in self.commands_of(kind, folder, random_):
            code, output = self.execute(command, folder, self.limit)
            with self.lock:
                self.counts[code] = self.counts.get(code, 0) + 1
            if what := self.verdict(code, output, folder):
                self.keep(f"{kind}-{self.seed}-{number}", folder, command, what, output)
                break
        shutil.rmtree(folder)

    def keep(self, name, folder, command, what, output):
        kept = pathlib.Path("fuzz-failures") / name
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        (kept / "said.txt").write_bytes(output)
        with self.lock:
            self.failures.append(name)
            print(f"{name}: {what}\n  cd {kept} && GALERNA_OPTIMIZE=0 {self.galerna} {' '.join(command)}", flush=True)

    def run(self, kind, seconds, jobs):
        self.counts = {}
        end = time.monotonic() + seconds
        numbers = itertools.count()

        def work():
            while time.monotonic() < end:
                self.try_one(kind, next(numbers))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for worker in [pool.submit(work) for _ in range(jobs)]:
                worker.result()
        print(f"{kind}: {next(numbers)} inputs; ends by exit code: {dict(sorted(self.counts.items(), key=str))}", flush=True)


def main():
    kinds = ["cases", "meshes", "checkpoints", "agglomerations", "cad"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(kinds))
    parser.add_argument("--galerna", type=pathlib.Path, default=ROOT / "build/galerna")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120, help="seconds after which a command counts as one that does not end")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if unknown := set(options.kinds) - set(kinds):
        parser.error(f"no such kind: {', '.join(unknown)}")
    galerna = options.galerna.resolve()
    kernels = pathlib.Path(os.environ.get("GALERNA_CACHE") or galerna.parent / "fuzz-kernels").resolve()
    fuzzer = Fuzzer(galerna, kernels, options.seed, options.limit)
    try:
        if options.kinds != ["cad"]:
            fuzzer.prepare()
        for kind in options.kinds or kinds:
            fuzzer.run(kind, options.seconds, options.jobs)
    finally:
        shutil.rmtree(fuzzer.base, ignore_errors=True)
    return 1 if fuzzer.failures else 0


if __name__ == "__main__":
    sys.exit(main())
