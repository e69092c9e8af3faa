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

from driving import Test, main, wait_for, xdotool

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
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.image = os.path.join(self.folder, "discs.ppm")
        draw(self.image)

    def steps(self):
        return [self.open_image, self.paste_steps, self.same_numbers, self.sort, self.filter, self.columns,
                self.name_of_file, self.select_in_table, self.select_in_picture, self.charts, self.select_in_chart, self.chart_of_few,
                self.statistics, self.live, self.names]

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
        rows = [[label.name for cell in row.walk() if cell.role == "table cell" for label in cell.walk()
                 if label.role == "label"] for row in (table.walk() if table else []) if row.role == "table row"]
        return [row for row in rows if row]  # without the header

    def summary(self, text):
        self.panel.wait("label", text)

    def paste_steps(self):
        self.panel.paste_steps(STEPS)
        self.panel.wait("list item", "^Measure Regions")
        self.panel.act("page tab", "^Results$")
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
        self.panel.act("push button", "^Sort by this column$")
        wanted = sorted((int(row["area"]) for row in self.regions()), reverse=True)
        wait_for("the order of the rows", lambda: [int(row[1]) for row in self.table()] == wanted)

    def filter(self):
        self.panel.reach(self.panel.wait("text", "^Smallest value$"))
        xdotool("type", "500")
        count = sum(int(row["area"]) >= 500 for row in self.regions())
        self.summary(f", {count} shown")
        wait_for("the rows", lambda: len(self.table()) == count)
        xdotool("key", "ctrl+a", "BackSpace")
        self.summary(f"^{len(DISCS)} regions$")

    def columns(self):
        """By keys: the column of the sums."""
        button = self.panel.press("push button", "^Columns$")
        self.panel.press("check box", "^Sum$")
        self.panel.close_popover(button)
        wait_for("the column", lambda: [len(row) for row in self.table()] == [6] * len(DISCS))

    def name_of_file(self):
        """Of the image and of what the table has."""
        self.panel.act("push button", "^Save the table$")
        dialog = self.panel.wait_frame("Save the Table")
        wait_for("the name", lambda: any(node.text and node.get_text() == "discs-regions.csv"
                                         for node in self.panel.controls(dialog)))
        self.panel.focus_window(dialog.name)
        xdotool("key", "Escape")
        wait_for("the end of the dialog", lambda: not self.panel.find_frame("Save the Table"))
        self.panel.focus_window(self.panel.frame.name)

    def select_in_table(self):
        """By keys: the first row, and the next."""
        rows = self.table()
        self.panel.click(self.panel.wait("label", f"^{rows[0][1]}$", self.panel.find("tree table", "^Numbers$")))
        self.summary(", 1 selected")
        xdotool("key", "shift+Down")
        self.summary(", 2 selected")
        self.screen("results-selected.png")
        xdotool("key", "Tab")  # leaves the table, however many rows follow
        wait_for("the focus after the table", lambda: (node := self.panel.focused()) and node.name == "Chart",
                 self.panel.describe_focus)

    def point(self, x, y):
        """Of a pixel of the image, which is in the middle of the canvas at its full size."""
        middle_x, middle_y = self.panel.point(self.panel.wait("image", "^Image$"))
        return middle_x - SIDE // 2 + x, middle_y - SIDE // 2 + y

    def select_in_picture(self):
        """A click, a second one with Control, one beside all regions, and a rectangle."""
        xdotool("mousemove", *self.point(130, 130), "click", 1)
        self.summary(", 1 selected")
        xdotool("keydown", "ctrl", "mousemove", *self.point(50, 200), "click", 1, "keyup", "ctrl")
        self.summary(", 2 selected")
        xdotool("mousemove", *self.point(85, 85), "click", 1)
        self.summary(f"^{len(DISCS)} regions$")
        xdotool("keydown", "shift")
        self.panel.drag(self.point(0, 0), self.point(90, 80))
        xdotool("keyup", "shift")
        self.summary(", 2 selected")  # the first two

    def charts(self):
        """By keys: the histogram of the areas, then the means over the areas."""
        self.panel.press("push button", "^Chart$")
        areas = [int(row["area"]) for row in self.regions()]
        self.panel.wait("image", rf"^Histogram of Area \(px\): {len(areas)} rows, {min(areas)} to {max(areas)}, mean ")
        self.panel.choose_in_list(self.panel.wait("combo box", "^Vertical axis$"), "End")
        self.panel.wait("image", rf" over Area \(px\): {len(areas)} rows, 2 selected$")

    def select_in_chart(self):
        """The point of the largest region, which is at the right. The region moves to the middle of the picture."""
        canvas = self.panel.wait("image", "^Image$")
        xdotool("mousemove", *self.point(10, 230), *6 * ("click", 4))
        self.panel.wait("label", "^800 %$")
        left, top, width, height = self.panel.find("image", r" over Area \(px\)").extents()
        left, top = left + self.panel.left, top + self.panel.top
        picture = self.screen("results-chart.png")
        x, y = max((x, y) for x in range(left, left + width) for y in range(top, top + height)
                   if picture.get(x, y)[2] > 150 > 50 > picture.get(x, y)[0])
        before = picture.get(*self.panel.point(canvas))
        xdotool("mousemove", x - 2, y, "click", 1)
        self.summary(", 1 selected")
        wait_for("the region in the middle",
                 lambda: self.screen("results-chart.png").get(*self.panel.point(canvas)) != before)
        xdotool("key", "ctrl+0")

    def chart_of_few(self):
        """The histogram of one row, and of none."""
        areas = [int(row["area"]) for row in self.regions()]
        self.panel.choose_in_list(self.panel.wait("combo box", "^Vertical axis$"), "Home")
        self.panel.reach(self.panel.wait("text", "^Smallest value$"))
        for smallest, rows in ((max(areas), f"1 row, {max(areas)} to {max(areas)}, mean {max(areas)}"),
                               (max(areas) + 1, "no values to show"), ("", f"{len(areas)} rows, ")):
            xdotool("key", "ctrl+a", "BackSpace")
            xdotool("type", smallest)
            self.panel.wait("image", rf"^Histogram of Area \(px\): {rows}")

    def choose_step(self, key, regions):
        """By keys in the list of steps."""
        self.panel.choose_in_list(self.panel.wait("combo box", "^Step$"), key)
        wait_for("the step", lambda: bool(self.panel.find("label", r"^\d+ regions")) == regions)

    def statistics(self):
        self.choose_step("Up", False)
        self.panel.wait("label", "^Median$")
        wanted = self.expected()[0][0]
        shown = [label.name for label in self.panel.find_all("label", ".", self.panel.wait("list", "^Statistics$"))]
        titles = ["Count", "Minimum", "Maximum", "Mean", "Standard Deviation", "Median", "Sum",
                  "NaN Values", "Infinite Values"]
        assert shown[::2] == titles, shown
        assert all(map(same, shown[1::2], wanted.values())), (shown, wanted)
        assert not self.panel.find("push button", "^Chart$"), "a chart of one row"
        self.screen("results-statistics.png")
        self.choose_step("Down", True)
        self.summary(f"^{len(DISCS)} regions")

    def live(self):
        """The numbers follow a change of a step."""
        self.panel.act("page tab", "^Steps$")
        self.panel.press("list item", "^Threshold")
        self.panel.wait("spin button", "^Threshold").set_value(0.3)
        self.panel.act("page tab", "^Results$")
        count = len(self.expected(STEPS.replace("0.05", "0.3"))[1])
        assert 0 < count < len(DISCS)
        self.summary(f"^{count} regions")
        assert self.panel.alive()


sys.exit(main(DriveResults))
