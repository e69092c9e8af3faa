#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the line profile: moves its line by keys and by the mouse, and compares its numbers with the image.

Usage: drive-profile.py PANEL CAPRA ARTIFACTS     (TAP; within Xvfb)
"""
import os
import re
import sys

from driving import Test, main, wait_for, xdotool

WIDTH, HEIGHT = 240, 180
NUMBER = r"(-?\d+(?:\.\d+)?(?:e[-+]\d+)?)"


def gray(x, y):
    return (3 * x + 7 * y + (x * y) % 11) % 256


def write(path):
    with open(path, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT))
        file.write(bytes(gray(x, y) for y in range(HEIGHT) for x in range(WIDTH)))


class DriveProfile(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.image = os.path.join(self.folder, "gray.pgm")
        write(self.image)

    def steps(self):
        return [self.open_image, self.switch_on, self.move_by_keys, self.draw, self.draw_constrained, self.move_end,
                self.values, self.names, self.switch_off]

    def line(self):
        """Length, angle, and the ends of the line, as its accessible name says."""
        node = self.panel.find("image", "^Line: ")
        match = re.match(rf"Line: {NUMBER} px.* · (−?\d+\.\d\d)° · \((-?\d+), (-?\d+)\) → \((-?\d+), (-?\d+)\)",
                         node.name if node else "")
        return tuple(float(number.replace("−", "-")) for number in match.groups()) if match else None

    def wait_line(self, *ends, slack=0):
        """Waits for a line with these ends."""
        return wait_for(f"the line {ends}", lambda: (line := self.line()) and all(
            abs(number - wanted) <= slack for number, wanted in zip(line[2:], ends)) and line)

    def switch_on(self):
        xdotool("key", "ctrl+1", "ctrl+l")
        wait_for("a line", self.line)
        self.panel.wait("push button", "^Copy the values along the line$")

    def move_by_keys(self):
        _, _, x0, y0, x1, y1 = self.line()
        xdotool("key", "Right", "Right", "Down")
        self.wait_line(x0, y0, x1 + 2, y1 + 1)
        xdotool("key", "space", "Left")  # the whole line
        self.wait_line(x0 - 1, y0, x1 + 1, y1 + 1)
        xdotool("key", "space", "shift+Up")  # the first end
        length, angle, *_ = self.wait_line(x0 - 1, y0 - 10, x1 + 1, y1 + 1)
        assert abs(length - ((x1 - x0 + 2) ** 2 + 11 ** 2) ** 0.5) < 0.006 and angle < 0

    def origin(self):
        """Where the screen shows the corner of the image, at 100 %."""
        x, y = self.panel.point(self.panel.wait("image", "^Image$"))
        return x - WIDTH // 2, y - HEIGHT // 2

    def drag(self, x0, y0, x1, y1, *keys):
        left, top = self.origin()
        self.panel.drag((left + x0, top + y0), (left + x1, top + y1), *keys)

    def draw(self):
        self.drag(20, 10, 120, 40)
        self.wait_line(20, 10, 120, 40, slack=2)
        wait_for("the pixel at the end of the line", lambda: self.is_read(120, 40), self.read_pixel)

    def read_pixel(self):
        """Of the status bar: the pixel under the pointer."""
        node = self.panel.find("label", r"^\d+, \d+ ")
        return node and tuple(int(word.rstrip(",")) for word in node.name.split()[:2])

    def is_read(self, x, y, slack=2):
        found = self.read_pixel()
        return found and abs(found[0] - x) <= slack and abs(found[1] - y) <= slack

    def draw_constrained(self):
        self.drag(30, 90, 110, 162, "shift")
        length, angle, x0, y0, x1, y1 = self.wait_line(30, 90, 106, 166, slack=3)
        assert angle == -45 and x1 - x0 == y1 - y0, self.line()
        self.screen("driven-profile.png")

    def move_end(self):
        _, _, x0, y0, x1, y1 = self.line()
        self.drag(int(x1), int(y1), int(x1) + 50, int(y0))
        self.wait_line(x0, y0, x1 + 50, y0, slack=2)

    def numbers(self):
        """Least and largest value and the mean, as the chart's accessible name says."""
        node = self.panel.find("image", "^Line profile: ")
        match = re.search(rf"; value: {NUMBER} to {NUMBER}, mean {NUMBER}$", node.name if node else "")
        return tuple(float(number.replace("−", "-")) for number in match.groups()) if match else None

    def assert_numbers(self, values):
        wanted = (min(values), max(values), sum(values) / len(values))

        def same():
            found = self.numbers()
            return found and all(abs(a - b) <= 1e-5 * max(abs(b), 1e-3) for a, b in zip(found, wanted))

        wait_for(f"the numbers {wanted}, not {self.numbers()}", same)

    def make_level(self):
        """Moves the first end to the row of the second one; a level line has the values of pixels."""
        _, _, x0, y0, x1, y1 = self.line()
        xdotool("key", *["Up" if y1 > y0 else "Down"] * int(abs(y1 - y0)))  # the second end
        return self.wait_line(x0, y0, x1, y0)[2:]

    def values(self):
        x0, y0, x1, _ = map(int, self.make_level())
        self.assert_numbers([gray(x, y0) for x in range(min(x0, x1), max(x0, x1) + 1)])

    def switch_off(self):
        self.panel.act("push button", "^Close the line profile$")
        wait_for("no line", lambda: not self.line())
        assert self.panel.alive()


sys.exit(main(DriveProfile))
