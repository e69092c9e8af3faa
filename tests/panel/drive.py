#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the panel's program like a user: opens an image, adds a blur, drags a slider, compares the pixels of the
preview with the result of `gegl` for the same graph, switches the device, saves, and undoes.

Usage: drive.py PANEL SAMPLE ARTIFACTS     (TAP; within Xvfb)
"""
import os
import re
import subprocess
import sys
import time

from driving import Atspi, Picture, Test, main, wait_for, walk, xdotool

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
    def __init__(self, panel, sample, artifacts):
        super().__init__(panel, sample, artifacts)
        subprocess.run([sample, self.image], check=True, stdout=subprocess.DEVNULL)

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
        canvas = self.panel.extents(self.panel.wait("image", "^Image$"))
        x = self.panel.left + canvas.x + canvas.width // 2 - expected.width // 2
        y = self.panel.top + canvas.y + canvas.height // 2 - expected.height // 2
        side = min(canvas.width, canvas.height, expected.width, expected.height) // 2 - 8
        part = (expected.width // 2 - side, expected.height // 2 - side, expected.width // 2 + side,
                expected.height // 2 + side)

        def shown():
            screen = self.screen(name)
            return any(difference(screen, expected, x + dx, y + dy, part) <= TOLERANCE
                       for dx in (0, 1, -1) for dy in (0, 1, -1))

        wait_for("the preview shows the result of the graph", shown)

    def add_blur(self):
        self.choose_operation("gaussian blur capra")
        self.panel.wait("list item", "^Gaussian Blur")
        wait_for("the slider", lambda: self.panel.find("slider", "^Size X"))
        time.sleep(1)  # the row expands

    def move_slider(self):
        slider = self.panel.wait("slider", "^Size X")
        share = slider.get_value_iface().get_current_value()
        self.panel.drag(slider, share, 0.40)
        wait_for("the value follows the slider", lambda: self.panel.number("^Size X") > 4)
        assert self.panel.number("^Size X") < 40
        self.linked = self.panel.number("^Size X")
        assert self.panel.number("^Size Y") == self.linked, "the sizes are linked"
        time.sleep(1.5)  # a later change is an entry of its own in the history
        assert self.panel.wait("spin button", "^Size Y").get_value_iface().set_current_value(6)
        wait_for("the other size follows", lambda: self.panel.number("^Size X") == 6)

    def compare_pixels(self):
        xdotool("key", "ctrl+1")
        self.assert_shown(self.expect(), "driven.png")

    def switch_device(self):
        assert self.panel.wait("page tab", "^Devices$").get_action_iface().do_action(0)
        time.sleep(1)
        choices = [node for node, role, name in walk(self.panel.frame)
                   if role == "radio button" and re.match(r"\d+:", name)]
        assert len(choices) >= 2, f"only {len(choices)} devices in the list"
        self.panel.click(choices[-1])
        wait_for("the device is chosen",
                 lambda: choices[-1].get_state_set().contains(Atspi.StateType.CHECKED))
        assert self.panel.wait("page tab", "^Steps$").get_action_iface().do_action(0)
        time.sleep(1)
        self.assert_shown(self.expect(), "driven-device.png")

    def save(self):
        path = os.path.join(self.folder, "saved.png")
        xdotool("key", "ctrl+s")
        time.sleep(2)
        xdotool("key", "ctrl+a")
        xdotool("type", "--delay", 20, path)
        xdotool("key", "Return")
        wait_for("the saved file", lambda: os.path.exists(path))
        saved, expected = Picture(path), self.expect()
        assert (saved.width, saved.height) == (expected.width, expected.height)
        assert difference(saved, expected) <= TOLERANCE

    def undo(self):
        xdotool("windowfocus", self.panel.find_window())
        assert self.panel.wait("push button", "^Undo$").get_action_iface().do_action(0)
        wait_for("undo restores the value", lambda: self.panel.number("^Size Y") == self.linked)
        assert self.panel.wait("push button", "^Redo$").get_action_iface().do_action(0)
        wait_for("redo sets the value again", lambda: self.panel.number("^Size Y") == 6)
        assert self.panel.alive()


sys.exit(main(Drive))
