#!/usr/bin/env python3
"""Lets go wrong what may: memory that ends, Ctrl-C, kill -9, a full disk, at moments spread over set-up, steps and writing.

    python3 bench/faults.py --galerna build/galerna --row hexahedra-p3 --cells 48
    python3 bench/faults.py --galerna build/galerna --device cuda --row tetrahedra-p4 --cells 128 --meshes FOLDER --row-mesh 16

Each run begins in a folder with a checkpoint of an earlier one. Whatever happens, the process must end in time with the exit code and the words that belong to
it, that checkpoint must be what it was, and all others in the folder whole. A full disk is a file system in memory where the user may mount one, else a limit of
the size of files. Prints a line for each fault; exits with 1 if any is not as it should be.
"""
import argparse
import hashlib
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

import filled

IN_TIME = 2.0  # seconds from Ctrl-C to the end


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder, self.bad = options, folder, 0
        dimension = filled.ROWS[options.row][1]
        n, self.refine = options.cells, 0
        while n > filled.MOST[dimension]:
            n //= 2
            self.refine += 1
        filled.write_mesh(options, options.row, n, folder)
        filled.write_case(options.row, n, self.refine, 4, folder)
        self.out = folder / "out"
        for _ in range(2):  # the first one compiles
            began = time.time()
            whole = self.begin()
            self.errors_of(whole)
            self.seconds = time.time() - began
        if whole.returncode:
            raise SystemExit(f"the run fails without a fault: {self.words}")
        (self.out / "checkpoint_final.h5").rename(self.out / "checkpoint_before.h5")
        self.before = self.sum_of(self.out / "checkpoint_before.h5")
        self.size = (self.out / "checkpoint_before.h5").stat().st_size
        self.clean()

    def begin(self, more=(), out=None, **of_process):
        command = [self.options.galerna, "run", str(self.folder / "case.toml"), "--device", self.options.device, "--precision",
                   filled.ROWS[self.options.row][5], "--set", f"mesh.refine={self.refine}", "--set", "output.checkpoint.steps=1", "-o", str(out or self.out), *more]
        return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, **of_process)

    def errors_of(self, process, seconds=600):
        try:
            _, words = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            _, words = process.communicate()
            words += "\nstill there"
        self.words = words.strip()
        return self.words

    @staticmethod
    def sum_of(file):
        return hashlib.sha256(file.read_bytes()).hexdigest()

    def clean(self, out=None):
        for file in (out or self.out).iterdir():
            if file.name != "checkpoint_before.h5":
                file.unlink()

    def wrong_files(self, out=None, may_leave_temporaries=False):
        """What is wrong with the folder after a fault; "" if nothing is."""
        out = out or self.out
        if self.sum_of(out / "checkpoint_before.h5") != self.before:
            return "the checkpoint of before has changed"
        for file in sorted(out.iterdir()):
            if file.suffix == ".h5" and subprocess.run([self.options.galerna, "info", str(file)], capture_output=True).returncode:
                return f"{file.name} is not whole"
            if file.suffix not in (".h5", ".json", ".csv", ".lock") and not may_leave_temporaries:
                return f"{file.name} is left"
        return ""

    def tell(self, fault, wrong, more=""):
        self.bad += bool(wrong)
        print(f"{fault}: {'WRONG: ' + wrong if wrong else 'as it should be'}{', ' + more if more else ''}", flush=True)

    def phase(self):
        return self.words.splitlines()[-1] if self.words else ""

    def signal_at(self, moment):
        process = self.begin()
        time.sleep(moment)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        began = time.time()
        self.errors_of(process)
        seconds = time.time() - began
        # A run that had its last step when the signal came may end as if there had been none. A process that has not begun dies of it.
        ends = (130, 0) if self.words else (130, 0, -signal.SIGINT)
        wrong = self.wrong_files() or ("" if process.returncode in ends else f"exit code {process.returncode}: {self.words}")
        if not wrong and seconds > IN_TIME and process.returncode == 130:
            wrong = f"heard after {seconds:.1f} s"
        self.tell(f"Ctrl-C after {moment:.2f} s", wrong, f"ended after {seconds:.2f} s, exit code {process.returncode}, {self.phase()}")
        self.clean()

    def kill_at(self, moment):
        process = self.begin()
        time.sleep(moment)
        process.kill()
        self.errors_of(process)
        checkpoints = len(list(self.out.glob("*.h5")))
        self.tell(f"kill -9 after {moment:.2f} s", self.wrong_files(may_leave_temporaries=True), f"{checkpoints - 1} further checkpoints")
        # The next run must not trip over what is left.
        self.clean()

    def memory_ends_at(self, moment):
        """From some moment on the process gets no more memory."""
        process = self.begin()
        time.sleep(moment)
        try:
            pages = int(pathlib.Path(f"/proc/{process.pid}/statm").read_text().split()[0])
            limit = pages * resource.getpagesize()
            resource.prlimit(process.pid, resource.RLIMIT_AS, (limit, limit))
        except (FileNotFoundError, ProcessLookupError, ValueError):
            pass  # it has ended
        self.errors_of(process)
        last = self.phase()
        wrong = self.wrong_files()
        if not wrong and process.returncode not in (0, 4):
            wrong = f"exit code {process.returncode}: {self.words[-500:]}"
        if not wrong and process.returncode == 4 and not ("memory" in last and "while" in last or "needed" in last):
            wrong = f"no phase is named: {self.words[-500:]}"
        self.tell(f"no more memory after {moment:.2f} s", wrong, f"exit code {process.returncode}, {last}")
        self.clean()

    def memory_is(self, share, most):
        limit = int(share * most)
        process = self.begin(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.errors_of(process)
        wrong = self.wrong_files()
        if not wrong and process.returncode not in (0, 4):
            wrong = f"exit code {process.returncode}: {self.words[-500:]}"
        self.tell(f"ulimit -v {limit >> 10}", wrong, f"exit code {process.returncode}, {self.phase()}")
        self.clean()

    def most_memory(self):
        process, most = self.begin(), 0
        while process.poll() is None:
            try:
                most = max(most, int(pathlib.Path(f"/proc/{process.pid}/statm").read_text().split()[0]) * resource.getpagesize())
            except (FileNotFoundError, ProcessLookupError, IndexError):
                break
            time.sleep(0.02)
        self.errors_of(process)
        self.clean()
        return most

    def disk_is_full(self):
        """There is room for two checkpoints and a half."""
        room = self.folder / "room"
        room.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={int(3.5 * self.size)}", "tmpfs", str(room)], capture_output=True).returncode == 0
        out, limits = room / "out", {}
        if not mounted:
            size = int(0.5 * self.size)
            limits = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}
        try:
            out.mkdir()
            (out / "checkpoint_before.h5").write_bytes((self.out / "checkpoint_before.h5").read_bytes())
            for pending in (0, 2):
                process = self.begin(["--pending", str(pending)], out, **limits)
                self.errors_of(process)
                wrong = self.wrong_files(out)
                if not wrong and process.returncode != 4:
                    wrong = f"exit code {process.returncode}"
                if not wrong and mounted and len(list(out.glob("checkpoint_0*.h5"))) < 2:
                    wrong = "checkpoints are missing that had room"
                self.tell(f"{'full disk' if mounted else 'limited files'}, --pending {pending}", wrong, self.phase())
                self.clean(out)
        finally:
            if mounted:
                subprocess.run(["umount", str(room)], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--row", choices=list(filled.ROWS), default="hexahedra-p3")
    parser.add_argument("--cells", type=int, default=48, help="along an edge of the domain: a multiple of a power of two")
    parser.add_argument("--meshes", type=pathlib.Path, help="as of bench/filled.py")
    parser.add_argument("--folder", help="for outputs")
    parser.add_argument("--signals", type=int, default=40)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--memory", type=int, default=20, help="runs whose memory ends")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.galerna = str(pathlib.Path(options.galerna).resolve())
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = Bench(options, pathlib.Path(folder))
        print(f"a run takes {bench.seconds:.1f} s, a checkpoint {bench.size / 1e6:.1f} MB", flush=True)
        bench.disk_is_full()
        for _ in range(options.kills):
            bench.kill_at(chance.uniform(0, bench.seconds))
        for _ in range(options.signals):
            bench.signal_at(chance.uniform(0, bench.seconds))
        if options.device == "cpu" and options.memory:  # a GPU's driver takes addresses as it likes
            most = bench.most_memory()
            for k in range(options.memory // 2):
                bench.memory_is((k + 1) / (options.memory // 2 + 1), most)
            for _ in range(options.memory // 2):
                bench.memory_ends_at(chance.uniform(0, bench.seconds))
    print(f"{bench.bad} faults are not as they should be")
    sys.exit(1 if bench.bad else 0)


if __name__ == "__main__":
    main()
