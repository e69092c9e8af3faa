#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the rows of steps and the pages of the sidebar by keys.

Usage: drive-rows.py PANEL SAMPLE ARTIFACTS     (TAP; within Xvfb)
"""
import subprocess
import sys

from driving import Test, main, wait_for, xdotool


class DriveRows(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        subprocess.run([self.sample, self.image], check=True, stdout=subprocess.DEVNULL)

    def steps(self):
        return [self.open_image, self.pages, self.add_step, self.duplicate, self.rename, self.move, self.remove]

    def titles(self):
        return [row.name for row in self.panel.rows()]

    def wait_titles(self, *starts):
        """Waits for the rows whose titles begin so, and for the focus on one of them."""
        wait_for(f"the steps {starts}", lambda: len(titles := self.titles()) == len(starts)
                 and all(map(str.startswith, titles, starts)), self.titles)

    def wait_focus(self, number):
        wait_for(f"the focus on row {number}", lambda: self.panel.focused(self.panel.rows()[number]),
                 self.panel.describe_focus)

    def pages(self):
        for number, name in ((3, "Devices"), (4, "Memory"), (5, "Timings"), (2, "Results"), (1, "Steps")):
            self.panel.open_page(number, name)

    def add_step(self):
        """The new row has the focus."""
        self.panel.add_step("invert perceptual", "^Invert")
        self.wait_titles("Invert")

    def duplicate(self):
        """The copy comes after the step, and has the focus."""
        xdotool("key", "ctrl+shift+d")
        self.wait_titles("Invert", "Invert")
        self.wait_focus(1)

    def rename(self):
        xdotool("key", "F2")
        wait_for("the focus in the field for the name", lambda: (node := self.panel.focused()) and node.role == "text",
                 self.panel.describe_focus)
        xdotool("key", "ctrl+a")
        xdotool("type", "--delay", 5, "second step")
        xdotool("key", "Return")
        self.wait_titles("Invert", "second step")
        self.wait_focus(1)

    def move(self):
        xdotool("key", "alt+Up")
        self.wait_titles("second step", "Invert")
        self.wait_focus(0)
        xdotool("key", "alt+Down")
        self.wait_titles("Invert", "second step")
        self.wait_focus(1)

    def remove(self):
        xdotool("key", "Delete")
        self.wait_titles("Invert")
        assert self.panel.alive()


sys.exit(main(DriveRows))
