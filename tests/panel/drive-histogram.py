#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the histogram by keys and by the mouse: a threshold that Otsu's method finds, its heights and channels;
sizes that are linked; and moves the focus between the areas of the window.

Usage: drive-histogram.py PANEL CAPRA ARTIFACTS     (TAP; within Xvfb)
"""
import os
import re
import sys

from driving import State, Test, main, wait_for, xdotool

WIDTH, HEIGHT = 200, 150
BINS = 256


def gray(x, y):
    """Dark and light squares with noise."""
    return ((190, 90)[(x // 20 + y // 20) % 3 == 0] + (x * 37 + y * 91 + x * y) % 41)


def write(path):
    """An image in gray but for one pixel, so that the histogram has channels."""
    pixels = bytearray(gray(x, y) for y in range(HEIGHT) for x in range(WIDTH) for _ in range(3))
    pixels[2] += 8
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + pixels)


def linear(value):
    value /= 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def find_otsu():
    """Otsu's threshold of the linear values: the center of the best of the bins over their range."""
    values = [linear(gray(x, y)) for y in range(HEIGHT) for x in range(WIDTH)]
    low, high = min(values), max(values)
    counts = [0] * BINS
    for value in values:
        counts[min(int((value - low) / (high - low) * BINS), BINS - 1)] += 1
    total, moments = len(values), sum(i * count for i, count in enumerate(counts))
    below = moment = 0
    best, found = -1.0, 0
    for i, count in enumerate(counts[:-1]):
        below += count
        moment += i * count
        if 0 < below < total:
            variance = below * (total - below) * (moment / below - (moments - moment) / (total - below)) ** 2
            if variance > best:
                best, found = variance, i
    return low + (found + 0.5) * (high - low) / BINS


class DriveHistogram(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.image = os.path.join(self.folder, "squares.ppm")
        write(self.image)

    def steps(self):
        return [self.open_image, self.areas, self.heights, self.channels, self.found, self.move_by_keys,
                self.move_by_mouse, self.linked_sizes, self.names]

    def area(self):
        """Of the focus: by its place in the window."""
        node = self.panel.focused()
        if not node:
            return None
        (x, y), canvas = self.panel.point(node), self.panel.find("image", "^Image$")
        if y < self.panel.point(canvas)[1] - canvas.extents()[3] // 2:
            return "header"
        return "picture" if x < self.panel.point(canvas, 1.0)[0] else "sidebar"

    def areas(self):
        """F6 and Shift+F6."""
        for key, order in (("F6", ("picture", "sidebar", "header", "picture")),
                           ("shift+F6", ("header", "sidebar", "picture"))):
            for wanted in order:
                before = self.area()
                if (before, wanted) == ("picture", "picture"):
                    continue  # the first focus of the window
                xdotool("key", key)
                wait_for(f"the focus in the {wanted} by {key}, from {before}", lambda w=wanted: self.area() == w,
                         self.panel.describe_focus)

    def shown(self):
        """The method and the number of the threshold, as its accessible description says, before the name of the scale;
        None without one."""
        match = re.match(r"(?:(\w+) )?([-\d.e]+) · linear luminance$", self.histogram.get_description())
        return match and (match[1], float(match[2]))

    def wait_shown(self, method, number, tolerance=0.006):
        wait_for(f"the threshold {method} {number}", lambda: (shown := self.shown())
                 and shown[0] == method and abs(shown[1] - number) <= tolerance, self.shown)

    def found(self):
        """The method is chosen by keys; the histogram shows what it finds."""
        self.histogram = self.panel.wait("slider", "^Threshold on the histogram$")
        assert self.histogram.get_description() == "none · perceptual (R'G'B')", self.histogram.get_description()
        self.panel.add_step("threshold capra", "^Threshold")
        self.wait_shown(None, self.panel.number("^Threshold"))
        self.panel.choose_in_list(self.panel.wait("combo box", "^Method$"), "Down")
        self.otsu = find_otsu()
        self.wait_shown("Otsu", self.otsu)

    def move_by_keys(self):
        """A key sets the threshold by hand, which one step undoes."""
        self.panel.reach(self.histogram)
        start = self.shown()[1]
        xdotool("key", "Right")
        self.wait_shown(None, start + 1 / BINS, 0.002)
        xdotool("key", "ctrl+z")
        self.wait_shown("Otsu", self.otsu)

    def move_by_mouse(self):
        self.panel.drag(self.panel.point(self.histogram, 0.2), self.panel.point(self.histogram, 0.6))
        self.wait_shown(None, 0.6, 0.05)
        xdotool("key", "ctrl+z")
        self.wait_shown("Otsu", self.otsu)
        xdotool("key", "ctrl+shift+z")
        self.wait_shown(None, 0.6, 0.05)

    def open_menu(self):
        return self.panel.press("push button", "^Heights and channels of the histogram$")

    def wait_checked(self, name):
        button = self.open_menu()
        wait_for(f"the state of {name}", lambda: (item := self.panel.find("menu item", f"^{name}$"))
                 and item.had(State.CHECKED))
        self.panel.close_popover(button)

    def heights(self):
        self.open_menu()
        self.panel.choose("^Logarithmic$")
        self.wait_checked("Logarithmic")

    def channels(self):
        """The percentiles of one channel are shown."""
        self.panel.wait("label", "^50 %: [^%]*$")
        self.open_menu()
        self.panel.choose("^Green$")
        self.panel.wait("label", "1 %: .* 50 %: .* 99 %:")
        self.wait_checked("Green")

    def linked_sizes(self):
        """The sizes of a blur are the same until the link is switched off by keys."""
        row = self.panel.add_step("gaussian blur capra", "^Gaussian Blur")
        link = self.panel.press("push button", "^Same size along X and Y$", "space", row)
        wait_for("the link is off", lambda: not link.has(State.PRESSED))
        x, y = self.panel.number("^Size X"), self.panel.number("^Size Y")
        assert x == y
        self.panel.wait("spin button", "^Size X").set_value(x + 3)
        wait_for("the size", lambda: self.panel.number("^Size X") == x + 3)
        assert self.panel.number("^Size Y") == y
        self.panel.press("push button", "^Same size along X and Y$", "space", row)
        wait_for("the link is on", lambda: link.has(State.PRESSED))
        wait_for("the sizes are equal", lambda: self.panel.number("^Size Y") == x + 3)
        assert self.panel.alive()


sys.exit(main(DriveHistogram))
