#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a graph on images with the workers of Ray. Each task is one `capra run` on several images, so that the start of
the program is paid once for all of them.

Usage: ray-frames.py OUTPUT-FOLDER GRAPH.xml IMAGE…        (pip install ray)
To use a cluster, set RAY_ADDRESS; add num_gpus=1 to ray.remote() if its nodes have graphics cards."""
import os
import subprocess
import sys

import ray

SHARE = 100  # images for each task


@ray.remote(num_cpus=1)
def process(images, output, graph):
    done = subprocess.run(["capra", "run", "-q", *images, "-o", output + "/", "--graph=" + graph],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    output, graph, images = sys.argv[1], os.path.abspath(sys.argv[2]), [os.path.abspath(i) for i in sys.argv[3:]]
    os.makedirs(output, exist_ok=True)
    ray.init()
    shares = [images[i:i + SHARE] for i in range(0, len(images), SHARE)]
    results = ray.get([process.remote(share, os.path.abspath(output), graph) for share in shares])
    for _, messages in results:
        sys.stderr.write(messages)
    return max(status for status, _ in results)


if __name__ == "__main__":
    sys.exit(main())
