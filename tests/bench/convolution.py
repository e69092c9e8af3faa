#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hundred random 4 x 4 filters on one image of 3000 x 3000, whole and every fifth row and column ([::5, ::5]): scipy
serially, in processes (multiprocessing), with Dask and with Ray, and Capra in one process, with one upload.

    python3 tests/bench/convolution.py LIBCAPRA.so [--device NAME]… [--filters N] [--size N] [--plot FILE.png]

The first run makes a virtual environment with numpy, scipy, dask, ray and matplotlib (from PyPI) in --venv; with --here the
packages of the running Python are used, and libraries that are missing are left out. scipy computes in float64 as in the
tutorial, and in float32; Capra takes float64 images, which it rounds to float32, and float32. Times are wall times in
seconds of the best of --repeats runs: from the image in the host's memory to all results in the host's memory. Worker
processes are started before. Results are compared with those of scipy in float64."""
import argparse
import ctypes as C
import multiprocessing
import os
import subprocess
import sys
import time

PACKAGES = ["numpy", "scipy", "dask[array]", "ray", "matplotlib"]


def enter_venv(folder):
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet"] + PACKAGES, check=True)
    os.execv(python, [python, os.path.abspath(__file__), "--here"] + sys.argv[1:])


def convolve(image, matrix, step):
    """As the tutorial does it: the whole convolution, of which a part is kept."""
    import scipy.ndimage

    return scipy.ndimage.convolve(image, matrix, mode="constant")[::step, ::step]


SHARED = {}


def share(image):
    SHARED["image"] = image


def convolve_shared(work):
    return convolve(SHARED["image"], *work)


def run_serial(image, matrices, step):
    return [convolve(image, matrix, step) for matrix in matrices]


class Processes:
    def __init__(self, image):
        self.pool = multiprocessing.Pool(os.cpu_count(), share, (image,))

    def __call__(self, image, matrices, step):
        return self.pool.map(convolve_shared, [(matrix, step) for matrix in matrices], chunksize=1)

    def close(self):
        self.pool.terminate()


class Dask:
    def __init__(self, image):
        import dask

        self.dask = dask

    def __call__(self, image, matrices, step):
        work = [self.dask.delayed(convolve)(image, matrix, step) for matrix in matrices]
        return list(self.dask.compute(*work, scheduler="threads", num_workers=os.cpu_count()))

    def close(self):
        pass


class Ray:
    def __init__(self, image):
        import ray

        ray.init(num_cpus=os.cpu_count(), include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        self.ray = ray
        self.remote = ray.remote(convolve)
        self([[0.0]], [[[1.0]]] * os.cpu_count(), 1)

    def __call__(self, image, matrices, step):
        shared = self.ray.put(image)
        return self.ray.get([self.remote.remote(shared, matrix, step) for matrix in matrices])

    def close(self):
        self.ray.shutdown()


class Shape(C.Structure):
    _fields_ = [("width", C.c_size_t), ("height", C.c_size_t), ("depth", C.c_size_t), ("channels", C.c_uint),
                ("type", C.c_int)]


class Matrix(C.Structure):
    _fields_ = [("width", C.c_int), ("height", C.c_int), ("values", C.POINTER(C.c_double))]


class Options(C.Structure):
    _fields_ = [("correlate", C.c_int), ("divisor", C.c_double), ("offset", C.c_double), ("extent", C.c_int),
                ("border", C.c_int), ("stride_x", C.c_int), ("stride_y", C.c_int)]


class Error(C.Structure):
    _fields_ = [("domain", C.c_uint32), ("code", C.c_int), ("message", C.c_char_p)]


class Capra:
    """One upload, then as many filters in a call as fit into a part of the memory, and one download for each call."""
    F32 = 6
    MANY = 25

    def __init__(self, library, device):
        self.lib = C.CDLL(library)
        for name in ("capra_device_select", "capra_array_new_for_upload", "capra_convolve_many", "capra_matrix_new",
                     "capra_array_get_shape"):
            getattr(self.lib, name).restype = C.c_void_p
        self.device = C.c_void_p(self.check("capra_device_select", device.encode() if device else None))

    def check(self, function, *arguments):
        error = C.POINTER(Error)()
        result = getattr(self.lib, function)(*arguments, C.byref(error))
        if not result:
            raise RuntimeError(error.contents.message.decode())
        return result

    def upload(self, image):
        shape = Shape(image.shape[1], image.shape[0], 1, 1, self.F32)
        array = C.c_void_p(self.check("capra_array_new_for_upload", self.device, C.byref(shape)))
        name = "capra_array_upload_doubles" if image.dtype.itemsize == 8 else "capra_array_upload"
        self.check(name, array, image.ctypes.data_as(C.c_void_p))
        return array

    def make_matrix(self, values):
        matrix = C.c_void_p(self.lib.capra_matrix_new(values.shape[1], values.shape[0]))
        C.memmove(C.cast(matrix, C.POINTER(Matrix)).contents.values, values.astype("f8").tobytes(), 8 * values.size)
        return matrix

    def convolve_some(self, array, matrices, step):
        import numpy as np

        pointers = [self.make_matrix(m) for m in matrices]
        options = Options(0, 1.0, 0.0, 0, 0, step, step)
        result = C.c_void_p(self.check("capra_convolve_many", array, (C.c_void_p * len(pointers))(*pointers),
                                       len(pointers), C.byref(options), None))
        shape = C.cast(self.lib.capra_array_get_shape(result), C.POINTER(Shape)).contents
        planes = np.empty((shape.depth, shape.height, shape.width), np.float32)
        self.check("capra_array_download", result, planes.ctypes.data_as(C.c_void_p))
        self.lib.capra_array_unref(result)
        for pointer in pointers:
            self.lib.capra_matrix_free(pointer)
        return planes

    def __call__(self, image, matrices, step):
        array = self.upload(image)
        many = len(matrices) if step > 1 else self.MANY
        results = []
        for first in range(0, len(matrices), many):
            results.extend(self.convolve_some(array, matrices[first:first + many], step))
        self.lib.capra_array_unref(array)
        return results

    def close(self):
        pass


def make_workers(arguments, image):
    """Pairs of a name and a function that makes the worker, which may fail where a library is missing."""
    workers = [("scipy", lambda: run_serial), ("multiprocessing", lambda: Processes(image)), ("Dask", lambda: Dask(image)),
               ("Ray", lambda: Ray(image))]
    for device in arguments.device or [""]:
        name = f"Capra{' on ' + device if device else ''}"
        workers.append((name, lambda device=device: Capra(arguments.library, device)))
    return workers


def time_worker(worker, image, matrices, step, repeats):
    best, results = float("inf"), None
    for _ in range(repeats):
        results = None
        start = time.perf_counter()
        results = worker(image, matrices, step)
        best = min(best, time.perf_counter() - start)
    return best, results


def run(arguments):
    import numpy as np

    random = np.random.default_rng(1)
    matrices = [random.random((4, 4)) for _ in range(arguments.filters)]
    full = random.random((arguments.size, arguments.size))
    rows = []
    for dtype in ("float64", "float32"):
        image = full.astype(dtype)
        for name, make in make_workers(arguments, image):
            try:
                worker = make()
            except ImportError:
                continue
            for step in (1, 5):
                used = matrices if name.startswith("Capra") else [m.astype(dtype) for m in matrices]
                seconds, results = time_worker(worker, image, used, step, arguments.repeats)
                wanted = convolve(full, matrices[-1], step)
                same = results[-1].shape == wanted.shape and np.abs(results[-1] - wanted).max() < 1e-4
                rows.append((dtype, step, name, seconds, same))
                print(f"{dtype} {'[::5, ::5]' if step > 1 else 'whole':11s}{name:18s}{seconds:9.3f} s", file=sys.stderr)
                results = None
            if hasattr(worker, "close"):
                worker.close()
    return rows


def print_table(rows):
    names = list(dict.fromkeys(row[2] for row in rows))
    print(f"{'':24s}" + "".join(f"{name:>24s}" for name in names))
    for dtype, step in dict.fromkeys((row[0], row[1]) for row in rows):
        times = {row[2]: row for row in rows if row[:2] == (dtype, step)}
        cells = [f"{times[n][3]:.3f} s{times['scipy'][3] / times[n][3]:8.1f} x{'' if times[n][4] else ' WRONG'}"
                 if n in times else "" for n in names]
        print(f"{dtype} {'[::5, ::5]' if step > 1 else 'whole':16s}" + "".join(f"{cell:>24s}" for cell in cells))


def plot(rows, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(row[2] for row in rows))
    cases = list(dict.fromkeys((row[0], row[1]) for row in rows))
    figure, axes = pyplot.subplots(figsize=(9, 5))
    for i, name in enumerate(names):
        times = [next((row[3] for row in rows if row[:3] == case + (name,)), float("nan")) for case in cases]
        axes.bar([c + (i - len(names) / 2 + 0.5) * 0.8 / len(names) for c in range(len(cases))], times,
                 0.8 / len(names), label=name)
    axes.set_xticks(range(len(cases)), [f"{d}\n{'[::5, ::5]' if s > 1 else 'whole'}" for d, s in cases])
    axes.set_yscale("log")
    axes.set_ylabel("seconds")
    axes.set_title("100 filters 4 x 4 on 3000 x 3000")
    axes.legend()
    figure.savefig(path, dpi=120, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="libcapra.so.0 of the build")
    parser.add_argument("--device", action="append", help="a device as `capra devices` lists them; may be repeated")
    parser.add_argument("--filters", type=int, default=100)
    parser.add_argument("--size", type=int, default=3000)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--plot", help="a PNG file for the times")
    parser.add_argument("--venv", default=os.path.join(os.path.expanduser("~"), ".cache", "capra-convolution"))
    parser.add_argument("--here", action="store_true", help="use the packages of this Python")
    arguments = parser.parse_args()
    if not arguments.here:
        enter_venv(arguments.venv)
    rows = run(arguments)
    print_table(rows)
    if arguments.plot:
        plot(rows, arguments.plot)
    return not all(row[4] for row in rows)


if __name__ == "__main__":
    sys.exit(main())
