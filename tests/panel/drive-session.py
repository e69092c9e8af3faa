#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates sessions by keys: the page with sample images, copies of the steps as text, the end of the program, and the
steps that it keeps for the next start. Saving is canceled, and the program ends, while a step takes minutes.

Usage: drive-session.py PANEL CAPRA ARTIFACTS     (TAP; within Xvfb)
"""
import os
import shlex
import sys

from driving import State, Test, main, wait_for, xdotool


class DriveSession(Test):
    def steps(self):
        return [self.start, self.names, self.open_sample, self.copy_command, self.copy_xml, self.copy_script,
                self.keep_steps, self.decline, self.cancel_saving, self.nothing_kept]

    def start(self, image=None):
        """Buttons for a file, for the clipboard, and a list of sample images."""
        super().start(image)
        for name in ("Open…", "Paste"):
            assert self.panel.wait("push button", f"^{name}$").had(State.FOCUSABLE)
        names = [node.name for node in self.panel.find_all("push button", "", self.samples())]
        assert len(names) == 4 and all(": " in name for name in names), names

    def samples(self):
        return self.panel.wait("table", "^Sample images$")

    def titles(self):
        return [row.name for row in self.panel.rows()]

    def open_sample(self):
        """By keys: the image with its steps."""
        self.panel.press("push button", "^Coins", "Return", self.samples())
        self.panel.wait("image", "^Image$")
        self.shown = wait_for("the steps", self.titles)

    def copied(self, item):
        """The text that an item of the main menu copies, pasted into the search."""
        xdotool("key", "F10")
        self.panel.choose(f"^{item}$")
        self.panel.wait("label", "^Copied as")
        return self.panel.paste()

    def copy_command(self):
        """It has the file and all steps."""
        command = self.copied("Copy as Command")
        words = shlex.split(command)
        assert words[0] in ("capra", "gegl") and any(word.endswith("coins.png") for word in words), command
        assert sum(word.startswith("capra:") for word in words) == len(self.shown), command

    def copy_xml(self):
        text = self.copied("Copy as XML")
        assert text.startswith("<?xml") and text.count("<node") >= len(self.shown), text

    def copy_script(self):
        assert self.copied("Copy as Script-Fu").startswith("("), "a call"

    def restart(self):
        """Ends the program, whose steps were not saved, and starts it again."""
        xdotool("key", "ctrl+q")
        self.panel.wait_end()
        super().start()

    def keep_steps(self):
        """The next start offers them."""
        self.restart()
        self.panel.wait("label", "^The steps of the last session were kept")
        assert not self.titles()
        self.panel.press("push button", "^Restore Steps$", "Return")
        wait_for("the steps", lambda: self.titles() == self.shown, self.titles)

    def decline(self):
        """The steps are offered again, since they were not saved, and are discarded."""
        self.restart()
        self.panel.press("push button", "^Discard$", "Return")
        wait_for("the end of the offer", lambda: not self.panel.find("push button", "^Discard$"))
        assert not self.titles()

    def cancel_saving(self):
        """One call of GEGL computes the whole result."""
        self.panel.paste_steps("gegl:scale-ratio x=8 y=8 gegl:mean-curvature-blur iterations=500")
        wait_for("the step", self.titles)
        xdotool("key", "ctrl+s")
        self.panel.choose_file("Save", os.path.join(self.folder, "saved.png"))
        self.panel.focus_window(self.panel.frame.name)
        self.panel.press("push button", "^Cancel: Saving saved.png$")
        wait_for("the end of the button", lambda: not self.panel.find("push button", "^Cancel: "))
        xdotool("key", "ctrl+z")
        wait_for("undo", lambda: not self.titles())

    def nothing_kept(self):
        """The program ends although the operation goes on, and leaves no file."""
        self.restart()
        assert not self.panel.find("push button", "^(Restore Steps|Discard)$")
        assert not [name for name in os.listdir(self.folder) if name.endswith(".png") or name.startswith(".")]
        xdotool("key", "ctrl+q")
        self.panel.wait_end()


sys.exit(main(DriveSession))
