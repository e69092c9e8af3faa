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
        write(os.path.join(self.inputs, "cut.png"), 600)

    def steps(self):
        return [self.open_image, self.open_dialog, self.names_of_dialog, self.add_folder, self.apply, self.errors,
                self.open_result, self.press_open]

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
        wait_for("the files", lambda: len(self.files()) == FILES + 1, self.files)

    def files(self):
        """The texts of each row."""
        rows = self.panel.find_all("list item", "", self.panel.find("list", "^Files$", self.dialog) or self.dialog)
        return [[node.name for node in row.walk() if node.role == "label"] for row in rows]

    def apply(self):
        self.panel.press("push button", "^Apply$", "space", self.dialog)
        self.panel.wait("label", f"^{FILES} results, 1 file failed$", self.dialog)

    def errors(self):
        """The damaged file alone has a message."""
        messages = {row[0]: row[1:] for row in self.files()}
        assert "incomplete" in messages.pop("cut.png")[0], messages
        assert messages == {f"{n}.png": [f"→ {n}-capra.png", "Open Result"] for n in range(FILES)}, messages

    def open_result(self):
        """By keys, from the list."""
        rows = self.panel.find_all("list item", "", self.panel.wait("list", "^Files$", self.dialog))
        self.panel.reach(next(row for row in rows if any(node.name == "0.png" for node in row.walk())))
        xdotool("key", "Return")
        self.panel.wait_frame("0")
        assert self.panel.alive()

    def press_open(self):
        """Each row with a result has a button."""
        buttons = self.panel.find_all("push button", "^Open Result$", self.dialog)
        assert len(buttons) == FILES, buttons
        row = next(row for row in self.panel.find_all("list item", "", self.panel.wait("list", "^Files$", self.dialog))
                   if any(node.name == "1.png" for node in row.walk()))
        self.panel.act("push button", "^Open Result$", row)
        self.panel.wait_frame("1")


sys.exit(main(DriveBatch))
