# SPDX-License-Identifier: GPL-3.0-or-later
"""pyFAI's rule for full splitting in two dimensions, in rational numbers.

The area under each edge of a pixel, in each column of radial bins, fills the bins from the bottom, as wide as the edge is
in the column. A coefficient is what a bin gets, divided by what all bins get. It differs from the area of the
intersection by up to some hundredths; that is the rule.

pyFAI 2026.9 keeps slopes, intercepts and areas of the rule in float32 (src/pyFAI/ext/regrid_common.pxi, _integrate2d).
A bin that only corners of pixels touch gets a small difference of such areas. On an Eiger 4M its intensity is thereby off
by up to 5e-5, and its count by up to 7e-4. Capra computes the rule in double precision, from the same float32 corners.
"""
from fractions import Fraction
import math


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


def get_coefficient(engine, corners, column, row):
    """The part of a pixel in a bin; None if pyFAI moves the pixel, which is at the discontinuity of the azimuth."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = [[float(v) for v in corner] for corner in corners]
    sign = -1 if engine.orientation in (2, 4) else 1
    if sign * (0.5 * ((cx - ax) * (dy - by)) - (cy - ay) * (dx - bx)) > 0:
        return None
    axes = [(Fraction(float(engine.pos0_min)), Fraction(float(engine.delta0))),
            (Fraction(float(engine.pos1_min)), Fraction(float(engine.delta1)))]
    areas = get_areas([tuple((Fraction(float(v)) - low) / delta for v, (low, delta) in zip(corner, axes))
                       for corner in corners])
    return areas.get((column, row), Fraction(0)) / sum(areas.values())


def integrate_bin(engine, corners, frame, norm, column, row):
    """Intensity, std, sem (Poisson) and count of a bin; None if a pixel of it is at the discontinuity."""
    number = column * engine.bins[1] + row
    signal = variance = weight = weight2 = count = 0
    for pixel in engine.indices[engine.indptr[number]:engine.indptr[number + 1]]:
        c = get_coefficient(engine, corners[pixel], column, row)
        if c is None:
            return None
        value, n = Fraction(float(frame[pixel])), Fraction(float(norm[pixel]))
        signal, variance = signal + c * value, variance + c * c * max(value, 1)
        weight, weight2, count = weight + c * n, weight2 + c * c * n * n, count + c
    return (float(signal / weight), math.sqrt(variance / weight2), math.sqrt(variance) / abs(float(weight)),
            float(count))
