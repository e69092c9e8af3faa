#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares Capra's azimuthal integration with pyFAI's, value by value.

    python3 -m venv venv; venv/bin/pip install pyFAI==2026.9
    venv/bin/python tests/bench/azimuthal_peer.py build/cl/libcapra.so.0 [--eiger]
    venv/bin/python tests/bench/azimuthal_peer.py --write tests/algorithms/azimuthal-pyfai.txt

Prints the largest relative difference of each case, and fails if one is above 1e-6 (1e-4 for sums of areas in two
dimensions). With full splitting in two dimensions, a bin with a larger difference must agree with pyFAI's rule in
rational numbers instead, and clipping of split pixels with pyFAI's rule in each bin: azimuthal_rule.py states why pyFAI
does not. --eiger adds frames of an Eiger 4M, --full-2d runs
that splitting only. --write only writes the numbers of pyFAI that the tests compare with.
"""
import ctypes as C
import logging
import sys

import numpy

logging.disable(logging.CRITICAL)
import pyFAI  # noqa: E402
import pyFAI.detectors  # noqa: E402
from pyFAI.integrator.azimuthal import AzimuthalIntegrator  # noqa: E402

import azimuthal_rule  # noqa: E402

LIMIT = 1e-6
AREA_LIMIT = 1e-4  # of sums of areas, which pyFAI keeps in float32, in two dimensions
TYPES = {"uint8": 0, "uint16": 2, "uint32": 4, "int32": 5, "float32": 6}
UNITS = {"q_nm^-1": 0, "2th_deg": 1, "r_mm": 2}
SPLITTING = {"no": 0, "bbox": 1, "full": 2}
ERRORS = {None: 0, "poisson": 1, "variance": 2, "azimuthal": 3, "hybrid": 4}


class Poni(C.Structure):
    _fields_ = ([("detector", C.c_char * 64), ("pixel1", C.c_double), ("pixel2", C.c_double)]
                + [(n, C.c_uint) for n in ("width", "height", "orientation")]
                + [(n, C.c_double) for n in ("distance", "poni1", "poni2", "rot1", "rot2", "rot3", "wavelength")])


class Settings(C.Structure):
    _fields_ = [("poni", Poni), ("width", C.c_uint), ("height", C.c_uint), ("unit", C.c_int), ("bins", C.c_uint),
                ("azimuthal_bins", C.c_uint), ("splitting", C.c_int), ("error", C.c_int), ("solid_angle", C.c_int),
                ("polarization", C.c_double), ("polarization_offset", C.c_double), ("normalization", C.c_double),
                ("detector_mask", C.c_int), ("mask", C.c_void_p), ("dark", C.c_void_p), ("flat", C.c_void_p),
                ("variance", C.c_void_p), ("has_dummy", C.c_int), ("dummy", C.c_double), ("delta_dummy", C.c_double), ("empty", C.c_double),
                ("clip", C.c_int), ("clip_threshold", C.c_double), ("clip_iterations", C.c_uint),
                ("matrix_path", C.c_char_p)]


class Shape(C.Structure):
    _fields_ = [("width", C.c_size_t), ("height", C.c_size_t), ("depth", C.c_size_t), ("channels", C.c_uint),
                ("type", C.c_int)]


class Capra:
    """libcapra, on its first device."""

    def __init__(self, path):
        self.lib = lib = C.CDLL(path)
        for name in ("capra_device_select", "capra_array_new_from_data", "capra_azimuthal_new",
                     "capra_azimuthal_new_results"):
            getattr(lib, name).restype = C.c_void_p
        lib.capra_azimuthal_get_radial.restype = lib.capra_azimuthal_get_azimuths.restype = C.POINTER(C.c_double)
        error = C.c_void_p()
        self.device = C.c_void_p(self.check(lib.capra_device_select(None, C.byref(error)), error))

    def check(self, value, error):
        if not value:
            message = C.cast(error.value + 8, C.POINTER(C.c_char_p))[0]
            raise RuntimeError(message.decode())
        return value

    def upload(self, values):
        depth, height, width = values.shape
        shape = Shape(width, height, depth, 1, TYPES[values.dtype.name])
        error = C.c_void_p()
        return C.c_void_p(self.check(self.lib.capra_array_new_from_data(
            self.device, C.byref(shape), values.ctypes.data_as(C.c_void_p), C.byref(error)), error))

    def integrate(self, settings, frames, variance=None):
        """Returns the radial and azimuthal centers, and (frames, 4, azimuths, bins) values."""
        lib, error, n = self.lib, C.c_void_p(), len(frames)
        azimuthal = C.c_void_p(self.check(lib.capra_azimuthal_new(self.device, C.byref(settings), C.byref(error)),
                                          error))
        array = self.upload(numpy.ascontiguousarray(frames))
        variances = self.upload(numpy.ascontiguousarray(variance, numpy.float32)) if variance is not None else None
        results = C.c_void_p(self.check(lib.capra_azimuthal_new_results(azimuthal, n, C.byref(error)), error))
        self.check(lib.capra_azimuthal_integrate(azimuthal, array, n, variances, results, C.byref(error)), error)
        values = numpy.empty((n, 4, settings.azimuthal_bins, settings.bins), numpy.float32)
        self.check(lib.capra_array_download(results, values.ctypes.data_as(C.c_void_p), C.byref(error)), error)
        radial = numpy.array(lib.capra_azimuthal_get_radial(azimuthal)[:settings.bins])
        azimuths = numpy.array(lib.capra_azimuthal_get_azimuths(azimuthal)[:settings.azimuthal_bins])
        for release in (array, results) + ((variances,) if variances else ()):
            lib.capra_array_unref(release)
        lib.capra_azimuthal_unref(azimuthal)
        return radial, azimuths, values


def make_settings(capra, ai, shape, case, keep):
    """The settings of `case`, whose keys are pyFAI's; arrays go to `keep`, which must live as long."""
    settings = Settings()
    capra.lib.capra_azimuthal_settings_init(C.byref(settings))
    poni = settings.poni
    poni.detector = type(ai.detector).__name__.encode()
    poni.pixel1, poni.pixel2, poni.orientation = ai.detector.pixel1, ai.detector.pixel2, ai.detector.orientation
    poni.distance, poni.poni1, poni.poni2 = ai.dist, ai.poni1, ai.poni2
    poni.rot1, poni.rot2, poni.rot3, poni.wavelength = ai.rot1, ai.rot2, ai.rot3, ai.wavelength
    settings.height, settings.width = shape
    settings.unit, settings.bins = UNITS[case["unit"]], case["npt"]
    settings.azimuthal_bins = case.get("npt_azim", 1)
    settings.splitting = SPLITTING[case["split"]]
    settings.error = ERRORS["variance" if case.get("variance") is not None else case.get("error_model")]
    settings.solid_angle = case.get("correctSolidAngle", True)
    if case.get("polarization_factor") is not None:
        settings.polarization = case["polarization_factor"]
    settings.normalization = case.get("normalization_factor", 1.0)
    for name, dtype in (("mask", numpy.uint8), ("dark", numpy.float32), ("flat", numpy.float32)):
        if case.get(name) is not None:
            keep.append(numpy.ascontiguousarray(case[name], dtype))
            setattr(settings, name, keep[-1].ctypes.data)
    if case.get("dummy") is not None:
        settings.has_dummy, settings.dummy, settings.delta_dummy = 1, case["dummy"], case.get("delta_dummy") or 0
    if "thres" in case:
        settings.clip, settings.clip_threshold, settings.clip_iterations = 1, case["thres"], case["max_iter"]
    return settings


def difference(ours, theirs, where=True, least=0.0):
    """The largest difference, relative to the values or, if these are nearly 0, to `least` or the largest value."""
    theirs = numpy.where(where, numpy.asarray(theirs, float), 0)
    ours = numpy.where(where, ours, 0)
    scale = numpy.maximum(abs(theirs), max(least, 1e-3 * abs(theirs).max()))
    with numpy.errstate(invalid="ignore", divide="ignore"):
        relative = numpy.where(theirs == ours, 0, abs(ours - theirs) / scale)
    return float("inf") if numpy.isnan(relative).any() else float(relative.max())


def integrate_peer(ai, frame, case, arguments):
    """pyFAI's result, and the bins to compare."""
    method = (case["split"], "csr", case.get("implementation", "cython"))
    if "thres" in case:
        result = ai.sigma_clip_ng(frame, case["npt"], unit=case["unit"], method=method, **arguments)
        # It reports 3 for bins with fewer pixels.
        return result, result.count > 3
    if "npt_azim" not in case:
        return ai.integrate1d_ng(frame, case["npt"], unit=case["unit"], method=method, **arguments), True
    result = ai.integrate2d_ng(frame, case["npt"], case["npt_azim"], unit=case["unit"], method=method, **arguments)
    if case["split"] != "full":
        return result, True
    # The work array of the first pixel is not initialized in pyFAI 2026.9: leave out the bins of that pixel, and those
    # that have little more than rounding errors of areas.
    changed = frame.copy()
    changed[tuple(numpy.argwhere(arguments["mask"] == 0)[0])] += 1000
    other = ai.integrate2d_ng(changed, case["npt"], case["npt_azim"], unit=case["unit"], method=method, **arguments)
    return result, (result.intensity == other.intensity) & (abs(result.count) > 1e-2)


def check_by_rule(ai, frame, case, planes, theirs, where):
    """Compares the bins that differ from pyFAI's by more than the limits with pyFAI's rule in rational numbers.

    Returns the other bins, the number of these, and the largest differences of Capra and of pyFAI from the rule.
    """
    engine = next(e.engine for m, e in ai.engines.items() if m.dim == 2 and m.split_lower == "full")
    corners = ai.array_from_unit(frame.shape, "corner", case["unit"], scale=False).reshape(-1, 4, 2)
    norm = ai.solidAngleArray(frame.shape).ravel()
    peer = [numpy.asarray(p, float) for p in (theirs.intensity, theirs.std, abs(theirs.sem), theirs.count)]
    apart = numpy.zeros(where.shape, bool)
    for ours, other, limit in zip(planes, peer, (LIMIT, LIMIT, AREA_LIMIT, AREA_LIMIT)):
        apart |= where & (abs(ours - other) > limit * numpy.maximum(abs(other), 1e-3 * abs(other).max()))
    ours_off, peer_off, where, n = 0.0, 0.0, where.copy(), 0
    for row, column in numpy.argwhere(apart):
        rule = azimuthal_rule.integrate_bin(engine, corners, frame.ravel(), norm, int(column), int(row))
        n, where[row, column] = n + 1, False
        for ours, other, value in zip(planes, peer, rule):
            ours_off = max(ours_off, abs(ours[row, column] / value - 1))
            peer_off = max(peer_off, abs(other[row, column] / value - 1))
    return where, n, ours_off, peer_off


def clip_by_rule(ai, frame, case, arguments):
    """Returns the planes by pyFAI's rule, and how much the result of another of pyFAI's engines differs from Cython's."""
    method = (case["split"], "csr", "cython")
    theirs = ai.sigma_clip_ng(frame, case["npt"], unit=case["unit"], method=method, **arguments)
    other = ai.sigma_clip_ng(frame, case["npt"], unit=case["unit"], method=(case["split"], "csr", "python"), **arguments)
    engine = next(e.engine for m, e in ai.engines.items()
                  if m.dim == 1 and m.split_lower == case["split"] and m.impl_lower == "cython")
    variance = case.get("variance")
    planes = azimuthal_rule.clip(engine, frame, numpy.where(arguments["mask"], 0, ai.solidAngleArray(frame.shape).astype(numpy.float32)),
                                 numpy.maximum(frame, 1) if variance is None else variance,
                                 case.get("error_model"), case["thres"], case["max_iter"])
    where = theirs.count > 3
    return planes, where, difference(other.intensity, theirs.intensity, where)


def run_clip_case(name, ai, frame, case, arguments, planes):
    """Clipping of split pixels: by the rule, as pyFAI's engines differ."""
    rule, where, peers = clip_by_rule(ai, frame, case, arguments)
    worst = {plane: difference(ours, expected, where)
             for plane, ours, expected in zip(("intensity", "std", "sem", "count"), planes, rule)}
    bad = any(v > LIMIT for v in worst.values())
    print(("FAIL " if bad else "ok   ") + name + " by the rule: " + ", ".join(f"{k} {v:.1e}" for k, v in worst.items())
          + f" (pyFAI's engines differ by up to {peers:.1e})", flush=True)
    return not bad


def run_case(capra, name, ai, frame, case):
    keep = []
    settings = make_settings(capra, ai, frame.shape, case, keep)
    variance = case.get("variance")
    radial, azimuths, values = capra.integrate(settings, frame[None],
                                               variance[None] if variance is not None else None)
    arguments = {k: v for k, v in case.items()
                 if k not in ("npt", "npt_azim", "split", "unit", "implementation")}
    arguments["mask"] = case.get("mask")
    if arguments["mask"] is None:
        arguments["mask"] = numpy.zeros(frame.shape, numpy.int8)
    if ai.detector.mask is not None:
        arguments["mask"] = arguments["mask"] | ai.detector.mask
    planes = values[0] if "npt_azim" in case else values[0, :, 0]
    if "thres" in case and case["split"] != "no":
        return run_clip_case(name, ai, frame, case, arguments, planes)
    theirs, where = integrate_peer(ai, frame, case, arguments)
    full_2d = "npt_azim" in case and case["split"] == "full"
    if full_2d:
        where, by_rule, rule, peer_rule = check_by_rule(ai, frame, case, planes, theirs, where)
    worst = {"radial": difference(radial, theirs.radial),
             "intensity": difference(planes[0], theirs.intensity, where)}
    if case.get("error_model") or variance is not None:
        # The Python engine rounds means to float32 before it computes deviations from them.
        least = 0.1 * abs(theirs.intensity).max() if case.get("error_model") == "azimuthal" else 0
        worst["std"] = difference(planes[1], theirs.std, where, least)
        worst["sem"] = difference(planes[2], abs(theirs.sem), where, least)
    worst["count"] = difference(planes[3], theirs.count, where)
    if "npt_azim" in case:
        worst["azimuthal"] = difference(azimuths, theirs.azimuthal)
    if full_2d:
        worst["rule"] = rule
    # Errors of areas cancel out in most means.
    loose = ("count", "sem") if full_2d else ()
    bad = any(v > (AREA_LIMIT if k in loose else LIMIT) for k, v in worst.items())
    print(("FAIL " if bad else "ok   ") + name + ": " + ", ".join(f"{k} {v:.1e}" for k, v in worst.items())
          + (f" ({by_rule} bins by the rule, where pyFAI is off by up to {peer_rule:.1e})" if full_2d else ""), flush=True)
    return not bad


def small_cases():
    random = numpy.random.default_rng(7)
    geometries = {"plain": {}, "rotated": dict(rot1=0.1, rot2=-0.2, rot3=0.4),
                  "quarter": dict(rot1=numpy.pi / 2, rot2=0.01)}
    for shape in ((61, 47), (1, 33)):
        for title, rotations in geometries.items():
            for orientation in (1, 2, 3, 4) if shape == (61, 47) and title == "rotated" else (3,):
                detector = pyFAI.detectors.Detector(1e-4, 1.1e-4, max_shape=shape, orientation=orientation)
                ai = AzimuthalIntegrator(dist=0.05, poni1=0.0021, poni2=0.0027, wavelength=1e-10, detector=detector,
                                         **rotations)
                frame = random.poisson(50, shape).astype(numpy.uint32)
                images = dict(mask=(random.random(shape) < 0.1).astype(numpy.int8),
                              dark=random.random(shape).astype(numpy.float32),
                              flat=(0.5 + random.random(shape)).astype(numpy.float32))
                for split in SPLITTING:
                    for unit in UNITS:
                        base = dict(npt=37, unit=unit, split=split, error_model="poisson")
                        title_now = f"{shape[0]}x{shape[1]} {title} o{orientation} {split} {unit}"
                        yield title_now, ai, frame, base
                        if unit == "q_nm^-1":
                            yield from variations(title_now, ai, frame, base, images, random)


def discontinuity_cases():
    """The beam in the frame: pixels on the discontinuity of the azimuth, which passes through them or along their edges."""
    random = numpy.random.default_rng(8)
    shape = (40, 50)
    for title, rows in (("inside", 20.3), ("through centers", 20.5), ("along edges", 20)):
        for orientation in (1, 2, 3, 4):
            for rotations in ({}, dict(rot1=0.01, rot2=-0.02, rot3=0.5)):
                detector = pyFAI.detectors.Detector(1e-4, 1e-4, max_shape=shape, orientation=orientation)
                ai = AzimuthalIntegrator(dist=0.05, poni1=rows * 1e-4, poni2=25.25e-4, wavelength=1e-10,
                                         detector=detector, **rotations)
                frame = random.poisson(50, shape).astype(numpy.uint32)
                for split in SPLITTING:
                    yield (f"discontinuity {title} o{orientation} rot3 {rotations.get('rot3', 0)} {split} 2-D", ai, frame,
                           dict(npt=13, npt_azim=24, unit="2th_deg", split=split, error_model="poisson"))


def variations(title, ai, frame, base, images, random):
    variance = random.random(frame.shape).astype(numpy.float32) + 1
    images = dict(images, flat=images["flat"].copy())
    images["flat"][0, ::3] = 0
    yield title + " all corrections", ai, frame, dict(base, polarization_factor=0.9, normalization_factor=3.0,
                                                      **{k: v for k, v in images.items() if k != "dark"})
    yield title + " dark", ai, frame, dict(base, error_model=None, dark=images["dark"])
    yield title + " variance", ai, frame, dict(base, error_model=None, variance=variance)
    yield title + " dummy", ai, frame, dict(base, dummy=50.0, delta_dummy=2.5)
    floats = frame.astype(numpy.float32)
    floats[0, ::4] = numpy.nan
    yield title + " float with NaN", ai, floats, base
    yield title + " many bins", ai, frame, dict(base, npt=501)
    yield title + " one bin", ai, frame, dict(base, npt=1)
    if frame.shape[0] > 1:
        yield title + " 2-D", ai, frame, dict(base, npt_azim=19)
    if base["split"] == "no":
        plain = dict(base, correctSolidAngle=False)
        yield title + " azimuthal", ai, frame, dict(base, error_model="azimuthal", implementation="python")
        for model in ("poisson", "azimuthal", "hybrid"):
            yield f"{title} clip {model}", ai, frame, dict(plain, error_model=model, thres=1.5, max_iter=4)
        yield title + " clip variance", ai, frame, dict(plain, error_model=None, variance=60 * variance, thres=1.5,
                                                        max_iter=4)
    elif frame.shape[0] > 1:
        for model in ("poisson", "azimuthal", "hybrid"):
            yield f"{title} clip {model}", ai, frame, dict(base, error_model=model, thres=1.5, max_iter=4)
        yield title + " clip variance", ai, frame, dict(base, error_model=None, variance=60 * variance, thres=1.5,
                                                        max_iter=4)


def eiger_cases():
    detector = pyFAI.detectors.detector_factory("Eiger4M")
    random = numpy.random.default_rng(1)
    frame = random.poisson(10, detector.shape).astype(numpy.uint32)
    for rotations in ({}, dict(rot1=0.02, rot2=-0.03, rot3=0.1)):
        ai = AzimuthalIntegrator(dist=1, poni1=0.08 if rotations else 0, poni2=0.07 if rotations else 0,
                                 wavelength=1e-10, detector=detector, **rotations)
        for split in SPLITTING:
            yield f"Eiger4M {rotations} {split}", ai, frame, dict(npt=1000, unit="q_nm^-1", split=split,
                                                                 error_model="poisson", polarization_factor=0.95)
            yield f"Eiger4M {rotations} {split} 2-D", ai, frame, dict(npt=500, npt_azim=180, unit="2th_deg",
                                                                     split=split, error_model="poisson")


def write_reference(path):
    """Curves of a frame that is a formula, for tests/algorithms/test-azimuthal-file.c."""
    i, j = numpy.mgrid[:61, :47]
    frame = ((i * 31 + j * 17) % 101).astype(numpy.uint32)
    with open(path, "w") as file:
        file.write("# Written by tests/bench/azimuthal_peer.py --write, with pyFAI " + pyFAI.version + "\n"
                   "# case splitting unit orientation rot1 rot2 rot3 polarization; radial intensity std sem count\n")
        for number in range(12):
            split, unit = list(SPLITTING)[number % 3], list(UNITS)[number // 3 % 3]
            orientation, rotations = 1 + number // 3, [(0, 0, 0), (0.1, -0.2, 0.4)][number % 2]
            polarization = [0.9, -0.5, 0][number // 4]
            detector = pyFAI.detectors.Detector(1e-4, 1.1e-4, max_shape=frame.shape, orientation=orientation)
            ai = AzimuthalIntegrator(0.05, 0.0021, 0.0027, *rotations, detector=detector, wavelength=1e-10)
            result = ai.integrate1d_ng(frame, 20, unit=unit, method=(split, "csr", "cython"), error_model="poisson",
                                       polarization_factor=polarization, mask=numpy.zeros(frame.shape, numpy.int8))
            file.write(f"case {SPLITTING[split]} {UNITS[unit]} {orientation} %g %g %g {polarization}\n" % rotations)
            for row in zip(result.radial, result.intensity, result.std, result.sem, result.count):
                file.write("%.15g %.9g %.9g %.9g %.9g\n" % row)


def main():
    if sys.argv[1] == "--write":
        return write_reference(sys.argv[2])
    capra = Capra(sys.argv[1])
    cases = list(small_cases()) + list(discontinuity_cases()) + (list(eiger_cases()) if "--eiger" in sys.argv else [])
    if "--full-2d" in sys.argv:
        cases = [c for c in cases if c[3]["split"] == "full" and "npt_azim" in c[3]]
    print("pyFAI", pyFAI.version)
    good = [run_case(capra, *case) for case in cases]
    print(f"{sum(good)} of {len(good)} cases agree to {LIMIT}")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
