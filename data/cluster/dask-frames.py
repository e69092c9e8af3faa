#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a graph on images with the workers of Dask. Each task is one `capra run` on several images, so that the start of
the program is paid once for all of them.

Usage: dask-frames.py OUTPUT-FOLDER GRAPH.xml IMAGE…        (pip install 'dask[distributed]')
To use a cluster, set DASK_SCHEDULER_ADDRESS to that of its scheduler."""
import os
import subprocess
import sys

from dask.distributed import Client

SHARE = 100  # images for each task


def process(images, output, graph):
    done = subprocess.run(["capra", "run", "-q", *images, "-o", output + "/", "--graph=" + graph],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    output, graph, images = sys.argv[1], os.path.abspath(sys.argv[2]), [os.path.abspath(i) for i in sys.argv[3:]]
    os.makedirs(output, exist_ok=True)
    with Client(os.environ.get("DASK_SCHEDULER_ADDRESS")) as client:
        shares = [images[i:i + SHARE] for i in range(0, len(images), SHARE)]
        results = client.gather(client.map(process, shares, output=os.path.abspath(output), graph=graph))
    for _, messages in results:
        sys.stderr.write(messages)
    return max(status for status, _ in results)


if __name__ == "__main__":
    sys.exit(main())
