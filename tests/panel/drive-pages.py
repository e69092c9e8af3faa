#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the pages with devices, memory and timings by keys.

Usage: drive-pages.py PANEL SAMPLE ARTIFACTS     (TAP; within Xvfb)
"""
import re
import subprocess
import sys

from driving import State, Test, main, wait_for, xdotool


class DrivePages(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        subprocess.run([self.sample, self.image], check=True, stdout=subprocess.DEVNULL)

    def steps(self):
        return [self.open_image, self.devices, self.details, self.measure, self.memory, self.timings]

    def open_image(self):
        super().open_image()
        self.panel.add_step("gaussian blur capra", "^Gaussian Blur")

    def devices(self):
        """One of the devices, then the automatic choice."""
        self.panel.open_page(3, "Devices")
        self.panel.wait("radio button", r"^\d+: ")
        chosen = [node.name for node in self.panel.find_all("radio button", r"^\d+: ")]
        assert len(chosen) >= 2 and len(set(chosen)) == len(chosen), chosen
        automatic = self.panel.wait("radio button", "^Automatic$")
        assert automatic.has(State.CHECKED)
        device = self.panel.wait("radio button", f"^{re.escape(chosen[-1])}$")
        self.panel.reach(automatic)
        self.panel.reach(device, "Down")
        xdotool("key", "space")
        wait_for("the device", lambda: device.has(State.CHECKED))
        assert not automatic.has(State.CHECKED)
        self.panel.reach(automatic, "Up")
        xdotool("key", "space")
        wait_for("no choice", lambda: automatic.has(State.CHECKED))
        self.names()

    def details(self):
        """The row of a device opens."""
        row = next(node for node in self.panel.find_all("list item", ".")
                   if any(part.role == "radio button" and re.match(r"\d+: ", part.name) for part in node.walk()))
        self.panel.reach(row)
        xdotool("key", "space")
        self.panel.reach(self.panel.wait("push button", "^Make Default$", row))
        self.button = self.panel.wait("push button", "^Measure$", row)

    def measure(self):
        self.panel.reach(self.button)
        xdotool("key", "space")
        self.panel.wait("label", r"^[\d.]+ GB/s")

    def memory(self):
        """Of the device that has run the step."""
        self.panel.open_page(4, "Memory")
        self.panel.wait("label", "^Budget$")
        self.panel.wait("image", "^Memory")
        self.panel.press("push button", "^Free Unused Memory$")
        self.panel.wait("label", "^(Freed|Nothing)")

    def timings(self):
        self.panel.open_page(5, "Timings")
        table = self.panel.wait("tree table", "^Timings$")
        wait_for("the rows", lambda: self.panel.find("table row", "", table))
        keep = self.panel.press("push button", "^Keep programs that have ended$")
        wait_for("the state", lambda: keep.has(State.PRESSED))
        self.panel.wait("combo box", "^Program$")
        assert self.panel.alive()


sys.exit(main(DrivePages))
