#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the sources that the graph of data/sky.sh finds with those of NumPy and scipy: background, number, positions,
fluxes, and the coordinates of the header's projection. Usage: sky.py CAPRA-SKY GEGL.."""
import csv
import math
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from scipy import ndimage
except ImportError:
    print("1..0 # SKIP scipy is not installed")
    sys.exit(0)

GRAPH = """<?xml version='1.0' encoding='UTF-8'?>
<gegl>
  <node operation='capra:measure'><params><param name='sort'>brightness</param></params><clone ref='image'/></node>
  <node operation='capra:label'>
    <params>
      <param name='rendering'>numbers</param><param name='connectivity'>4</param><param name='min-size'>{}</param>
    </params>
  </node>
  <node operation='capra:threshold'><params><param name='method'>kappa-sigma</param></params></node>
  <node id='image' operation='capra:fits-load'><params><param name='path'>{}</param></params></node>
</gegl>"""


def read_fits(path):
    data = open(path, "rb").read()
    header, offset = {}, 0
    while True:
        card = data[offset:offset + 80].decode()
        offset += 80
        if card.startswith("END"):
            break
        header[card[:8].strip()] = card[10:].strip().strip("'").strip()
    offset = (offset + 2879) // 2880 * 2880
    width, height = int(header["NAXIS1"]), int(header["NAXIS2"])
    image = np.frombuffer(data, ">f4", width * height, offset).reshape(height, width)
    return header, image[::-1].astype(np.float64)


def clip(image, kappa):
    left = image.ravel()
    while True:
        median, sigma = np.median(left), left.std()
        kept = left[(left > median - kappa * sigma) & (left < median + kappa * sigma)]
        if len(kept) in (0, len(left)):
            return median, sigma
        left = kept


def reference(image, least):
    """Label, x, y and flux of each source of at least that many pixels, brightest first."""
    median, sigma = clip(image, 3)
    labels, count = ndimage.label(image > median + 5 * sigma)
    labels, count = ndimage.label(np.concatenate([[False], np.bincount(labels.ravel())[1:] >= least])[labels])
    index = np.arange(1, count + 1)
    flux = ndimage.sum(image, labels, index)
    center = ndimage.center_of_mass(image, labels, index)
    return sorted(((int(i), x, y, f) for i, (y, x), f in zip(index, center, flux)), key=lambda row: -row[3])


def coordinates(header, x, y, height):
    """Right ascension and declination in degrees of a position in an image whose first row is the top one."""
    u = math.radians((x + 1 - float(header["CRPIX1"])) * float(header["CDELT1"]))
    v = math.radians((height - y - float(header["CRPIX2"])) * float(header["CDELT2"]))
    ra, dec = math.radians(float(header["CRVAL1"])), math.radians(float(header["CRVAL2"]))
    if header["CTYPE1"].endswith("SIN"):
        w = math.sqrt(1 - u * u - v * v)
    else:
        w = 1 / math.sqrt(1 + u * u + v * v)
        u, v = u * w, v * w
    ra += math.atan2(u, w * math.cos(dec) - v * math.sin(dec))
    return math.degrees(ra) % 360, math.degrees(math.asin(w * math.sin(dec) + v * math.cos(dec)))


def compare(sky, gegl, folder, least, options):
    path, table = os.path.join(folder, "sky.fits"), os.path.join(folder, "sources.csv")
    subprocess.run([sky, path] + options, check=True)
    graph = os.path.join(folder, "graph.xml")
    open(graph, "w").write(GRAPH.format(least, path))
    subprocess.run([gegl, graph, "-o", os.path.join(folder, "labels.tif")], check=True,
                   env={**os.environ, "CAPRA_TABLES": table, "CAPRA_FATAL": "1"})
    header, image = read_fits(path)
    wanted, found = reference(image, least), list(csv.DictReader(open(table)))
    if len(wanted) != len(found):
        return f"{len(found)} sources, not {len(wanted)}"
    for row, (label, x, y, flux) in zip(found, wanted):
        ra, dec = coordinates(header, x, y, image.shape[0])
        if int(row["label"]) != label:
            return f"label {row['label']} instead of {label}"
        if math.hypot(float(row["weighted_centroid_x"]) - x, float(row["weighted_centroid_y"]) - y) > 1e-3:
            return f"label {label}: position {row['weighted_centroid_x']}, {row['weighted_centroid_y']}, not {x}, {y}"
        if abs(float(row["sum"]) - flux) > 1e-5 * abs(flux):
            return f"label {label}: flux {row['sum']}, not {flux}"
        if math.hypot((float(row["ra"]) - ra) * math.cos(math.radians(dec)), float(row["dec"]) - dec) > 2e-6:
            return f"label {label}: at {row['ra']}, {row['dec']}, not {ra}, {dec}"
    return "" if found else "no sources"


def main():
    cases = [[0, "--size=1021", "--seed=7"], [3, "--size=1021", "--seed=7"],
             [0, "--size=512", "--seed=3", "--projection=TAN", "--slope=0.01"]]
    print(f"1..{len(cases)}")
    failed = False
    for number, (least, *options) in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as folder:
            problem = compare(sys.argv[1], sys.argv[2], folder, least, options)
        name = " ".join(options + [f"min-size={least}"])
        print(f"{'not ok' if problem else 'ok'} {number} - {name}{': ' + problem if problem else ''}")
        failed = failed or bool(problem)
    return failed


if __name__ == "__main__":
    sys.exit(main())
