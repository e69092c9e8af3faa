#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the four steps from an image of the sky to its sources with CuPy, and with NumPy and scipy: kappa-sigma clipping,
threshold, labels, positions and fluxes. With the program capra as an argument, its workloads of the same steps (clip,
sky, sky-upload) are timed in the same run: sky_peer.py [CAPRA [DEVICE]]. Medians in milliseconds, 2048 x 2048 float32."""
import json
import subprocess
import sys
import time

import numpy as np
import scipy.ndimage

SIZE = 2048
REPEATS = 11


def make_sky(size):
    """Noise and round sources, many faint and few bright ones, as bench-inputs.c makes them."""
    random = np.random.default_rng(1)
    sigma, beam = 0.0133, 2.5
    image = random.normal(0, sigma, (size, size)).astype(np.float32)
    for _ in range(size * size * 45 // 1000000):
        x, y = random.uniform(0, size, 2)
        peak = min(8 * sigma / (1 - random.uniform()), 3)
        left, top = max(0, int(x) - 20), max(0, int(y) - 20)
        j, i = np.mgrid[top:min(size, int(y) + 21), left:min(size, int(x) + 21)]
        image[j, i] += (peak * np.exp(-((i - x) ** 2 + (j - y) ** 2) / (2 * beam * beam))).astype(np.float32)
    return image


def clip(xp, image, kappa=3.0):
    left = image.ravel()
    while True:
        median, sigma = xp.median(left), xp.std(left)
        kept = left[(left > median - kappa * sigma) & (left < median + kappa * sigma)]
        if len(kept) in (0, len(left)):
            return median, sigma
        left = kept


def find_sources(xp, ndimage, image):
    median, sigma = clip(xp, image)
    labels, count = ndimage.label(image > median + 5 * sigma)
    index = xp.arange(1, count + 1)
    positions = ndimage.center_of_mass(image, labels, index)
    return count, positions, ndimage.sum(image, labels, index)


def median_time(work, wait):
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        wait()
        times.append((time.perf_counter() - start) * 1000)
    return float(np.median(times))


def time_library(name, xp, ndimage, image, wait, upload=None):
    rows = [(name, "clip", median_time(lambda: clip(xp, image), wait)),
            (name, "sky", median_time(lambda: find_sources(xp, ndimage, image), wait))]
    if upload:
        rows.append((name, "sky-upload", median_time(lambda: find_sources(xp, ndimage, upload()), wait)))
    return rows


def time_cupy(host):
    import cupy
    import cupyx
    import cupyx.scipy.ndimage

    pinned = cupyx.empty_pinned(host.shape, host.dtype)
    pinned[...] = host
    return time_library("CuPy", cupy, cupyx.scipy.ndimage, cupy.asarray(host), cupy.cuda.Device().synchronize,
                        lambda: cupy.asarray(pinned))


def time_capra(program, device):
    text = subprocess.run([program, "bench", "--select", "clip,sky*", "--size", str(SIZE), "--repeats", str(REPEATS),
                           "--json"] + (["--device", device] if device else []), check=True, capture_output=True,
                          text=True).stdout
    return [("Capra", row["name"], row["wall"]) for row in json.loads(text)["runs"][0]["workloads"]]


def main():
    image = make_sky(SIZE)
    rows = time_capra(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None) if len(sys.argv) > 1 else []
    try:
        rows += time_cupy(image)
    except ImportError:
        pass
    rows += time_library("scipy", np, scipy.ndimage, image, lambda: None)
    for name, step, ms in rows:
        print(f"{name:10s} {step:12s} {ms:10.3f}")


if __name__ == "__main__":
    main()
