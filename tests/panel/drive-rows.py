#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the rows of steps by keys and by the mouse, and the pages of the sidebar by keys.

Usage: drive-rows.py PANEL SAMPLE ARTIFACTS     (TAP; within Xvfb)
"""
import subprocess
import sys
import time

from driving import Test, main, wait_for, xdotool


class DriveRows(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        subprocess.run([self.sample, self.image], check=True, stdout=subprocess.DEVNULL)

    def steps(self):
        return [self.open_image, self.pages, self.choose_by_keys, self.add_step, self.duplicate, self.duplicate_elsewhere, self.rename, self.move,
                self.drag_down, self.drag_up, self.remove]

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

    def choose_by_keys(self):
        """Down leads from the search to the first match, also right after the last key, and Escape closes the list."""
        self.panel.search("invert perceptual")
        xdotool("key", "Down")
        wait_for("the focus on a row", lambda: (node := self.panel.focused(self.panel.wait("list", "^Operations$")))
                 and node.role == "list item", self.panel.describe_focus)
        xdotool("key", "Return")
        self.wait_titles("Invert")
        self.wait_focus(0)
        xdotool("key", "Delete")
        self.wait_titles()
        self.panel.search("")
        xdotool("key", "Down", "Down", "Escape")
        wait_for("the focus on Add Step", lambda: (node := self.panel.focused()) and node.name == "Add Step",
                 self.panel.describe_focus)

    def add_step(self):
        """The new row has the focus."""
        self.panel.add_step("invert perceptual", "^Invert")
        self.wait_titles("Invert")

    def duplicate(self):
        """The copy comes after the step, and has the focus."""
        xdotool("key", "ctrl+shift+d")
        self.wait_titles("Invert", "Invert")
        self.wait_focus(1)

    def duplicate_elsewhere(self):
        """The marked step, also if the image has the focus. GTK's inspector, which has the same key, does not open, also
        where there is nothing to duplicate."""
        xdotool("key", "F6", "F6")
        wait_for("the focus beside the steps", lambda: (node := self.panel.focused()) and "Steps" not in
                 [parent.name for parent in node.ancestors()], self.panel.describe_focus)
        xdotool("key", "ctrl+shift+d")
        self.wait_titles("Invert", "Invert", "Invert")
        self.wait_focus(2)
        xdotool("key", "ctrl+z")
        self.wait_titles("Invert", "Invert")
        self.panel.open_page(2, "Results")
        xdotool("key", "ctrl+shift+d")
        self.panel.open_page(1, "Steps")
        self.wait_titles("Invert", "Invert")
        time.sleep(0.5)
        assert not self.panel.find_window("GTK Inspector") and not self.panel.find_window("Inspect")
        self.panel.reach(self.panel.rows()[1])

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

    def header(self, number, share):
        """A point on the header of a row, also of an expanded one."""
        row = self.panel.rows()[number]
        self.panel.settle(row)
        return self.panel.point(row, share)[0], self.panel.top + row.extents()[1] + 24

    def drag(self, start, end, *titles):
        """Drags a row by its title to the place of another one. The display tells the target where the pointer is: it is
        released when that had time to arrive, and the drag is repeated if that was too early."""
        def attempt():
            (x, y), (to_x, to_y) = self.header(start, 0.4), self.header(end, 0.4)
            xdotool("mousemove", x, y, "mousedown", 1)
            for i in range(1, 9):
                xdotool("mousemove", "--sync", x + (to_x - x) * i // 8 + i, y + (to_y - y) * i // 8)
                time.sleep(0.05)
            time.sleep(0.3)
            xdotool("mouseup", 1)
            for _ in range(20):
                if (now := self.titles()) != before:
                    return now
                time.sleep(0.1)
            return None

        before = self.titles()
        wait_for("the drop", attempt)
        self.wait_titles(*titles)

    def drag_down(self):
        """The first row, which is closed, below the second one, which is expanded."""
        self.drag(0, 1, "second step", "Invert")
        self.wait_focus(1)

    def drag_up(self):
        self.drag(1, 0, "Invert", "second step")
        self.wait_focus(0)

    def remove(self):
        xdotool("key", "Delete")
        self.wait_titles("second step")
        assert self.panel.alive()


sys.exit(main(DriveRows))
