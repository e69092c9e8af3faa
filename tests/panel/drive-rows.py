#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the rows of steps and the pages of the sidebar by keys.

Usage: drive-rows.py PANEL SAMPLE ARTIFACTS     (TAP; within Xvfb)
"""
import subprocess
import sys
import time

from driving import Atspi, Test, main, wait_for, walk, xdotool


class DriveRows(Test):
    def __init__(self, panel, sample, artifacts):
        super().__init__(panel, sample, artifacts)
        subprocess.run([sample, self.image], check=True, stdout=subprocess.DEVNULL)

    def steps(self):
        return [self.open_image, self.pages, self.add_step, self.duplicate, self.rename, self.move, self.remove]

    def rows(self):
        """The titles of the steps. The list has a row for each, which contains rows of its properties."""
        return [name for node, role, name in walk(self.panel.wait("list", "^Steps$"))
                if role == "list item" and node.get_parent().get_name() == "Steps"]

    def pages(self):
        for number, name in ((3, "Devices"), (4, "Memory"), (5, "Timings"), (2, "Results"), (1, "Steps")):
            tab = self.panel.wait("page tab", f"^{name}$")
            xdotool("key", f"ctrl+alt+{number}")
            wait_for(f"the page {name}", lambda tab=tab: tab.get_state_set().contains(Atspi.StateType.SELECTED))

    def add_step(self):
        """The new row has the focus."""
        self.choose_operation("invert perceptual")
        wait_for("the step", lambda: len(self.rows()) == 1)
        time.sleep(1)

    def duplicate(self):
        xdotool("key", "ctrl+shift+d")
        wait_for("the second step", lambda: len(self.rows()) == 2)
        time.sleep(0.5)

    def rename(self):
        xdotool("key", "F2")
        time.sleep(1)
        xdotool("key", "ctrl+a")
        xdotool("type", "--delay", 30, "second step")
        xdotool("key", "Return")
        wait_for("the name", lambda: self.rows()[1].startswith("second step"))
        time.sleep(1)

    def move(self):
        xdotool("key", "alt+Up")
        wait_for("the step moves up", lambda: self.rows()[0].startswith("second step"))
        time.sleep(0.5)
        xdotool("key", "alt+Down")
        wait_for("the step moves down", lambda: self.rows()[1].startswith("second step"))
        time.sleep(0.5)

    def remove(self):
        xdotool("key", "Delete")
        wait_for("the step is removed", lambda: len(self.rows()) == 1 and not self.rows()[0].startswith("second"))


sys.exit(main(DriveRows))
