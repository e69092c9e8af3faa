#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses a page of a file by keys, and measures a distance in the units of its resolution.

Usage: drive-frames.py PANEL CAPRA ARTIFACTS     (TAP; within Xvfb)
"""
import math
import os
import re
import struct
import sys

from driving import Test, main, wait_for, xdotool

WIDTH, HEIGHT = 160, 120
PAGES = (30, 120, 220)  # their gray values
PER_CENTIMETER = 500


def write(path):
    """A TIFF file with a page for each value, with their resolution."""
    data = bytearray(b"II*\0" + struct.pack("<I", 8))
    for number, value in enumerate(PAGES):
        tags = 13
        start = len(data)
        values = start + 2 + 12 * tags + 4
        pixels = values + 8
        end = pixels + WIDTH * HEIGHT
        entries = [(254, 4, 1, 2), (256, 4, 1, WIDTH), (257, 4, 1, HEIGHT), (258, 3, 1, 8), (259, 3, 1, 1),
                   (262, 3, 1, 1), (273, 4, 1, pixels), (277, 3, 1, 1), (278, 4, 1, HEIGHT),
                   (279, 4, 1, WIDTH * HEIGHT), (282, 5, 1, values), (283, 5, 1, values), (296, 3, 1, 3)]
        assert len(entries) == tags
        data += struct.pack("<H", tags)
        for entry in entries:
            data += struct.pack("<HHII", *entry)
        data += struct.pack("<I", 0 if number == len(PAGES) - 1 else end)
        data += struct.pack("<II", PER_CENTIMETER, 1)
        data += bytes([value]) * (WIDTH * HEIGHT)
    with open(path, "wb") as file:
        file.write(data)


class DriveFrames(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.image = os.path.join(self.folder, "pages.tif")
        write(self.image)

    def steps(self):
        return [self.open_image, self.first_page, self.choose_page, self.last_page, self.ruler, self.names]

    def wait_page(self, page):
        """The number, from 1, and the pixels on the screen."""
        wait_for(f"page {page}", lambda: self.panel.number("^Page of the file$") == page)
        x, y = self.panel.point(self.panel.wait("image", "^Image$"))

        def look():
            return tuple(self.screen("driven-frames.png", (x, y, 1, 1)).get(0, 0))

        wait_for(f"the pixels of page {page}", lambda: all(abs(value - PAGES[page - 1]) <= 1 for value in look()), look)

    def first_page(self):
        xdotool("key", "ctrl+1")
        self.panel.wait("label", f"^of {len(PAGES)}$")
        self.wait_page(1)

    def choose_page(self):
        self.panel.press("spin button", "^Page of the file$", "Up")
        self.wait_page(2)

    def last_page(self):
        """A number that is typed; larger ones end at the last page."""
        self.panel.reach(self.panel.wait("spin button", "^Page of the file$"))
        xdotool("key", "ctrl+a")
        xdotool("type", "7")
        xdotool("key", "Return")
        self.wait_page(len(PAGES))

    def ruler(self):
        """The length of the line in pixels and in the unit that suits it."""
        xdotool("key", "ctrl+l")
        line = wait_for("the line", lambda: self.panel.find("image", "^Line: "))
        wait_for("the focus", lambda: self.panel.focused(line))
        xdotool("key", "Down", "Down")
        number = r"([-−\d.e]+)"
        match = wait_for("the distance", lambda: re.match(
            rf"Line: {number} px · {number} mm · {number}° · \((\d+), (\d+)\) → \((\d+), (\d+)\)", line.get_name()),
            line.get_name)
        pixels, length, angle, x0, y0, x1, y1 = (float(text.replace("−", "-")) for text in match.groups())
        assert abs(angle + math.degrees(math.atan2(y1 - y0, x1 - x0))) < 0.006
        assert abs(pixels - math.hypot(x1 - x0, y1 - y0)) < 0.006
        assert abs(length - math.hypot(x1 - x0, y1 - y0) / PER_CENTIMETER * 10) < 1e-4 * length
        assert self.panel.alive()


sys.exit(main(DriveFrames))
