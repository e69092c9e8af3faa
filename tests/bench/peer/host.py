# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that run on the CPU: scipy, scikit-image and numpy, OpenCV, GEGL's own operations."""
import numpy as np

from . import MASKS, Peer, matrices, matrix, optional, row_column, turned


def moments(image):
    return np.array([image.min(), image.max(), image.mean(), image.std()])


def scipy(images, options):
    ndimage = optional("scipy.ndimage")
    if not ndimage:
        return []
    noise, rgba = images["noise"], images["noise-rgba"]
    eight = np.ones((3, 3), bool)
    works = {}
    for s in (1, 2, 5, 10, 20):
        works[f"gaussian-{s}"] = works[f"gaussian-{s}-sampled"] = lambda s=s: ndimage.gaussian_filter(noise, s)
    for s in (1, 2, 5):
        works[f"gaussian-{s}-rgba"] = lambda s=s: ndimage.gaussian_filter(rgba, (s, s, 0))
    if "volume" in images:
        works["gaussian-20-volume"] = lambda: ndimage.gaussian_filter(images["volume"], (0, 20, 20))
    for r in (15, 100, 500, 1500):
        works[f"box-{r}"] = lambda r=r: ndimage.uniform_filter(noise, 2 * r + 1)
    for n in (3, 5, 7):
        works[f"convolve-{n}"] = lambda n=n: ndimage.convolve(noise, matrix(n))
    if "line" in images:
        works["convolve-15-line"] = lambda: ndimage.convolve1d(images["line"], matrix_line(15))
    for mask in MASKS:
        works[f"label-{mask}"] = lambda mask=mask: ndimage.label(images[mask], eight)[0]
    labels, count = ndimage.label(images["blobs"], eight)

    def measure():
        index = np.arange(1, count + 1)
        blobs = images["blobs"]
        areas = np.bincount(labels.ravel(), minlength=count + 1)[1:]
        ndimage.center_of_mass(blobs, labels, index)
        ndimage.find_objects(labels)
        for what in (ndimage.minimum, ndimage.maximum, ndimage.standard_deviation):
            what(blobs, labels, index)
        return areas

    works["measure-blobs"] = measure
    return [Peer("scipy", works)]


def matrix_line(size):
    """The weights of convolve-N-line: a row of the matrix."""
    row = 0.1 + np.fmod(np.arange(size) * 7919 * 0.618034, 1.0)
    return (row / row.sum()).astype(np.float32)


def skimage(images, options):
    filters, measure = optional("skimage.filters"), optional("skimage.measure")
    if not filters or not measure:
        return []
    noise = images["noise"]
    return [Peer("skimage, numpy", {
        "otsu": lambda: noise > filters.threshold_otsu(noise),
        "threshold": lambda: noise >= np.float32(0.5),
        "median": lambda: np.array([np.median(noise)]),
        "moments": lambda: moments(noise),
        **{f"label-{mask}": lambda mask=mask: measure.label(images[mask] > 0, connectivity=2) for mask in MASKS},
    })]


def opencv(images, options):
    cv2 = optional("cv2")
    if not cv2:
        return []
    cv2.setNumThreads(options.threads)
    noise, rgba = images["noise"], images["noise-rgba"]
    masks = {m: (images[m] > 0).astype(np.uint8) for m in MASKS}
    border = cv2.BORDER_REFLECT
    works = {}

    def gaussian(image, s):
        k = 2 * int(4 * s + 0.5) + 1
        return cv2.GaussianBlur(image, (k, k), s, borderType=border)

    for s in (1, 2, 5, 10, 20):
        works[f"gaussian-{s}"] = works[f"gaussian-{s}-sampled"] = lambda s=s: gaussian(noise, s)
        works[f"gaussian-{s}-rgba"] = lambda s=s: gaussian(rgba, s)
    for r in (15, 100, 500):
        works[f"box-{r}"] = lambda r=r: cv2.blur(noise, (2 * r + 1, 2 * r + 1), borderType=border)
        works[f"box-{r}-rgba"] = lambda r=r: cv2.blur(rgba, (2 * r + 1, 2 * r + 1), borderType=border)
    for n in (3, 5, 7, 9, 11, 15, 31):
        weights = turned(matrix(n))
        works[f"convolve-{n}"] = lambda weights=weights: cv2.filter2D(noise, -1, weights, borderType=border)
    column, row = (v[::-1].copy() for v in row_column(31))
    works["convolve-31-rank-1"] = lambda: cv2.sepFilter2D(noise, -1, row, column, borderType=border)
    works["threshold"] = lambda: cv2.threshold(noise, 0.5, 1.0, cv2.THRESH_BINARY)[1]
    works["moments"] = lambda: np.array([*cv2.minMaxLoc(noise)[:2], *np.ravel(cv2.meanStdDev(noise))])
    for m, mask in masks.items():
        works[f"label-{m}"] = lambda mask=mask: cv2.connectedComponents(mask, connectivity=8)[1]
    works["label-measure-blobs"] = lambda: cv2.connectedComponentsWithStats(masks["blobs"], connectivity=8)[2][1:, 4]
    return [Peer(f"OpenCV, {options.threads} threads", works)]


def gegl(images, options):
    """GEGL's operations, from buffer to buffer through PyGObject."""
    gi = optional("gi")
    if not gi:
        return []
    try:
        gi.require_version("Gegl", "0.4")
        from gi.repository import Gegl
        Gegl.init(None)
    except (ValueError, ImportError):
        return []

    def buffer(image, name):
        height, width = image.shape[:2]
        made = Gegl.Buffer.new(name, 0, 0, width, height)
        made.set(Gegl.Rectangle.new(0, 0, width, height), name, image.tobytes())
        return made, name

    noise, rgba = buffer(images["noise"], "Y float"), buffer(images["noise-rgba"], "RaGaBaA float")  # channels apart
    perceptual = buffer(images["noise"], "Y' float")  # the values that its threshold compares
    size = images["noise"].shape[0]

    def graph(source, operation, **properties):
        held, name = source
        node = Gegl.Node()
        target = Gegl.Buffer.new(name, 0, 0, size, size)
        first = node.create_child("gegl:buffer-source")
        middle = node.create_child(operation)
        last = node.create_child("gegl:write-buffer")
        first.set_property("buffer", held)
        last.set_property("buffer", target)
        for key, value in properties.items():
            middle.set_property(key.replace("_", "-"), value)
        first.connect_to("output", middle, "input")
        middle.connect_to("output", last, "input")
        last.process()
        return target, name

    def to_host(result):
        target, name = result
        data = target.get(Gegl.Rectangle.new(0, 0, size, size), 1.0, name, Gegl.AbyssPolicy.NONE)
        return np.frombuffer(data, np.float32).reshape(size, size, -1).squeeze()

    works = {}
    for s in (1, 5, 20):
        properties = {"std_dev_x": float(s), "std_dev_y": float(s)}
        works[f"gaussian-{s}"] = lambda p=properties: graph(noise, "gegl:gaussian-blur", **p)
        works[f"gaussian-{s}-rgba"] = lambda p=properties: graph(rgba, "gegl:gaussian-blur", **p)
    works["box-15"] = lambda: graph(noise, "gegl:box-blur", radius=15)
    works["box-15-rgba"] = lambda: graph(rgba, "gegl:box-blur", radius=15)
    works["threshold"] = lambda: graph(perceptual, "gegl:threshold", value=0.5)
    weights = turned(matrix(5))
    cells = {f"{'abcde'[i]}{j + 1}": float(weights[j, i]) for j in range(5) for i in range(5)}
    works["convolve-5"] = lambda: graph(noise, "gegl:convolution-matrix", divisor=1.0, normalize=False, **cells)
    return [Peer("GEGL", works, to_host=to_host)]


FINDERS = {"scipy": scipy, "skimage": skimage, "opencv": opencv, "gegl": gegl}
