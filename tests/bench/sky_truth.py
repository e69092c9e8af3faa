#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the regions above 5 standard deviations of the background with the sources that capra-sky has put into its
images, for several smallest sizes of regions: how many sources brighter than the threshold are found (complete), how
many regions are not a source of their own: parts of a source beside its main region (part), or noise (noise).
Usage: sky_truth.py CAPRA-SKY [IMAGES [SIZE]]"""
import csv
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy import ndimage

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hosts"))
from sky import clip, read_fits  # noqa: E402

SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15)
REACH = 3  # standard deviations of a source within which regions belong to it


def read_truth(path):
    rows = list(csv.DictReader(open(path)))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def find_owners(truth, x, y):
    """The source that is nearest to each position, in its own standard deviations; -1 for none."""
    angle = np.pi / 2 - truth["orientation"]
    dx, dy = x[:, None] - truth["x"], y[:, None] - truth["y"]
    along = (dx * np.cos(angle) + dy * np.sin(angle)) / (truth["axis_major_length"] / 4)
    across = (dy * np.cos(angle) - dx * np.sin(angle)) / (truth["axis_minor_length"] / 4)
    distance = np.hypot(along, across)
    owner = distance.argmin(axis=1)
    return np.where(distance.min(axis=1) <= REACH, owner, -1)


def compare(image, truth):
    """Counts for each smallest size: regions, sources to find, found ones, parts, noise."""
    median, sigma = clip(image, 3)
    labels, count = ndimage.label(image > median + 5 * sigma)
    index = np.arange(1, count + 1)
    area = ndimage.sum(labels > 0, labels, index)
    center = np.array(ndimage.center_of_mass(image, labels, index))
    owner = find_owners(truth, center[:, 1], center[:, 0])
    peak = truth["peak"] / sigma
    inside = (truth["x"] >= 0) & (truth["y"] >= 0) & (truth["x"] < image.shape[1]) & (truth["y"] < image.shape[0])
    # A region that two sources share finds both: their centers are in it.
    at = labels[np.clip(np.rint(truth["y"]).astype(int), 0, image.shape[0] - 1),
                np.clip(np.rint(truth["x"]).astype(int), 0, image.shape[1] - 1)]
    rows = []
    for least in SIZES:
        kept = area >= least
        found = np.isin(np.arange(len(peak)), owner[kept]) | ((at > 0) & kept[at - 1])
        main = np.zeros(count, bool)
        for source in np.unique(owner[kept & (owner >= 0)]):
            mine = np.flatnonzero(kept & (owner == source))
            main[mine[area[mine].argmax()]] = True
        bins = [(inside & (peak >= low) & (peak < high)) for low, high in ((5, 6), (6, 8), (8, 1e9))]
        rows.append([kept.sum()] + [value for bin_ in bins for value in (bin_.sum(), (bin_ & found).sum())]
                    + [(kept & (owner >= 0) & ~main).sum(), (kept & (owner < 0)).sum()])
    return np.array(rows)


def main():
    program, images = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4
    size, total = sys.argv[3] if len(sys.argv) > 3 else "2048", 0
    for seed in range(1, images + 1):
        with tempfile.TemporaryDirectory() as folder:
            path, table = os.path.join(folder, "sky.fits"), os.path.join(folder, "truth.csv")
            subprocess.run([program, path, f"--seed={seed}", f"--size={size}", f"--table={table}"], check=True)
            total = total + compare(read_fits(path)[1], read_truth(table))
    print(f"{images} images of {size} x {size}; complete: found of those with that peak, in standard deviations")
    print("size >=  regions    complete 5-6        6-8          > 8      part   noise")
    for least, row in zip(SIZES, total):
        shares = "".join(f"{found:6d}/{all_:<6d}" for all_, found in zip(row[1:7:2], row[2:7:2]))
        print(f"{least:7d} {row[0]:8d}   {shares} {row[7]:7d} {row[8]:7d}")


if __name__ == "__main__":
    main()
