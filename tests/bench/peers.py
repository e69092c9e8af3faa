#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times peers that are installed (scipy, scikit-image, OpenCV, CuPy, cuCIM, torch, pyclesperanto) on the images of
`capra bench`, checks that results agree, and prints one table of ratios beside capra's own times.

Usage: peers.py CAPRA [--size 4096] [--device NAME] [--repeats 7] [--select GLOBS]
CAPRA is the program, such as build/ui/cli/capra. Times are medians in milliseconds; capra's are device times.
"""
import argparse
import importlib
import json
import os
import subprocess
import tempfile
import time

import numpy as np


def optional(name):
    try:
        return importlib.import_module(name)
    except Exception:
        return None


def median_ms(call, repeats, sync=lambda: None):
    """Median wall time of `call` after one warm-up, device work included through `sync`."""
    call()
    sync()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        sync()
        times.append((time.perf_counter() - start) * 1e3)
    return float(np.median(times))


def matrix(size):
    """The matrix of `capra bench`'s convolve-N, normalised."""
    j, i = np.mgrid[0:size, 0:size]
    m = 0.1 + np.fmod((i * 7919 + j * 104729) * 0.618034, 1.0)
    return (m / m.sum()).astype(np.float32)


def scipy_calls(images):
    ndimage = optional("scipy.ndimage")
    if not ndimage:
        return {}
    noise = images["noise"]
    eight = np.ones((3, 3), bool)
    calls = {f"gaussian-{s}": lambda s=s: ndimage.gaussian_filter(noise, s) for s in (1, 2, 5, 10, 20)}
    calls["box-15"] = lambda: ndimage.uniform_filter(noise, 31)
    calls["convolve-7"] = lambda: ndimage.convolve(noise, matrix(7))
    for mask in ("blobs", "noise-50", "noise-59", "sparse", "full"):
        calls[f"label-{mask}"] = lambda mask=mask: ndimage.label(images[mask], eight)[0]
    return calls


def skimage_calls(images):
    filters = optional("skimage.filters")
    if not filters:
        return {}
    noise = images["noise"]
    return {"otsu": lambda: noise > filters.threshold_otsu(noise), "threshold": lambda: (noise >= 0.5).astype(np.float32),
            "median": lambda: np.median(noise), "moments": lambda: (noise.min(), noise.max(), noise.mean(), noise.std())}


def opencv_calls(images, threads):
    cv2 = optional("cv2")
    if not cv2:
        return {}
    cv2.setNumThreads(threads)
    noise = images["noise"]
    masks = {m: (images[m] > 0).astype(np.uint8) for m in ("blobs", "noise-50", "noise-59", "sparse", "full")}
    calls = {}
    for s in (1, 2, 5, 10, 20):
        k = 2 * int(4 * s + 0.5) + 1
        calls[f"gaussian-{s}"] = lambda s=s, k=k: cv2.GaussianBlur(noise, (k, k), s, borderType=cv2.BORDER_REFLECT)
    calls["box-15"] = lambda: cv2.blur(noise, (31, 31), borderType=cv2.BORDER_REFLECT)
    for n in (3, 5, 7, 9, 11, 15, 31):
        # OpenCV correlates: the matrix is turned.
        calls[f"convolve-{n}"] = lambda n=n: cv2.filter2D(noise, -1, np.ascontiguousarray(matrix(n)[::-1, ::-1]),
                                                          borderType=cv2.BORDER_REFLECT)
    calls["threshold"] = lambda: cv2.threshold(noise, 0.5, 1.0, cv2.THRESH_BINARY)[1]
    for m, mask in masks.items():
        calls[f"label-{m}"] = lambda mask=mask: cv2.connectedComponents(mask, connectivity=8)[1]
    calls["label-measure-blobs"] = lambda: cv2.connectedComponentsWithStats(masks["blobs"], connectivity=8)[1]
    return calls


def cupy_calls(images, package):
    cupy = optional("cupy")
    ndi = optional("cupyx.scipy.ndimage")
    if not cupy or not ndi:
        return {}
    on = {name: cupy.asarray(image) for name, image in images.items()}
    noise = on["noise"]
    calls = {}
    if package == "cucim":
        filters = optional("cucim.skimage.filters")
        measure = optional("cucim.skimage.measure")
        if not filters or not measure:
            return {}
        for s in (1, 2, 5, 10, 20, 50):
            calls[f"gaussian-{s}"] = lambda s=s: filters.gaussian(noise, s, mode="reflect", preserve_range=True)
        calls["otsu"] = lambda: noise > filters.threshold_otsu(noise)
        for mask in ("blobs", "noise-50", "noise-59", "sparse", "full"):
            calls[f"label-{mask}"] = lambda mask=mask: measure.label(on[mask] > 0, connectivity=2)
        return calls
    eight = cupy.ones((3, 3), bool)
    for s in (1, 2, 5, 10, 20, 50):
        calls[f"gaussian-{s}"] = lambda s=s: ndi.gaussian_filter(noise, s)
    calls["box-15"] = lambda: ndi.uniform_filter(noise, 31)
    for n in (3, 5, 7, 15):
        weights = cupy.asarray(matrix(n))
        calls[f"convolve-{n}"] = lambda weights=weights: ndi.convolve(noise, weights)
    calls["threshold"] = lambda: (noise >= 0.5).astype(cupy.float32)
    calls["median"] = lambda: cupy.median(noise)
    calls["moments"] = lambda: (noise.min(), noise.max(), noise.mean(), noise.std())
    for mask in ("blobs", "noise-50", "noise-59", "sparse", "full"):
        calls[f"label-{mask}"] = lambda mask=mask: ndi.label(on[mask], eight)[0]
    return calls


def torch_calls(images, device):
    torch = optional("torch")
    if not torch or (device == "cuda" and not torch.cuda.is_available()):
        return {}
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    conv2d = torch.nn.functional.conv2d
    noise = torch.from_numpy(images["noise"])[None, None].to(device)
    calls = {}
    for n in (3, 5, 7, 15, 31):
        # It correlates, and knows no border but zeros.
        weights = torch.from_numpy(np.ascontiguousarray(matrix(n)[::-1, ::-1]))[None, None].to(device)
        calls[f"convolve-{n}"] = lambda weights=weights, n=n: conv2d(noise, weights, padding=n // 2)
    part = noise[:, :, :3000, :3000].contiguous()
    bank = torch.stack([torch.from_numpy(matrix(4)) + m for m in range(100)])[:, None].to(device)
    calls["convolve-100-of-4-stride-5"] = lambda: conv2d(part, bank, stride=5)
    return calls


def pyclesperanto_calls(images):
    cle = optional("pyclesperanto")
    if not cle:
        return {}
    noise = cle.push(images["noise"])
    blobs = cle.push(images["blobs"])
    calls = {f"gaussian-{s}": lambda s=s: cle.gaussian_blur(noise, sigma_x=s, sigma_y=s) for s in (1, 5, 20)}
    calls["threshold"] = lambda: cle.greater_or_equal_constant(noise, scalar=0.5)
    calls["label-blobs"] = lambda: cle.connected_component_labeling(blobs, connectivity="box")
    return calls


def to_numpy(result):
    return result.get() if hasattr(result, "get") else np.asarray(result)


def check(peers):
    """Peers must agree with each other where several do the same work: scipy is the measure."""
    reference = peers.get("scipy", {})
    for name, calls in peers.items():
        for work in ("gaussian-1", "label-blobs"):
            if name == "scipy" or work not in calls or work not in reference:
                continue
            a, b = to_numpy(calls[work]()), reference[work]()
            if work.startswith("label"):
                same = a.max() == b.max() and ((a > 0) == (b > 0)).all()
            else:
                same = np.abs(a[64:-64, 64:-64] - b[64:-64, 64:-64]).max() < 1e-3
            print(f"# {work}: {name} {'agrees with' if same else 'DIFFERS from'} scipy")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capra")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--device", default="")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--select", default="*")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([options.capra, "bench", "--size", str(options.size), "--save-inputs", folder], check=True)
        images = {os.path.splitext(f)[0]: np.fromfile(os.path.join(folder, f), np.float32).reshape(options.size, -1)
                  for f in os.listdir(folder)}
    command = [options.capra, "bench", "--json", "--size", str(options.size), "--repeats", str(options.repeats),
               "--select", options.select] + (["--device", options.device] if options.device else [])
    ours = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    cupy = optional("cupy")
    torch = optional("torch")
    torch_device = "cuda" if cupy and torch else "cpu"
    peers = {"scipy": scipy_calls(images), "skimage": skimage_calls(images),
             "opencv": opencv_calls(images, options.threads), "cupy": cupy_calls(images, "cupy"),
             "cucim": cupy_calls(images, "cucim"), "torch": torch_calls(images, torch_device), "pyclesperanto": pyclesperanto_calls(images)}
    peers = {name: calls for name, calls in peers.items() if calls}
    check(peers)

    print(f"# {ours['device']}, {options.size} x {options.size} float32, medians of {options.repeats} in ms; "
          f"in brackets capra's time over the peer's")
    print(f"{'work':22} {'capra':>9} " + " ".join(f"{name:>20}" for name in peers))
    for row in ours["workloads"]:
        cells = []
        for name, calls in peers.items():
            call = calls.get(row["name"])
            if not call:
                cells.append(f"{'-':>20}")
                continue
            sync = lambda: None
            if name in ("cupy", "cucim"):
                sync = cupy.cuda.Device().synchronize
            elif name == "torch" and torch_device == "cuda":
                sync = torch.cuda.synchronize
            peer = median_ms(call, options.repeats, sync)
            cells.append(f"{peer:11.3f} ({row['device'] / peer:6.2f})")
        print(f"{row['name']:22} {row['device']:9.3f} " + " ".join(cells), flush=True)


if __name__ == "__main__":
    main()
