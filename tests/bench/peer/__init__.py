# SPDX-License-Identifier: GPL-3.0-or-later
"""The peers of peers.py, with a file for those on devices and one for those on the host. A peer is used if it is installed.

A module's FINDERS, by name, give Peer objects when called with (images, options); their works have the names of
`capra bench`'s workloads.
"""
import importlib
import time

import numpy as np

MASKS = ("blobs", "noise-50", "noise-59", "sparse", "full")


class Peer:
    """A library: its works by name, each a call without arguments that returns the result; a timer of calls in
    milliseconds (default: wall time); and a function that converts results to host arrays."""

    def __init__(self, name, works, timer=None, to_host=np.asarray):
        self.name, self.works, self.to_host = name, works, to_host
        self.timed = {}  # by call
        self.on_device = timer is not None
        self.timer = timer or time_wall


def optional(name):
    try:
        return importlib.import_module(name)
    except Exception:  # a broken package counts as missing
        return None


def time_wall(call):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def raw_matrix(size):
    """The matrix of the convolutions of `capra bench`."""
    j, i = np.mgrid[0:size, 0:size]
    return 0.1 + np.fmod((i * 7919 + j * 104729) * 0.618034, 1.0)


def matrix(size):
    m = raw_matrix(size)
    return (m / m.sum()).astype(np.float32)


def matrices(count, size):
    """The matrices of convolve-100-of-4-stride-5."""
    several = np.stack([raw_matrix(size) for _ in range(count)])
    for m in range(count):
        several[m].flat[m % (size * size)] += m
    return (several / several.sum(axis=(1, 2), keepdims=True)).astype(np.float32)


def row_column(size):
    """The column and the row of convolve-N-rank-1."""
    column, row = 2.0 + np.arange(size) % 3, 1.0 + np.arange(size) % 5
    return (column / column.sum()).astype(np.float32), (row / row.sum()).astype(np.float32)


def turned(m):
    """For libraries that correlate instead of convolving."""
    return np.ascontiguousarray(m[..., ::-1, ::-1])
