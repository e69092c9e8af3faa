# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that run on a graphics card or through OpenCL: CuPy, cuCIM, torch, NPP, pyclesperanto. Data is on the device."""
import glob
import json
import os
import shutil
import subprocess
import tempfile

import numpy as np

from . import MASKS, Peer, matrices, matrix, optional, turned

BUSY = 64 << 20  # floats, of which four copies take half a millisecond on the fastest cards
NPP = ("nppif", "nppitc", "nppial", "nppc")


def cuda_timer(cupy):
    """Times on the device, from the start of the first kernel to the end of the last one. As in `capra bench`, the device
    is kept busy until the host has enqueued the call, so that gaps between kernels are the device's own."""
    busy = [cupy.empty(BUSY, cupy.float32) for _ in range(2)]

    def time_once(call):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        cupy.cuda.Device().synchronize()
        for _ in range(4):
            cupy.copyto(busy[0], busy[1])
        start.record()
        call()
        end.record()
        end.synchronize()
        return cupy.cuda.get_elapsed_time(start, end)

    return time_once


def cupy(images, options):
    """CuPy and cuCIM."""
    cupy, ndi = optional("cupy"), optional("cupyx.scipy.ndimage")
    try:
        if not cupy or not ndi or cupy.cuda.runtime.getDeviceCount() == 0:
            return []
    except Exception:  # no driver
        return []
    on = {name: cupy.asarray(image) for name, image in images.items()}
    noise, eight = on["noise"], cupy.ones((3, 3), bool)
    works = {}
    for s in (1, 2, 5, 10, 20, 50):
        works[f"gaussian-{s}"] = lambda s=s: ndi.gaussian_filter(noise, s)
    for s in (5, 20):
        works[f"gaussian-{s}-sampled"] = works[f"gaussian-{s}"]
        works[f"gaussian-{s}-rgba"] = lambda s=s: ndi.gaussian_filter(on["noise-rgba"], (s, s, 0))
    if "volume" in on:
        works["gaussian-20-volume"] = lambda: ndi.gaussian_filter(on["volume"], (0, 20, 20))
    for r in (15, 100):
        works[f"box-{r}"] = lambda r=r: ndi.uniform_filter(noise, 2 * r + 1)
    for n in (3, 5, 7, 15):
        weights = cupy.asarray(matrix(n))
        works[f"convolve-{n}"] = lambda weights=weights: ndi.convolve(noise, weights)
    works["threshold"] = lambda: (noise >= 0.5).astype(cupy.float32)
    works["median"] = lambda: cupy.median(noise)[None]
    works["moments"] = lambda: cupy.stack([noise.min(), noise.max(), noise.mean(), noise.std()])
    for mask in MASKS:
        works[f"label-{mask}"] = lambda mask=mask: ndi.label(on[mask], eight)[0]
    found = [Peer("CuPy", works, cuda_timer(cupy), cupy.asnumpy)]

    filters, measure = optional("cucim.skimage.filters"), optional("cucim.skimage.measure")
    if filters and measure:
        labels = measure.label(on["blobs"] > 0, connectivity=2)
        columns = ("area", "centroid", "centroid_weighted", "bbox", "intensity_mean", "intensity_min", "intensity_max",
                   "intensity_std")
        works = {f"gaussian-{s}": lambda s=s: filters.gaussian(noise, s, mode="reflect", preserve_range=True)
                 for s in (1, 2, 5, 10, 20, 50)}
        works["otsu"] = lambda: noise > filters.threshold_otsu(noise)
        works["measure-blobs"] = lambda: measure.regionprops_table(labels, on["blobs"], properties=columns)["area"]
        for mask in MASKS:
            works[f"label-{mask}"] = lambda mask=mask: measure.label(on[mask] > 0, connectivity=2)
        found.append(Peer("cuCIM", works, cuda_timer(cupy), cupy.asnumpy))
    return found


def torch(images, options):
    torch = optional("torch")
    if not torch:
        return []
    cuda = torch.cuda.is_available()
    if cuda:
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True
    else:
        torch.set_num_threads(options.threads)
    device = "cuda" if cuda else "cpu"
    conv2d = torch.nn.functional.conv2d

    busy = [torch.empty(BUSY, device=device) for _ in range(2)] if cuda else []

    def cuda_once(call):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        for _ in range(4):
            busy[0].copy_(busy[1])
        start.record()
        call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end)

    noise = torch.from_numpy(images["noise"])[None, None].to(device)
    works = {}
    for n in (3, 5, 7, 15, 31):  # their only border is zeros
        weights = torch.from_numpy(turned(matrix(n)))[None, None].to(device)
        works[f"convolve-{n}"] = lambda weights=weights, n=n: conv2d(noise, weights, padding=n // 2)
    if "part" in images:
        part = torch.from_numpy(images["part"])[None, None].to(device)
        bank = torch.from_numpy(turned(matrices(100, 4)))[:, None].to(device)
        works["convolve-100-of-4-stride-5"] = lambda: conv2d(part, bank, stride=5)
    return [Peer(f"torch ({'cuDNN' if cuda else 'CPU'})", works, cuda_once if cuda else None,
                 lambda result: result.cpu().numpy().squeeze())]


def pyclesperanto(images, options):
    """The device of Capra's table among its devices, if it has the same name there."""
    cle = optional("pyclesperanto")
    if not cle:
        return []
    try:
        names = cle.list_available_devices()
        if not names:
            return []
        cle.select_device(next((name for name in names if name == options.device_name), names[0]))
        cle.wait_for_kernel_to_finish(True)  # otherwise calls return early
    except Exception as error:
        print(f"# skipping pyclesperanto, which finds no device: {error}")
        return []
    noise, blobs = cle.push(images["noise"]), cle.push(images["blobs"])
    works = {f"gaussian-{s}": lambda s=s: cle.gaussian_blur(noise, sigma_x=s, sigma_y=s) for s in (1, 2, 5, 10, 20)}
    if "volume" in images:
        volume = cle.push(images["volume"])
        works["gaussian-20-volume"] = lambda: cle.gaussian_blur(volume, sigma_x=20, sigma_y=20)
    works["box-15"] = lambda: cle.mean_box(noise, radius_x=15, radius_y=15, radius_z=0)
    for n in (3, 5, 7, 15):
        weights = cle.push(turned(matrix(n)))
        works[f"convolve-{n}"] = lambda weights=weights: cle.convolve(noise, weights)
    works["threshold"] = lambda: cle.greater_or_equal_constant(noise, scalar=0.5)
    works["otsu"] = lambda: cle.threshold_otsu(noise)
    for mask in MASKS:
        image = cle.push(images[mask])
        works[f"label-{mask}"] = lambda image=image: cle.connected_component_labeling(image, connectivity="box")
    found = Peer("pyclesperanto", works, to_host=cle.pull)
    if any(options.is_selected(name) for name in ("measure-blobs", "label-measure-blobs")):
        labels = cle.connected_component_labeling(blobs, connectivity="box")
        works["measure-blobs"] = lambda: cle.statistics_of_labeled_pixels(blobs, labels)["area"]
        found.to_host = lambda result: np.asarray(result) if isinstance(result, list) else cle.pull(result)
    return [found]


def npp_flags():
    """Compiler options for NPP of the CUDA toolkit, or of the package nvidia-npp."""
    nvidia = optional("nvidia")
    for base in nvidia.__path__ if nvidia else []:
        for header in glob.glob(os.path.join(base, "*", "include", "nppi.h")):
            root = os.path.dirname(os.path.dirname(header))
            libraries = [path for name in NPP for path in glob.glob(os.path.join(root, "lib", f"lib{name}.so.*"))]
            return ["-I", os.path.join(root, "include"), *libraries, "-Xlinker", f"-rpath={root}/lib"]
    return [f"-l{name}" for name in NPP]


def npp(images, options):
    """Runs tests/bench/npp.cu, which times all works at once; it is built if there is a CUDA compiler."""
    compiler = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not compiler:
        return []
    folder = tempfile.mkdtemp(dir=options.folder)
    program = os.path.join(folder, "npp")
    source = os.path.join(os.path.dirname(__file__), "..", "npp.cu")
    built = subprocess.run([compiler, "-O2", "-o", program, source, *npp_flags()], capture_output=True, text=True)
    if built.returncode:
        errors = [line for line in built.stderr.splitlines() if "error" in line]
        print(f"# skipping NPP: {errors[0] if errors else built.stderr}")
        return []
    for n in (3, 5, 7, 15, 31):
        matrix(n).tofile(os.path.join(options.folder, f"matrix-{n}.f32"))
    ran = subprocess.run([program, options.folder, folder, str(options.size), str(options.repeats)],
                         capture_output=True, text=True)
    if ran.returncode:
        print(f"# skipping NPP: {ran.stderr.strip()}")
        return []
    times = json.loads(ran.stdout)

    def load(work):
        kind = np.uint32 if work.startswith("label") else np.uint8 if work == "threshold-u8" else np.float32
        return np.fromfile(os.path.join(folder, work + ".raw"), kind).reshape(options.size, -1)

    works = {work: lambda work=work: work for work in times}
    return [Peer("NPP", works, lambda call: times[call()], load)]


FINDERS = {"cupy": cupy, "torch": torch, "npp": npp, "pyclesperanto": pyclesperanto}
