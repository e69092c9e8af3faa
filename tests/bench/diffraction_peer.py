#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times `capra integrate` and pyFAI in turns on the same file and cores, and prints one table.

    python3 -m venv venv; venv/bin/pip install pyFAI==2026.9 h5py hdf5plugin
    build/tests/bench/diffraction-frames -n 64 -p frames.poni frames.h5
    venv/bin/python tests/bench/diffraction_peer.py build/ui/cli/capra frames.h5 frames.poni [--frames 64] [--rounds 5]

pyFAI integrates with full splitting and the CSR matrix in Cython, Poisson errors, and hdf5plugin decodes the frames: one
after the other, and with a thread that decodes the next frame meanwhile. Set-up is apart for all. The columns are wall
time and processor time in ms a frame (of Capra: the difference of runs of all frames and of 24), each the median of the
rounds, and how many times faster Capra is than that line. Run it when nothing else does: --wait SECONDS
waits until the load of the last minute is below 0.3.
"""
import argparse
import concurrent.futures
import logging
import os
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile
import time

import h5py
import hdf5plugin  # noqa: F401 (registers its filters)
import numpy

logging.disable(logging.CRITICAL)
import pyFAI  # noqa: E402

BINS = 1000
WARM_UP = 24  # frames that `capra integrate` processes before it takes the time


class Peer:
    """pyFAI with its matrix built."""

    def __init__(self, path, poni, n):
        self.data = h5py.File(path, "r")["/entry/data/data"]
        self.n = min(n, len(self.data))
        self.integrator = pyFAI.load(poni)
        self.mask = self.integrator.detector.mask
        self.integrate(self.data[0])

    def integrate(self, frame):
        return self.integrator.integrate1d_ng(frame, BINS, unit="q_nm^-1", method=("full", "csr", "cython"),
                                              error_model="poisson", mask=self.mask)

    def serial(self):
        return [self.integrate(self.data[i]) for i in range(self.n)]

    def overlapped(self):
        results = []
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            following = pool.submit(self.data.__getitem__, 0)
            for i in range(self.n):
                frame, following = following, pool.submit(self.data.__getitem__, min(i + 1, self.n - 1))
                results.append(self.integrate(frame.result()))
        return results


def measure(run, n):
    """Wall and processor time in ms a frame."""
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return (time.perf_counter() - wall) * 1e3 / n, (time.process_time() - cpu) * 1e3 / n


def run_capra(arguments, n, output):
    """The wall time that it prints, in ms a frame, and all processor time in ms."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run([arguments.capra, "integrate", arguments.file, "--poni", arguments.poni, "-o", output,
                           "--count", str(n), "--batch", "8", "--ring", str(WARM_UP // 8)] + (["-d", arguments.device] if arguments.device else []), check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return float(re.search(r"([0-9.]+) ms a frame", text).group(1)), cpu * 1e3


def wait_until_quiet(seconds):
    end = time.time() + seconds
    while os.getloadavg()[0] > 0.3 and time.time() < end:
        time.sleep(5)


def compare(peer, output):
    """The largest difference of the intensities, relative to those of pyFAI."""
    with h5py.File(output, "r") as file:
        ours = file["/entry/data/intensity"][()]
    theirs = numpy.array([result.intensity for result in peer.serial()])
    return float((abs(ours - theirs) / numpy.maximum(abs(theirs), 1e-3 * theirs.max())).max())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capra")
    parser.add_argument("file")
    parser.add_argument("poni")
    parser.add_argument("--frames", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--device", help="of Capra (default: as Capra chooses)")
    parser.add_argument("--wait", type=float, default=0, help="seconds to wait at most for a quiet machine")
    arguments = parser.parse_args()
    peer = Peer(arguments.file, arguments.poni, arguments.frames)
    if peer.n <= WARM_UP:
        parser.error("more than %d frames are needed" % WARM_UP)
    names = ["capra integrate", "pyFAI", "pyFAI, decoding in a thread"]
    times = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        output = str(pathlib.Path(folder) / "curves.h5")
        run_capra(arguments, WARM_UP, output)  # builds the kernels
        wait_until_quiet(arguments.wait)
        load = os.getloadavg()[0]
        for _ in range(arguments.rounds):
            fewer = run_capra(arguments, WARM_UP, output)[1]
            wall, cpu = run_capra(arguments, peer.n, output)
            times[names[0]].append((wall, (cpu - fewer) / (peer.n - WARM_UP)))
            times[names[1]].append(measure(peer.serial, peer.n))
            times[names[2]].append(measure(peer.overlapped, peer.n))
        difference = compare(peer, output)
    print("%d frames, %d rounds, %d processors, load %.1f before; pyFAI %s; intensities agree within %.1e"
          % (peer.n, arguments.rounds, os.cpu_count(), load, pyFAI.version, difference))
    medians = {name: [statistics.median(column) for column in zip(*times[name])] for name in names}
    print("%-30s %10s %10s %10s %14s" % ("", "ms a frame", "processor", "ratio", "range (ms)"))
    for name in names:
        walls = [wall for wall, _ in times[name]]
        print("%-30s %10.2f %10.2f %10.2f %7.1f-%.1f" % (name, *medians[name], medians[name][0] / medians[names[0]][0],
                                                         min(walls), max(walls)))


if __name__ == "__main__":
    main()
