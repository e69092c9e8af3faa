#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hundred random 4 x 4 filters on one image of 3000 x 3000, all of the result and every fifth row and column: scipy
serially, in processes (multiprocessing), with Dask and with Ray, CuPy where it is installed, and Capra in one process,
with one upload.

The experiment is that of Ray's tutorial on parallel Python: scipy.signal.convolve2d (image, filter), without a mode,
so that the result is 3003 x 3003, and the same with [::5, ::5]. Images and filters are float64, as there, or float32.
Capra takes both and computes in float32; its results are float32. Times are wall times of the best of --repeats runs,
from the image in the host's memory to all results in the host's memory. Workers are started before, and a worker whose
run takes 10 seconds or more runs once. All results are compared with sums in double precision.

    python3 tests/bench/convolution.py --plot times.png

The first run makes a virtual environment (--venv) with what is needed from PyPI, and builds libcapra in build-bench. On
a machine without network, --here uses the packages of the running Python, --library a libcapra.so.0, and --only a part
of the workers; --save stores the times, and --merge puts stored ones into the table and the plot of another machine."""
import argparse
import ctypes as C
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import time
import weakref

PACKAGES = ["numpy", "scipy", "dask", "distributed", "ray", "matplotlib"]
WORKERS = ["scipy", "scipy.ndimage", "multiprocessing", "Dask", "Ray", "CuPy", "Capra"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = {1: "full size", 5: "[::5, ::5]"}
LONG = 10.0  # seconds
STORE = 9 << 30  # bytes of Ray's memory for results: without disk
TOLERANCE = 2e-6  # of the largest value


def enter_venv(folder):
    python, complete = os.path.join(folder, "bin", "python"), os.path.join(folder, "complete")
    if not os.path.exists(complete):
        print(f"installing {', '.join(PACKAGES)} in {folder}", file=sys.stderr)
        if subprocess.run([sys.executable, "-m", "venv", "--clear", folder]).returncode:
            sys.exit("cannot make a virtual environment: install python3-venv")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"] + PACKAGES,
                       check=True)
        open(complete, "w").close()
    os.execv(python, [python, os.path.abspath(__file__), "--here"] + sys.argv[1:])


def build_library():
    folder = os.path.join(ROOT, "build-bench")
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        subprocess.run(["sh", os.path.join(ROOT, "data", "setup.sh")], check=True)
        subprocess.run(["meson", "setup", "--buildtype=release", "-Dplugin=false", "-Dpanel=disabled", folder, ROOT],
                       check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["meson", "compile", "-C", folder], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, "cl", "libcapra.so.0")


def take(result, step):
    """A copy, so that the rest of the result is freed."""
    return result if step == 1 else result[::step, ::step].copy()


def convolve(image, matrix, step):
    import scipy.signal

    return take(scipy.signal.convolve2d(image, matrix), step)


class Worker:
    starts = False  # whether the first call starts processes or builds kernels

    def __init__(self, image):
        import scipy.signal

    def close(self):
        pass


class Serial(Worker):
    def __call__(self, image, matrices, step):
        return [convolve(image, matrix, step) for matrix in matrices]


class Ndimage(Worker):
    """The faster of scipy's functions, for comparison; the tutorial uses the other one."""

    def __call__(self, image, matrices, step):
        import numpy as np
        import scipy.ndimage

        padded = np.pad(image, ((2, 1), (2, 1)))
        return [take(scipy.ndimage.convolve(padded, matrix, mode="constant"), step) for matrix in matrices]


SHARED = {}


def share(image):
    SHARED["image"] = image


def convolve_shared(work):
    return convolve(SHARED["image"], *work)


class Processes(Worker):
    def __init__(self, image):
        super().__init__(image)
        self.pool = multiprocessing.get_context("fork").Pool(os.cpu_count(), share, (image,))

    def __call__(self, image, matrices, step):
        return self.pool.map(convolve_shared, [(matrix, step) for matrix in matrices], chunksize=1)

    def close(self):
        self.pool.terminate()


class Dask(Worker):
    """Processes, since scipy's function does not let threads run at the same time."""
    starts = True

    def __init__(self, image):
        import dask
        import dask.distributed

        dask.config.set({"distributed.worker.memory.terminate": False, "distributed.worker.memory.pause": False,
                         "distributed.worker.memory.spill": False, "distributed.worker.memory.target": False})
        self.client = dask.distributed.Client(n_workers=os.cpu_count(), threads_per_worker=1, dashboard_address=None,
                                              silence_logs=50)

    def __call__(self, image, matrices, step):
        image = self.client.scatter(image, broadcast=True, hash=False)
        return self.client.gather([self.client.submit(convolve, image, m, step, pure=False) for m in matrices])

    def close(self):
        self.client.shutdown()


class Ray(Worker):
    starts = True

    def __init__(self, image):
        import ray

        ray.init(num_cpus=os.cpu_count(), include_dashboard=False, log_to_driver=False, logging_level="ERROR",
                 object_store_memory=STORE)
        self.ray = ray
        self.remote = ray.remote(convolve)

    def __call__(self, image, matrices, step):
        shared = self.ray.put(image)
        return self.ray.get([self.remote.remote(shared, matrix, step) for matrix in matrices])

    def close(self):
        self.ray.shutdown()


class CuPy(Worker):
    starts = True

    def __init__(self, image):
        import cupy
        import cupyx.scipy.signal

        self.cupy, self.signal = cupy, cupyx.scipy.signal
        self.device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()

    def __call__(self, image, matrices, step):
        there = self.cupy.asarray(image)
        return [self.cupy.asnumpy(self.signal.convolve2d(there, self.cupy.asarray(matrix))[::step, ::step])
                for matrix in matrices]


class Info(C.Structure):
    _fields_ = [("index", C.c_uint), ("platform", C.c_uint), ("number", C.c_uint), ("id", C.c_char_p),
                ("name", C.c_char_p)]


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


class Capra(Worker):
    """One upload, then as many filters in a call as fit into a part of the memory. The results are NumPy arrays over
    the memory into which they were downloaded, and give it back when they are freed."""
    starts = True
    F32 = 6
    FULL = 1
    MANY = 25

    def __init__(self, library, device):
        self.lib = C.CDLL(library)
        for name in ("capra_device_select", "capra_device_get_info", "capra_array_new_for_upload",
                     "capra_array_map_read", "capra_convolve_many", "capra_matrix_new", "capra_array_get_shape"):
            getattr(self.lib, name).restype = C.c_void_p
        self.pointer = C.c_void_p(self.check("capra_device_select", device.encode() if device else None))
        self.device = C.cast(self.lib.capra_device_get_info(self.pointer), C.POINTER(Info)).contents.name.decode()

    def check(self, function, *arguments):
        error = C.POINTER(Error)()
        result = getattr(self.lib, function)(*arguments, C.byref(error))
        if not result:
            raise RuntimeError(error.contents.message.decode())
        return result

    def upload(self, image):
        shape = Shape(image.shape[1], image.shape[0], 1, 1, self.F32)
        array = C.c_void_p(self.check("capra_array_new_for_upload", self.pointer, C.byref(shape)))
        name = "capra_array_upload_doubles" if image.dtype.itemsize == 8 else "capra_array_upload"
        self.check(name, array, image.ctypes.data_as(C.c_void_p))
        return array

    def make_matrix(self, values):
        matrix = C.c_void_p(self.lib.capra_matrix_new(values.shape[1], values.shape[0]))
        C.memmove(C.cast(matrix, C.POINTER(Matrix)).contents.values, values.astype("f8").tobytes(), 8 * values.size)
        return matrix

    def download(self, array):
        import numpy as np

        shape = C.cast(self.lib.capra_array_get_shape(array), C.POINTER(Shape)).contents
        count = shape.depth * shape.height * shape.width
        memory = (C.c_float * count).from_address(self.check("capra_array_map_read", array))
        weakref.finalize(memory, self.check, "capra_array_unmap", array)
        return np.frombuffer(memory, np.float32).reshape(shape.depth, shape.height, shape.width)

    def convolve_some(self, array, matrices, step):
        pointers = [self.make_matrix(m) for m in matrices]
        options = Options(0, 1.0, 0.0, self.FULL, 0, step, step)
        result = C.c_void_p(self.check("capra_convolve_many", array, (C.c_void_p * len(pointers))(*pointers),
                                       len(pointers), C.byref(options), None))
        planes = self.download(result)
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


class Reference:
    """Sums in double precision."""

    def __init__(self, image, matrices):
        import numpy as np

        self.np, self.padded, self.matrices = np, np.pad(image.astype("f8"), 3), matrices
        self.size = image.shape[0] + 3

    def shifted(self, j, i, step):
        return self.padded[3 - j:3 - j + self.size:step, 3 - i:3 - i + self.size:step]

    def sums(self, matrix, step):
        return sum(matrix[j, i] * self.shifted(j, i, step) for j in range(4) for i in range(4))

    def deviation(self, results, step):
        """The largest difference of a result from the sums, as a share of the largest sum: every fifth row and column
        of all results, and all pixels of the last one. Infinity if a size is wrong."""
        worst, sampled = 0.0, 5 // step
        pairs = [(result, 5, sampled) for result in results] + [(results[-1], step, 1)]
        if len(results) != len(self.matrices):
            return float("inf")
        for (result, distance, skip), matrix in zip(pairs, self.matrices + self.matrices[-1:]):
            wanted = self.sums(matrix.astype("f8"), distance)
            if result[::skip, ::skip].shape != wanted.shape:
                return float("inf")
            worst = max(worst, self.np.abs(result[::skip, ::skip] - wanted).max() / wanted.max())
        return float(worst)


def describe_processor():
    """The processor's name and the number of cores."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            name = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores"


def make_workers(arguments, image):
    """Pairs of a name and a function that makes the worker, which fails where a library is missing."""
    makers = {"scipy": Serial, "scipy.ndimage": Ndimage, "multiprocessing": Processes, "Dask": Dask, "Ray": Ray,
              "CuPy": CuPy}
    for name in WORKERS:
        if name in arguments.only and name in makers:
            yield name, lambda name=name: makers[name](image)
    for device in (arguments.device or [None]) if "Capra" in arguments.only else []:
        yield "Capra", lambda device=device: Capra(arguments.library, device)


def time_worker(worker, image, matrices, step, repeats):
    best, results = float("inf"), None
    if worker.starts:
        worker(image[:64], matrices, step)
    for _ in range(repeats):
        results = None
        start = time.perf_counter()
        results = worker(image, matrices, step)
        best = min(best, time.perf_counter() - start)
        if best >= LONG:
            break
    return best, results


def run(arguments):
    import numpy as np

    random = np.random.default_rng(1)
    matrices = [random.random((4, 4)) for _ in range(arguments.filters)]
    full = random.random((arguments.size, arguments.size))
    for dtype in ("float64", "float32"):
        image, used = full.astype(dtype), [matrix.astype(dtype) for matrix in matrices]
        reference = Reference(image, used)
        for name, make in make_workers(arguments, image):
            try:
                worker = make()
            except ImportError as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            for step in (1, 5):
                seconds, results = time_worker(worker, image, used, step, arguments.repeats)
                row = {"name": name, "on": getattr(worker, "device", arguments.processor), "type": dtype, "step": step,
                       "filters": arguments.filters, "size": arguments.size, "seconds": seconds,
                       "deviation": reference.deviation(results, step)}
                results = None
                print(f"{dtype} {CASES[step]:12s}{name:18s}{seconds:9.3f} s, deviation {row['deviation']:.1e}",
                      file=sys.stderr)
                yield row
            worker.close()


def get_columns(rows):
    """Pairs of a name and a machine; processes and threads on processors before devices."""
    found = dict.fromkeys((row["name"], row["on"]) for row in rows)
    return sorted(found, key=lambda column: WORKERS.index(column[0]))


def find(rows, column, case):
    keys = column + case
    return next((row for row in rows if (row["name"], row["on"], row["type"], row["step"]) == keys), None)


def format_cell(row, base):
    if not row:
        return ""
    return (f"{row['seconds']:.3f} s" + (f", {base['seconds'] / row['seconds']:.1f} x" if base else "")
            + ("" if row["deviation"] <= TOLERANCE else " WRONG"))


def print_table(rows):
    """Times, and how many times faster than scipy.signal.convolve2d in the same run or in one that was merged."""
    cases = list(dict.fromkeys((row["type"], row["step"]) for row in rows))
    columns = get_columns(rows)
    serial = next((column for column in columns if column[0] == "scipy"), ("scipy", ""))
    print("| | on | " + " | ".join(f"{dtype} {CASES[step]}" for dtype, step in cases) + " |")
    print("| --- " * (len(cases) + 2) + "|")
    for column in columns:
        cells = [format_cell(find(rows, column, case), find(rows, serial, case)) for case in cases]
        print(f"| {column[0]} | {column[1]} | " + " | ".join(cells) + " |")


def plot(rows, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    columns, cases = get_columns(rows), list(dict.fromkeys((row["type"], row["step"]) for row in rows))
    figure, axes = pyplot.subplots(figsize=(9, 1 + 0.32 * len(cases) * len(columns)))
    height = 0.8 / len(columns)
    for i, column in enumerate(columns):
        found = [find(rows, column, case) for case in cases]
        bars = axes.barh([c + i * height for c in range(len(cases))], [row["seconds"] if row else 0 for row in found],
                         height * 0.9, label=f"{column[0]} ({column[1]})")
        axes.bar_label(bars, [f"{row['seconds']:.3g} s" if row else "" for row in found], padding=3)
    axes.set_yticks([c + 0.4 - height / 2 for c in range(len(cases))],
                    [f"{dtype}\n{CASES[step]}" for dtype, step in cases])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.margins(x=0.15)
    axes.set_xlabel("seconds (logarithmic)")
    axes.set_title(f"{rows[0]['filters']} filters of 4 x 4 on an image of {rows[0]['size']} x {rows[0]['size']}")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize="small")
    figure.set_layout_engine("constrained")
    figure.savefig(path, dpi=120)


def read_rows(arguments):
    rows = []
    for path in arguments.merge:
        with open(path) as file:
            rows += json.load(file)
        if any((row["filters"], row["size"]) != (arguments.filters, arguments.size) for row in rows):
            sys.exit(f"{path}: not for {arguments.filters} filters and a size of {arguments.size}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help="libcapra.so.0 of a build (default: built in build-bench)")
    parser.add_argument("--device", action="append", help="a device as `capra devices` lists them; may be repeated")
    parser.add_argument("--only", type=lambda text: text.split(","), default=WORKERS,
                        help=f"workers, separated by commas (default: {','.join(WORKERS)})")
    parser.add_argument("--filters", type=int, default=100)
    parser.add_argument("--size", type=int, default=3000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--processor", default=describe_processor(), help="the name of this machine's processor")
    parser.add_argument("--plot", metavar="FILE.png", help="draw the times")
    parser.add_argument("--save", metavar="FILE.json", help="store the times")
    parser.add_argument("--merge", metavar="FILE.json", action="append", default=[],
                        help="add stored times to the table and the plot; may be repeated")
    parser.add_argument("--venv", default=os.path.join(os.path.expanduser("~"), ".cache", "capra-convolution"))
    parser.add_argument("--here", action="store_true", help="use the packages of this Python")
    arguments = parser.parse_args()
    unknown = set(arguments.only) - set(WORKERS) - {"none"}
    if unknown:
        parser.error(f"unknown worker {', '.join(sorted(unknown))}; --only knows {', '.join(WORKERS)}, and none")
    if not arguments.here:
        enter_venv(arguments.venv)
    if "Capra" in arguments.only:
        arguments.library = arguments.library or build_library()
    merged = read_rows(arguments)
    rows = list(run(arguments)) if arguments.only != ["none"] else []
    if arguments.save:
        with open(arguments.save, "w") as file:
            json.dump(rows, file, indent=1)
    rows += merged
    if not rows:
        parser.error("no times: no worker ran, and --merge is not given")
    print_table(rows)
    if arguments.plot:
        plot(rows, arguments.plot)
    return not all(row["deviation"] <= TOLERANCE for row in rows)


if __name__ == "__main__":
    sys.exit(main())
