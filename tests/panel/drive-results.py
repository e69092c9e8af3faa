#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the Results page: compares its table with that of `capra run`, selects regions in the table and in the
picture, sorts, filters, chooses columns, and moves a slider.

Usage: drive-results.py PANEL CAPRA ARTIFACTS     (TAP; within Xvfb)
"""
import csv
import os
import subprocess
import sys
import time

from driving import Atspi, Test, main, wait_for, walk, xdotool

SIDE = 240
# Center, radius and gray value of discs, which are apart from each other.
DISCS = [(20, 20, 9, 200), (60, 30, 14, 120), (120, 40, 22, 250), (200, 50, 5, 90), (40, 120, 17, 180),
         (130, 130, 30, 160), (210, 140, 11, 100), (50, 200, 25, 220), (150, 210, 7, 140), (205, 205, 19, 110)]
STEPS = ("gegl:nop id=input capra:statistics capra:threshold value=0.05 capra:label "
         "capra:measure aux=[ ref=input ]")


def draw(path):
    """A PPM file with the discs, in gray."""
    pixels = bytearray(SIDE * SIDE)
    for center_x, center_y, radius, value in DISCS:
        for y in range(center_y - radius, center_y + radius + 1):
            for x in range(center_x - radius, center_x + radius + 1):
                if (x - center_x) ** 2 + (y - center_y) ** 2 <= radius ** 2:
                    pixels[y * SIDE + x] = value
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (SIDE, SIDE) + bytes(value for pixel in pixels for value in (pixel,) * 3))


def same(text, number):
    """Whether the text shows the number, which was written with all digits."""
    return abs(float(text) - float(number)) <= 1e-5 * abs(float(number))


class DriveResults(Test):
    def __init__(self, panel, capra, artifacts):
        super().__init__(panel, capra, artifacts)
        self.image = os.path.join(self.folder, "discs.ppm")
        draw(self.image)

    def steps(self):
        return [self.open_image, self.paste_steps, self.same_numbers, self.sort, self.filter, self.columns,
                self.select_in_table, self.select_in_picture, self.statistics, self.live, self.names]

    def expected(self, steps=STEPS):
        """The rows of capra:statistics and of capra:measure, as dictionaries."""
        paths = [os.path.join(self.folder, name) for name in ("tables.csv", "tables-2.csv")]
        command = [self.sample, "run", self.image, f"--tables={paths[0]}", "--"]
        subprocess.run(command + steps.split(), check=True, stderr=self.log)
        tables = []
        for path in paths:
            with open(path, newline="", encoding="utf-8") as file:
                tables.append(list(csv.DictReader(file)))
        return tables

    def regions(self):
        return self.expected()[1]

    def table(self):
        """The texts of the rows that the table shows."""
        table = self.panel.find("tree table", "^Numbers$")
        rows = [[name for cell, role, _ in walk(row) if role == "table cell" for _, inner, name in walk(cell)
                 if inner == "label"] for row, role, _ in walk(table) if role == "table row"] if table else []
        return [row for row in rows if row]  # without the header

    def summary(self, text):
        self.panel.wait("label", text)

    def paste_steps(self):
        xdotool("key", "ctrl+f")  # the search is a place where the text of the steps can be copied
        time.sleep(1)
        xdotool("type", "--delay", 5, STEPS)
        xdotool("key", "ctrl+a", "ctrl+c", "Escape")
        time.sleep(1)
        xdotool("key", "ctrl+shift+v")
        self.panel.wait("list item", "^Measure Regions")
        assert self.panel.wait("page tab", "^Results$").get_action_iface().do_action(0)
        self.choose_step("Down", True)
        self.summary(f"^{len(DISCS)} regions")

    def same_numbers(self):
        """Region, area, center and mean are those of `capra run`."""
        rows = wait_for("the rows", lambda: len(self.table()) == len(DISCS) and self.table())
        for shown, row in zip(rows, self.regions()):
            wanted = [row[name] for name in ("label", "area", "centroid_x", "centroid_y", "mean")]
            assert all(map(same, shown, wanted)), (shown, wanted)
        self.screen("results.png")

    def sort(self):
        """By area, the largest first."""
        assert self.panel.wait("push button", "^Sort by this column$").get_action_iface().do_action(0)
        wanted = sorted((int(row["area"]) for row in self.regions()), reverse=True)
        wait_for("the order of the rows", lambda: [int(row[1]) for row in self.table()] == wanted)

    def filter(self):
        self.panel.focus(self.panel.wait("text", "^Smallest value$"))
        xdotool("type", "500")
        count = sum(int(row["area"]) >= 500 for row in self.regions())
        self.summary(f", {count} shown")
        wait_for("the rows", lambda: len(self.table()) == count)
        xdotool("key", "ctrl+a", "BackSpace")
        self.summary(f"^{len(DISCS)} regions$")

    def columns(self):
        """By keys: the column of the sums."""
        buttons = [node for node, _, name in walk(self.panel.frame) if name == "Columns"]
        assert buttons[-1].get_action_iface().do_action(0)  # the menu button contains the one that acts
        check = self.panel.wait("check box", "^Sum$")

        def focus():
            focused = check.get_state_set().contains(Atspi.StateType.FOCUSED)
            if not focused:
                xdotool("key", "Tab")
            return focused

        wait_for("the focus", focus)
        xdotool("key", "space", "Escape")
        wait_for("the column", lambda: [len(row) for row in self.table()] == [6] * len(DISCS))

    def select_in_table(self):
        """By keys: the first row, and the next."""
        rows = self.table()
        self.panel.click(next(node for node, role, name in walk(self.panel.frame) if role == "label" and name == rows[0][1]))
        self.summary(", 1 selected")
        xdotool("key", "shift+Down")
        self.summary(", 2 selected")
        self.screen("results-selected.png")

    def point(self, x, y):
        """Of a pixel of the image, which is in the middle of the canvas at its full size."""
        canvas = self.panel.extents(self.panel.wait("image", "^Image$"))
        return (self.panel.left + canvas.x + canvas.width // 2 - SIDE // 2 + x,
                self.panel.top + canvas.y + canvas.height // 2 - SIDE // 2 + y)

    def select_in_picture(self):
        """A click, a second one with Control, one beside all regions, and a rectangle."""
        xdotool("mousemove", *self.point(130, 130), "click", 1)
        self.summary(", 1 selected")
        xdotool("keydown", "ctrl", "mousemove", *self.point(50, 200), "click", 1, "keyup", "ctrl")
        self.summary(", 2 selected")
        xdotool("mousemove", *self.point(85, 85), "click", 1)
        self.summary(f"^{len(DISCS)} regions$")
        left, top = self.point(0, 0)
        xdotool("keydown", "shift", "mousemove", left, top, "mousedown", 1)
        for i in range(1, 9):
            xdotool("mousemove", left + 90 * i // 8, top + 80 * i // 8)
            time.sleep(0.03)
        xdotool("mouseup", 1, "keyup", "shift")
        self.summary(", 2 selected")  # the first two

    def choose_step(self, key, regions):
        """By keys in the list of steps, until the summary is one of regions or not. A busy program can miss a click."""
        box = next(node for node, role, name in walk(self.panel.frame) if name == "Step" and node.get_component_iface())

        def chosen():
            if bool(self.panel.find("label", r"^\d+ regions")) == regions:
                return True
            self.panel.click(box)
            time.sleep(1)
            xdotool("key", key, "Return")
            time.sleep(1)
            return False

        wait_for("the step", chosen)

    def statistics(self):
        self.choose_step("Up", False)
        self.panel.wait("label", "^Median$")
        wanted = self.expected()[0][0]
        shown = [name for _, role, name in walk(self.panel.wait("list", "^Statistics$")) if role == "label" and name]
        titles = ["Count", "Minimum", "Maximum", "Mean", "Standard Deviation", "Median", "Sum"]
        assert shown[::2] == titles, shown
        assert all(map(same, shown[1::2], wanted.values())), (shown, wanted)
        self.screen("results-statistics.png")
        self.choose_step("Down", True)
        self.summary(f"^{len(DISCS)} regions")

    def live(self):
        """The numbers follow a change of a step."""
        assert self.panel.wait("page tab", "^Steps$").get_action_iface().do_action(0)
        time.sleep(1)
        row = self.panel.wait("list item", "^Threshold")
        xdotool("mousemove", *self.panel.point(row), "click", 1)
        value = wait_for("the threshold", lambda: self.panel.find("spin button", "^Threshold"))
        assert value.get_value_iface().set_current_value(0.3)
        assert self.panel.wait("page tab", "^Results$").get_action_iface().do_action(0)
        count = len(self.expected(STEPS.replace("0.05", "0.3"))[1])
        assert 0 < count < len(DISCS)
        self.summary(f"^{count} regions")
        assert self.panel.alive()


sys.exit(main(DriveResults))
