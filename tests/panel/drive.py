#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the panel's program like a user: opens an image, adds a blur, drags a slider, compares the pixels of the
preview with the result of `gegl` for the same graph, switches the device, saves, and undoes.

Usage: drive.py PANEL SAMPLE ARTIFACTS     (TAP; within Xvfb)
"""
import os
import subprocess
import sys

from driving import Picture, State, Test, main, wait_for, xdotool

TOLERANCE = 1  # of 255: rounding in the conversion to screen pixels


def difference(one, other, dx=0, dy=0, part=None):
    """The largest difference between pixels of `other` and those of `one`, which is displaced by dx, dy."""
    left, top, right, bottom = part or (0, 0, other.width, other.height)
    worst = 0
    for y in range(top, bottom, 3):
        for x in range(left, right, 5):
            a, b = one.get(x + dx, y + dy), other.get(x, y)
            worst = max(worst, *(abs(p - q) for p, q in zip(a, b)))
    return worst


class Drive(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        subprocess.run([self.sample, self.image], check=True, stdout=subprocess.DEVNULL)

    def steps(self):
        return [self.open_image, self.add_blur, self.move_slider, self.compare_pixels, self.switch_device,
                self.save, self.undo, self.names]

    def expect(self):
        """The result of `gegl` for the graph with the values of the controls."""
        path = os.path.join(self.folder, "expected.png")
        x, y = self.panel.number("^Size X"), self.panel.number("^Size Y")
        subprocess.run(["gegl", self.image, "-o", path, "--", "capra:gaussian-blur", f"std-dev-x={x}",
                        f"std-dev-y={y}"], check=True, stderr=subprocess.DEVNULL)
        return Picture(path)

    def assert_shown(self, expected, name):
        """Waits until the canvas shows the expected result: at 100 %, centered."""
        canvas = self.panel.wait("image", "^Image$")
        x, y = self.panel.point(canvas)
        x, y = x - expected.width // 2, y - expected.height // 2
        side = min(*canvas.extents()[2:], expected.width, expected.height) // 2 - 8
        part = (expected.width // 2 - side, expected.height // 2 - side, expected.width // 2 + side,
                expected.height // 2 + side)

        def shown():
            screen = self.screen(name)
            return any(difference(screen, expected, x + dx, y + dy, part) <= TOLERANCE
                       for dx in (0, 1, -1) for dy in (0, 1, -1))

        wait_for("the preview shows the result of the graph", shown)

    def add_blur(self):
        self.panel.add_step("gaussian blur capra", "^Gaussian Blur")
        self.panel.settle(self.panel.wait("slider", "^Size X"))  # the row expands

    def move_slider(self):
        slider = self.panel.wait("slider", "^Size X")
        self.panel.drag(self.panel.point(slider, slider.get_value()), self.panel.point(slider, 0.4))
        wait_for("the value follows the slider", lambda: self.panel.number("^Size X") > 4)
        assert self.panel.number("^Size X") < 40
        self.linked = self.panel.number("^Size X")
        assert self.panel.number("^Size Y") == self.linked, "the sizes are linked"
        xdotool("key", "ctrl+z")  # then later changes are an entry of their own in the history
        wait_for("undo", lambda: self.panel.number("^Size X") < 4)
        xdotool("key", "ctrl+shift+z")
        wait_for("redo", lambda: self.panel.number("^Size X") == self.linked)
        self.panel.wait("spin button", "^Size Y").set_value(6)
        wait_for("the other size follows", lambda: self.panel.number("^Size X") == 6)
        wait_for("the slider's text", lambda: slider.get_description().startswith("6.00 · "), slider.get_description)

    def compare_pixels(self):
        xdotool("key", "ctrl+1")
        self.assert_shown(self.expect(), "driven.png")

    def switch_device(self):
        self.panel.act("page tab", "^Devices$")
        self.panel.wait("radio button", r"^\d+:")
        choices = self.panel.find_all("radio button", r"^\d+:")
        assert len(choices) >= 2, f"only {len(choices)} devices in the list"
        self.panel.reach(self.panel.wait("radio button", "^Automatic$"))
        self.panel.reach(choices[-1], "Down")
        xdotool("key", "space")
        wait_for("the device is chosen", lambda: choices[-1].has(State.CHECKED))
        choices[0].act()  # as screen readers do
        wait_for("the other device is chosen", lambda: choices[0].has(State.CHECKED))
        choices[-1].act()
        wait_for("the device is chosen again", lambda: choices[-1].has(State.CHECKED))
        self.panel.act("page tab", "^Steps$")
        self.assert_shown(self.expect(), "driven-device.png")

    def save(self):
        path = os.path.join(self.folder, "saved.png")
        xdotool("key", "ctrl+s")
        self.panel.choose_file("Save", path)
        self.panel.focus_window(self.panel.frame.name)
        wait_for("the saved file", lambda: os.path.exists(path))
        saved, expected = Picture(path), self.expect()
        assert (saved.width, saved.height) == (expected.width, expected.height)
        assert difference(saved, expected) <= TOLERANCE

    def undo(self):
        self.panel.act("push button", "^Undo$")
        wait_for("undo restores the value", lambda: self.panel.number("^Size Y") == self.linked)
        self.panel.act("push button", "^Redo$")
        wait_for("redo sets the value again", lambda: self.panel.number("^Size Y") == 6)
        assert self.panel.alive()


sys.exit(main(Drive))
