#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens each page, menu and dialog of the panel by keys, and checks the names and roles of their controls.

Usage: drive-names.py PANEL CAPRA ARTIFACTS     (TAP; within Xvfb)
"""
import os
import re
import sys

from driving import State, Test, main, wait_for, xdotool

SIDE = 48
CARDS = ("SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    2",
         f"NAXIS1  = {SIDE:20}", f"NAXIS2  = {SIDE:20}", "OBJECT  = 'squares '", "END")
# With an editor of each kind.
STEPS = ("gegl:nop id=input capra:gaussian-blur std-dev-x=2 std-dev-y=2 capra:statistics capra:threshold value=0.3 "
         "capra:label capra:measure aux=[ ref=input ]")


def write(path):
    """A FITS file, which has a header to show."""
    pixels = bytes(20 + 200 * (x // 12 % 2 and y // 12 % 2) for y in range(SIDE) for x in range(SIDE))
    with open(path, "wb") as file:
        for part in ("".join(f"{card:80}" for card in CARDS).encode(), pixels):
            file.write(part + b" " * (-len(part) % 2880))


class DriveNames(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.image = os.path.join(self.folder, "squares.fits")
        write(self.image)

    def steps(self):
        """The window of shortcuts, whose many controls the program keeps, is the last one."""
        return [self.first_start, self.window, self.add_step, self.steps_page, self.rename, self.presets, self.results,
                self.filter_of_results, self.other_pages, self.menus, self.about, self.header_of_image,
                self.apply_to_many, self.save, self.line_profile, self.shortcuts]

    def first_start(self):
        self.start()
        self.panel.wait("table", "^Sample images$")
        self.names()
        xdotool("key", "ctrl+q")
        self.panel.wait_end()

    def window(self):
        self.open_image()
        self.names()

    def add_step(self):
        self.panel.search("blur")
        self.panel.wait("label", "^Gaussian Blur", self.panel.wait("list", "^Operations$"))
        self.names()
        xdotool("key", "Escape")

    def steps_page(self):
        """With all rows expanded."""
        self.panel.paste_steps(STEPS)
        self.panel.wait("list item", "^Measure")
        for row in self.panel.rows():
            self.panel.reach(row)
            xdotool("key", "Return")
        self.panel.wait("spin button", "^Threshold")
        self.names()

    def popover(self, name, role, entry=None):
        """A popover with controls is a dialog with a name, in which one of them has the focus."""
        dialog = self.panel.wait("dialog", f"^{name}$")
        if entry:
            wait_for(f"the focus on {entry}", lambda: (node := self.panel.focused(dialog)) and node.name == entry
                     and node.role == role, self.panel.describe_focus)
        else:
            self.panel.wait(role, ".", dialog)
        self.names()

    def rename(self):
        row = self.panel.wait("list item", "^Measure")
        self.panel.reach(row)
        xdotool("key", "F2")
        self.popover("Rename", "text", "Name of the step")
        xdotool("key", "Escape")
        wait_for("the focus on the row", lambda: self.panel.focused(row), self.panel.describe_focus)

    def presets(self):
        """Also with a preset, which has buttons."""
        button = self.panel.press("push button", "^Presets$")
        self.popover("Presets", "text", "Name of a new preset")
        xdotool("type", "--delay", 5, "first")
        xdotool("key", "Return")
        self.panel.wait("push button", "^Remove the preset “first”$")
        self.popover("Presets", "text", "Name of a new preset")
        self.panel.close_popover(button)

    def filter_of_results(self):
        """A limit that is not a number is invalid for assistive technologies, too. GTK 4.8 has another state for that."""
        entry = self.panel.wait("text", "^Smallest value$")
        self.panel.reach(entry)
        for text, invalid in (("5x", True), ("5", False)):
            xdotool("key", "ctrl+a")
            xdotool("type", "--delay", 5, text)
            wait_for(f"the state of “{text}”", lambda: self.panel.text(entry) == text
                     and (entry.has(State.INVALID_ENTRY) or entry.has(State.INVALID)) == invalid,
                     lambda: self.panel.text(entry))
        xdotool("key", "ctrl+a", "BackSpace")

    def results(self):
        self.panel.open_page(2, "Results")
        self.panel.choose_in_list(self.panel.wait("combo box", "^Step$"), "End")
        self.panel.wait("push button", "^Chart$")
        self.panel.press("push button", "^Chart$")
        self.panel.wait("combo box", "^Vertical axis$")
        self.names()
        button = self.panel.press("push button", "^Columns$")
        self.panel.wait("check box", "^Area")
        self.popover("Columns", "check box")
        self.panel.close_popover(button)

    def other_pages(self):
        for number, name in ((3, "Devices"), (4, "Memory"), (5, "Timings"), (1, "Steps")):
            self.panel.open_page(number, name)
            self.names()

    def menus(self):
        for name, item in (("Main menu", "menu item"), ("Stretch of the values in the view", None), ("Zoom level", None),
                           ("Heights and channels of the histogram", "menu item"), ("Presets", None)):
            button = self.panel.press("push button", f"^{name}$")
            if item:
                self.panel.wait(item, ".", button)
            self.names()
            self.panel.close_popover(button)

    def dialog(self, title, key="Escape", ours=True):
        """@key: closes the dialog
        @ours: False for those of GTK and libadwaita, whose controls partly have no names"""
        def find():
            return next((window for window in self.panel.tree.windows() if re.fullmatch(title, window.name)), None)

        dialog = wait_for(f"the window {title}", find, lambda: [str(window) for window in self.panel.tree.windows()])
        self.panel.focus_window(dialog.name)
        if ours:
            self.names(dialog)
        xdotool("key", key)
        wait_for(f"the end of {dialog}", lambda: not find())
        self.panel.focus_window(self.panel.frame.name)

    def shortcuts(self):
        """The window lists keys of each kind: of actions, of the rows of steps, and those that a widget handles itself."""
        xdotool("key", "ctrl+question")
        window = self.panel.wait_frame("Keyboard Shortcuts")
        self.panel.focus_window(window.name)
        wanted = {"Open an image", "Add a step", "Move the step up or down", "Remove the step", "Next area", "Timings",
                  "Zoom in", "Pan", "Histogram: move the threshold", "Move the dividing line", "Curve: add a point"}
        titles = set()

        def read():  # and turn the page
            shown = {node.name for node in self.panel.find_all("label", ".", window)}
            if not shown <= titles:
                xdotool("key", "ctrl+Next")
            titles.update(shown)
            return wanted <= titles

        wait_for("all keys", read, lambda: wanted - titles)
        self.dialog("Keyboard Shortcuts", ours=False)

    def open_by_menu(self, item):
        xdotool("key", "F10")
        self.panel.choose(item)

    def about(self):
        self.open_by_menu("^About Capra$")
        self.dialog("About.*", ours=False)

    def header_of_image(self):
        self.open_by_menu("^Image Header$")
        self.dialog(r"squares\.fits")

    def apply_to_many(self):
        self.open_by_menu("^Apply to Many…$")
        self.dialog("Apply to Many", "ctrl+w")

    def save(self):
        xdotool("key", "ctrl+s")
        self.dialog("Save.*", ours=False)

    def line_profile(self):
        xdotool("key", "ctrl+l")
        self.panel.wait("image", "^Line: ")
        self.names()
        assert self.panel.alive()


sys.exit(main(DriveNames))
