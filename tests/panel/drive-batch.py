#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the window "Apply to Many" by keys: files with a damaged one among them, progress, Cancel, the list of errors,
and a result that is opened.

Usage: drive-batch.py PANEL CAPRA ARTIFACTS     (TAP; within Xvfb)
"""
import os
import struct
import sys
import zlib

from driving import State, Test, main, wait_for, xdotool

SIDE = 64
VALUE = 40
FILES = 3  # and one that is cut off
UNWANTED = ("1 not this.png", "z nor this.png")  # those that are removed from the list


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def write(path, length=None):
    """A gray PNG file, or its first bytes."""
    rows = (b"\0" + bytes([VALUE]) * SIDE) * SIDE
    data = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))
    with open(path, "wb") as file:
        file.write(data[:length])


class DriveBatch(Test):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.image = os.path.join(self.folder, "image.png")
        write(self.image)
        self.inputs = os.path.join(self.folder, "inputs")
        os.mkdir(self.inputs)
        for number in range(FILES):
            write(os.path.join(self.inputs, f"{number}.png"))
        for name in UNWANTED:
            write(os.path.join(self.inputs, name))
        write(os.path.join(self.inputs, "cut.png"), 600)

    def steps(self):
        return [self.open_image, self.open_dialog, self.names_of_dialog, self.add_folder, self.remove_by_key,
                self.remove_by_button, self.apply, self.errors, self.open_result, self.press_open, self.remove_all]

    def open_dialog(self):
        self.panel.add_step("invert perceptual", "^Invert")
        xdotool("key", "F10")
        self.panel.choose("^Apply to Many…$")
        self.dialog = self.panel.wait_frame("Apply to Many")
        self.panel.focus_window("Apply to Many")
        self.panel.wait("push button", "^Apply$", self.dialog)

    def names_of_dialog(self):
        """What needs files is not sensitive yet."""
        for name, sensitive in (("Add Files…", True), ("Add Folder…", True), ("Apply", False), ("Choose…", True),
                                ("Remove All", False), ("Show Folder", False)):
            button = self.panel.wait("push button", f"^{name}$", self.dialog)
            assert button.had(State.SENSITIVE) == sensitive, name
        assert self.panel.find("text", "^Names, with", self.dialog), "the names of the results"
        self.names(self.dialog)

    def add_folder(self):
        self.panel.press("push button", "^Add Folder…$", "space", self.dialog)
        self.panel.choose_file("Add", self.inputs)
        self.panel.focus_window("Apply to Many")
        self.wait_files(*(f"{number}.png" for number in range(FILES)), "cut.png", *UNWANTED)

    def wait_files(self, *names):
        wait_for(f"the files {names}", lambda: {row[0] for row in self.files()} == set(names), self.files)

    def row(self, name):
        rows = self.panel.find_all("list item", "", self.panel.wait("list", "^Files$", self.dialog))
        return next(row for row in rows if any(node.name == name for node in row.walk()))

    def reach_row(self, name):
        """Tab leads into the list, and arrows within it."""
        self.panel.reach(self.panel.wait("list", "^Files$", self.dialog))
        xdotool("key", "Home")
        self.panel.reach(self.row(name), "Down")

    def remove_by_key(self):
        """Delete removes the file of the row with the focus, which another row then has, not a button in it."""
        self.reach_row(UNWANTED[0])
        xdotool("key", "Delete")
        self.wait_files(*(f"{number}.png" for number in range(FILES)), "cut.png", UNWANTED[1])
        files = self.panel.wait("list", "^Files$", self.dialog)
        wait_for("the focus on a row", lambda: (node := self.panel.focused(files)) and node.role == "list item",
                 lambda: self.panel.describe_focus(self.dialog))

    def remove_by_button(self):
        self.reach_row(UNWANTED[1])
        self.panel.reach(self.panel.wait("push button", "^Remove from the list$", self.row(UNWANTED[1])))
        xdotool("key", "space")
        self.wait_files(*(f"{number}.png" for number in range(FILES)), "cut.png")

    def files(self):
        """The texts of each row; an empty list is hidden."""
        files = self.panel.find("list", "^Files$", self.dialog)
        rows = self.panel.find_all("list item", "", files) if files else []
        return [[node.name for node in row.walk() if node.role == "label"] for row in rows]

    def apply(self):
        self.panel.press("push button", "^Apply$", "space", self.dialog)
        self.panel.wait("label", f"^{FILES} results, 1 file failed$", self.dialog)
        self.names(self.dialog)

    def errors(self):
        """The damaged file alone has a message."""
        messages = {row[0]: row[1:] for row in self.files()}
        assert "incomplete" in messages.pop("cut.png")[0], messages
        assert messages == {f"{n}.png": [f"→ {n}-capra.png", "Open Result"] for n in range(FILES)}, messages

    def open_result(self):
        """By keys, from the list."""
        self.reach_row("0.png")
        xdotool("key", "Return")
        self.panel.wait_frame("0")
        assert self.panel.alive()

    def press_open(self):
        """Each row with a result has a button."""
        buttons = self.panel.find_all("push button", "^Open Result$", self.dialog)
        assert len(buttons) == FILES, buttons
        self.panel.act("push button", "^Open Result$", self.row("1.png"))
        self.panel.wait_frame("1")

    def remove_all(self):
        """One after the other, by the key alone."""
        self.panel.focus_window("Apply to Many")
        self.reach_row("0.png")
        for left in range(FILES, -1, -1):
            xdotool("key", "Delete")
            wait_for(f"{left} files", lambda: len(self.files()) == left, self.files)
        wait_for("the focus on Add Files…", lambda: (node := self.panel.focused(self.dialog))
                 and node.name == "Add Files…", lambda: self.panel.describe_focus(self.dialog))


sys.exit(main(DriveBatch))
