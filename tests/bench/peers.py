#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times other libraries (tests/bench/peer/) on the images of `capra bench`, in the same run, checks that their results
agree with Capra's, and prints a table of ratios.

CAPRA is the program, such as build/ui/cli/capra. Times are medians in milliseconds: for Capra from the start of the first
kernel to the end of the last one, for CUDA by events, otherwise wall times of calls on data in place. Each ratio in
brackets is Capra's time over that of the peer: both on the device, or both wall times. A ! marks a peer whose result
differs from Capra's.
"""
import argparse
import fnmatch
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from peer import MASKS, device, host  # noqa: E402


SLOW = 1000  # ms


def load_images(folder, size):
    """Noise is saved for four channels; other shapes use its beginning."""
    images = {mask: np.fromfile(os.path.join(folder, mask + ".f32"), np.float32).reshape(size, size) for mask in MASKS}
    noise = np.fromfile(os.path.join(folder, "noise.f32"), np.float32)
    shapes = {"noise": (size, size), "noise-rgba": (size, size, 4), "volume": (10, 1000, 1000), "part": (3000, 3000),
              "line": (4194304,)}
    for name, shape in shapes.items():
        if np.prod(shape) <= noise.size:
            images[name] = noise[:np.prod(shape)].reshape(shape)
    return images


def same_regions(a, b):
    """Whether two label images have the same regions, with any numbers."""
    a, b = a.ravel().astype(np.int64), b.ravel().astype(np.int64)
    if not ((a > 0) == (b > 0)).all():
        return False
    pairs = np.unique(a[a > 0] << 32 | b[a > 0])
    return len(pairs) == len(np.unique(pairs >> 32)) == len(np.unique(pairs & 0xFFFFFFFF))


def largest_difference(work, ours, theirs):
    """The largest difference of two images, except at borders, where rules differ."""
    if ours.size != theirs.size:
        return np.inf
    difference = np.abs(ours.reshape(theirs.shape) - theirs)
    if work.endswith("line"):
        return difference[64:-64].max()
    if "stride" in work:
        return difference.max()
    reach = 80 if work.startswith("gaussian") else 32
    if work.startswith("box"):
        reach = int(work.split("-")[1]) + 1
    inside = np.moveaxis(difference, 0, -1) if "volume" in work else difference
    inside = inside[reach:-reach, reach:-reach]
    return inside.max() if inside.size else 0.0


def disagreement(work, ours, theirs):
    """What a peer's result has that capra's has not, as far as the methods allow; empty where they agree."""
    theirs = np.asarray(theirs)
    if work.startswith("label-") and not work.startswith("label-measure"):
        return "" if same_regions(ours, theirs) else "the regions are others"
    if "measure" in work:  # rows of nine columns, the area first
        theirs = np.sort(theirs[theirs > 0])
        areas = np.sort(ours[::9])
        return "" if len(areas) == len(theirs) and np.allclose(areas, theirs) else "the areas are others"
    if work == "moments":
        return "" if np.allclose(ours[:4], theirs, rtol=1e-4, atol=1e-6) else f"{theirs}, not {ours[:4]}"
    if work == "median":
        return "" if np.allclose(ours[4], theirs, rtol=1e-6) else f"{theirs}, not {ours[4]}"
    if work in ("threshold", "threshold-u8", "otsu"):
        share = np.mean((ours > 0) != (theirs.ravel() > 0))
        # Histograms may have as few as 256 bins.
        return "" if share <= (1e-2 if work == "otsu" else 0) else f"{share:.2g} of the pixels are others"
    # Truncated and recursive Gaussians are off by some thousandths on noise, the others by rounding.
    difference = largest_difference(work, ours, theirs)
    return "" if difference <= (6e-3 if work.startswith("gaussian") else 2e-4) else f"up to {difference:.2g}"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capra", metavar="CAPRA")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--device", default="")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--select", default="*", help="works, such as 'label-*,otsu'")
    parser.add_argument("--peers", default="*", help="peers, such as 'scipy,opencv'")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.is_selected = lambda name: any(fnmatch.fnmatch(name, glob) for glob in options.select.split(","))
    return options


def capra_bench(options, *arguments):
    """What `capra bench` prints; its message where it fails at once."""
    command = [options.capra, "bench", "--size", str(options.size), *arguments]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ran.returncode and not ran.stdout:
        sys.exit(ran.stderr.strip())
    return ran.stdout


def run_capra(options, work):
    """Its run of one work; the result is in a file then."""
    named = ["--device", options.device] if options.device else []
    return json.loads(capra_bench(options, "--json", *named, "--repeats", str(options.repeats), "--select", work,
                                  "--save-results", options.results))["runs"][0]


def time_peer(peer, work, repeats):
    """Median after one call to warm up; what that one gave. Three times are enough of what takes seconds."""
    call = peer.works[work]
    if call not in peer.timed:
        result = peer.to_host(call())
        times = [peer.timer(call)]
        while len(times) < (repeats if times[0] < SLOW else min(repeats, 3)):
            times.append(peer.timer(call))
        peer.timed[call] = float(np.median(times)), result
    return peer.timed[call]


def cell(peer, row, options):
    work = row["name"]
    if work not in peer.works:
        return "-"
    try:
        time, result = time_peer(peer, work, options.repeats)
    except Exception as error:  # a peer's failure is the peer's
        print(f"# {peer.name} fails at {work}: {str(error).splitlines()[0][:100]}")
        return "failed"
    ours = np.fromfile(os.path.join(options.results, work + ".f32"), np.float32)
    wrong = disagreement(work, ours, result)
    if wrong:
        print(f"# {peer.name} differs at {work}: {wrong}")
    mine = row["device"] if peer.on_device else row["wall"]
    return f"{time:.3f} ({mine / time:.3f}){'!' if wrong else ''}"


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        options.folder, options.results = folder, os.path.join(folder, "results")
        os.mkdir(options.results)
        works = capra_bench(options, "--list", "--select", options.select).split()
        options.device_name = run_capra(options, works[0])["device"]
        capra_bench(options, "--save-inputs", folder)
        images = load_images(folder, options.size)
        found = [peer for name, find in {**host.FINDERS, **device.FINDERS}.items()
                 if any(fnmatch.fnmatch(name, glob) for glob in options.peers.split(","))
                 for peer in find(images, options)]
        print(f"# {options.device_name}, {options.size} x {options.size} float32, medians of {options.repeats} in ms;"
              " in brackets capra's time over the peer's")
        print(f"{'work':27}{'capra':>9}{'wall':>9}" + "".join(f"{peer.name:>25}" for peer in found))
        for work in works:  # one after the other, so that a busy moment meets all alike
            row = run_capra(options, work)["workloads"][0]
            if "error" in row:
                print(f"{work:27}{row['error']}")
                continue
            cells = "".join(f"{cell(peer, row, options):>25}" for peer in found)
            print(f"{work:27}{row['device']:9.3f}{row['wall']:9.3f}{cells}", flush=True)


if __name__ == "__main__":
    main()
