# SPDX-License-Identifier: GPL-3.0-or-later
"""pyFAI's rules where its engines do not follow them: sigma clipping of split pixels, and full splitting in two
dimensions.

Sigma clipping of split pixels: pyFAI 2026.9 leaves a pixel out of all bins as soon as one of them leaves it out, while
other threads integrate these: its engines differ from each other, and from run to run. Its azimuthal error model is
summed by an update that depends on the order of pixels unless all weights are equal. clip() applies the rule to each bin
by itself, with the variance that pyFAI documents, sum ((c norm)² (value - mean)²).

Full splitting in two dimensions, in rational numbers:

The area under each edge of a pixel, in each column of radial bins, fills the bins from the bottom, as wide as the edge is
in the column. A coefficient is what a bin gets, divided by what all bins get. It differs from the area of the
intersection by up to some hundredths; that is the rule.

pyFAI 2026.9 keeps slopes, intercepts and areas of the rule in float32 (src/pyFAI/ext/regrid_common.pxi, _integrate2d).
A bin that only corners of pixels touch gets a small difference of such areas. On an Eiger 4M its intensity is thereby off
by up to 5e-5, and its count by up to 7e-4. Capra computes the rule in double precision, from the same float32 corners.
"""
from fractions import Fraction
import math

import numpy


def clamp(value, low, high):
    return min(max(value, low), high)


def get_areas(corners):
    """{(column, row): area} of a pixel, whose corners are (radius, azimuth) counted in bins."""
    left, bottom = (math.floor(min(c[axis] for c in corners)) for axis in (0, 1))
    right, top = (math.ceil(max(c[axis] for c in corners)) for axis in (0, 1))
    corners = [(x - left, y - bottom) for x, y in corners]
    areas = {}
    for column in range(right - left):
        for row in range(top - bottom):
            area = Fraction(0)
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
                start, stop = clamp(ax, column, column + 1), clamp(bx, column, column + 1)
                if start == stop:
                    continue
                slope = (by - ay) / (bx - ax)
                under = (stop - start) * (slope * (stop + start) / 2 + by - slope * bx)
                width = abs(stop - start)
                part = clamp(abs(under) - row * width, 0, width)
                area += part if under > 0 else -part
            areas[column + left, row + bottom] = area
    return areas


def recenter(engine, corners):
    """The corners in double precision; those of a pixel at the discontinuity of the azimuth are moved to one side."""
    corners = [[float(v) for v in corner] for corner in corners]
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    sign = -1 if engine.orientation in (2, 4) else 1
    if sign * (0.5 * ((cx - ax) * (dy - by)) - (cy - ay) * (dx - bx)) > 0:
        turn = 2 * math.pi
        corners = [(x, y + turn if y < 0 else y) for x, y in corners]
        if sum(y for x, y in corners) / 4 > math.pi:
            corners = [(x, y - turn) for x, y in corners]
    return [(x, clamp(y, float(engine.pos1_min), float(engine.pos1_maxin))) for x, y in corners]


def get_coefficient(engine, corners, column, row):
    """The part of a pixel in a bin."""
    axes = [(Fraction(float(engine.pos0_min)), Fraction(float(engine.delta0))),
            (Fraction(float(engine.pos1_min)), Fraction(float(engine.delta1)))]
    areas = get_areas([tuple((Fraction(v) - low) / delta for v, (low, delta) in zip(corner, axes))
                       for corner in recenter(engine, corners)])
    return areas.get((column, row), Fraction(0)) / sum(areas.values())


def integrate_bin(engine, corners, frame, norm, column, row):
    """Intensity, std, sem (Poisson) and count of a bin."""
    number = column * engine.bins[1] + row
    signal = variance = weight = weight2 = count = 0
    for pixel in engine.indices[engine.indptr[number]:engine.indptr[number + 1]]:
        c = get_coefficient(engine, corners[pixel], column, row)
        value, n = Fraction(float(frame[pixel])), Fraction(float(norm[pixel]))
        signal, variance = signal + c * value, variance + c * c * max(value, 1)
        weight, weight2, count = weight + c * n, weight2 + c * c * n * n, count + c
    return (float(signal / weight), math.sqrt(variance / weight2), math.sqrt(variance) / abs(float(weight)),
            float(count))


def clip(engine, frame, norm, variance, model, threshold, cycles):
    """Intensity, std, sem and count of all bins in double precision, with the matrix of `engine`.

    `variance`: of each pixel, for all models but "azimuthal". Pixels without a norm are left out.
    """
    indices, n = engine.indices, len(engine.indptr) - 1
    rows = numpy.repeat(numpy.arange(n), numpy.diff(engine.indptr))
    frame, norm, variance = (numpy.asarray(a, float).ravel()[indices] for a in (frame, norm, variance))
    c = numpy.asarray(engine.data, float)
    used = norm != 0
    with numpy.errstate(invalid="ignore", divide="ignore"):
        value, weight = frame / norm, c * norm

        def add(values):
            return numpy.bincount(rows, numpy.where(used, values, 0), n)

        for cycle in range(cycles + 1):
            total, squares, count = add(weight), add(weight ** 2), add(c)
            mean = add(c * frame) / total
            from_mean = model == "azimuthal" or (model == "hybrid" and cycle < cycles)
            spread = add((weight * (value - mean[rows])) ** 2) if from_mean else add(c ** 2 * variance)
            std = numpy.sqrt(spread / squares)
            cut = numpy.sqrt(2 * numpy.log(numpy.maximum(count, 3) / math.sqrt(2 * math.pi)))
            out = used & (abs(value - mean[rows]) > (numpy.maximum(threshold, cut) * std)[rows])
            if cycle == cycles or not out.any():
                break
            used &= ~out
        if model == "hybrid":
            spread = add(c ** 2 * variance)
        return mean, numpy.sqrt(spread / squares), numpy.sqrt(spread) / total, count
