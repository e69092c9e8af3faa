# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the panel's program like a user: keys and mouse by xdotool, controls by the accessibility bus.

A test derives from Test and ends with `sys.exit(main(MyTest))`; it is called with the arguments PANEL PROGRAM ARTIFACTS
(TAP; within Xvfb). Importing this module starts the script again in a D-Bus session of its own."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

SKIP = 77
RESULTS = 3  # the file descriptor for results
if "CAPRA_DRIVEN" not in os.environ:  # in a separate D-Bus session, whose daemons cannot write to the results
    # A critical message is fatal to the panel alone: the bus's daemons log some.
    environment = {**os.environ, "CAPRA_DRIVEN": os.environ.get("G_DEBUG", ""), "G_DEBUG": ""}
    os.dup2(sys.stdout.fileno(), RESULTS)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        status = subprocess.run(["dbus-run-session", "--", sys.executable, *sys.argv], stdout=subprocess.DEVNULL,
                                stderr=errors, pass_fds=(RESULTS,), env=environment, check=False).returncode
        if status not in (0, SKIP):
            errors.seek(0)
            print("".join(f"# {line}" for line in errors))
    sys.exit(status)
sys.stdout = os.fdopen(RESULTS, "w", buffering=1)
os.set_inheritable(RESULTS, False)
try:
    from accessible import Program, State

    import gi

    gi.require_version("GdkPixbuf", "2.0")
    from gi.repository import GdkPixbuf, Gio, GLib
except (ImportError, ValueError) as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(SKIP)

TIMEOUT = 60.0
TABS = 60  # more keys than lead around a window
# The controls that must have a name.
NAMED = ("push button", "check box", "slider", "spin button", "combo box", "text", "radio button", "page tab", "menu item",
         "tree table", "link", "list")
WITH_VALUES = ("slider", "spin button", "scroll bar", "progress bar", "level bar")
GROUPS = ("panel", "grouping")  # those that a handle divides have the value of its position
WARNING = re.compile(r"^.*-(WARNING|CRITICAL) \*\*:.*$", re.MULTILINE)
# Of GTK, on its window for keyboard shortcuts; and of GTK 4.18, when Tab reaches a table.
KNOWN_WARNING = re.compile(r"GtkLabel .* reported min width -\d|gtk_root_get_focus: assertion 'GTK_IS_ROOT")
RAW = re.compile(r"^[a-z]+([-_][a-z0-9]+)+$|\(null\)")  # names of properties
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")


def wait_for(what, test, seen=None):
    """Calls test() until its result is true, and returns the result. A control that disappears meanwhile is no error.

    @seen: what the message tells if that does not happen: a function"""
    end, pause, gone = time.monotonic() + TIMEOUT, 0.02, None
    while time.monotonic() < end:
        try:
            found, gone = test(), None
            if found:
                return found
        except GLib.Error as error:
            gone = error
        time.sleep(pause)
        pause = min(1.5 * pause, 0.4)
    raise AssertionError(f"timeout of {TIMEOUT:.0f} s: {what}" + (f"; seen: {seen()}" if seen else "")
                         + (f"; {gone.message}" if gone else ""))


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def connect_to_accessibility_bus():
    """None until the launcher has started the bus. The call does not activate a second launcher, which would replace the
    address of the first."""
    try:
        address = Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
            "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, GLib.VariantType("(s)"),
            Gio.DBusCallFlags.NO_AUTO_START, -1).unpack()[0]
    except GLib.Error:
        return None
    flags = Gio.DBusConnectionFlags
    return Gio.DBusConnection.new_for_address_sync(
        address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)


class Panel:
    """The running program."""

    def __init__(self, connection, program, image, log, state):
        """@image: None for a window without an image
        @state: the folder for what the program keeps and for the sockets of the programs that it lists, so that no
          other program changes what it shows"""
        environment = {**os.environ, "XDG_STATE_HOME": state, "XDG_CONFIG_HOME": state, "XDG_RUNTIME_DIR": state,
                       "G_DEBUG": os.environ["CAPRA_DRIVEN"]}
        self.process = subprocess.Popen([program, image] if image else [program], stdout=log, stderr=log,
                                        env=environment)
        self.tree = Program(connection, self.process.pid)
        self.frame = None
        wait_for("the program on the accessibility bus", lambda: self.alive() and self.tree.connect())
        self.frame = self.wait_frame(os.path.basename(image) if image else "")
        self.focus_window(self.frame.name)
        geometry = subprocess.run(["xdotool", "getwindowgeometry", "--shell", self.find_window(self.frame.name)],
                                  check=True, capture_output=True, text=True).stdout
        outer = dict(line.split("=") for line in geometry.split())
        x, y, width, height = self.frame.extents()
        # The window includes a shadow or a border around the frame. GTK 4.18 measures from within the border of each
        # ancestor, and leaves that of the frame out twice.
        self.left = int(outer["X"]) + (int(outer["WIDTH"]) - width) // 2 - 2 * x
        self.top = int(outer["Y"]) + (int(outer["HEIGHT"]) - height) // 2 - 2 * y

    def find_window(self, title):
        """Of the X server."""
        found = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.process.pid), "--name",
                                re.escape(title)], capture_output=True, text=True, check=False).stdout.split()
        return found[-1] if found else None

    def focus_window(self, title):
        """What a window manager does when a window is opened or closed."""
        xdotool("windowfocus", "--sync", wait_for(f"the window {title}", lambda: self.find_window(title)))

    def find_frame(self, title):
        """The window whose title begins so, or None."""
        return next((window for window in self.tree.windows() if window.name.startswith(title)), None)

    def wait_frame(self, title):
        return wait_for(f"the window {title}", lambda: self.find_frame(title),
                        lambda: [str(window) for window in self.tree.windows()])

    def controls(self, root=None):
        """Those of the main window, or @root and those within."""
        node = self.tree.look()[1].get((root or self.frame).path)
        return list(node.walk()) if node else []

    def find_all(self, role, name="", root=None):
        """The controls of this role whose names match."""
        return [node for node in self.controls(root) if node.role == role and re.search(name, node.name)]

    def find(self, role, name="", root=None):
        """The first of them, or None."""
        return next(iter(self.find_all(role, name, root)), None)

    def wait(self, role, name="", root=None):
        return wait_for(f"{role} “{name}”", lambda: self.find(role, name, root), lambda: self.describe(role))

    def describe(self, role):
        return ", ".join(str(node) for node in self.controls() if node.role == role)

    def focused(self, root=None):
        """The control with the focus, or None."""
        if root:
            return self.tree.find_focus(root)
        return next((node for node in self.controls(root) if node.had(State.FOCUSED)), None)

    def describe_focus(self, root=None):
        node = self.focused(root)
        return f"the focus on {node}" if node else "no focus"

    def reach(self, node, key="Tab"):
        """Moves the focus by this key until the control, or a part of it, has it. A key that is pressed before the focus
        is known to be there goes around once more."""
        end = time.monotonic() + TIMEOUT
        parts = list(node.walk())
        while time.monotonic() < end:
            for _ in range(TABS):
                if any(part.has(State.FOCUSED) for part in parts):
                    return
                xdotool("key", key)
            parts = self.controls(node)
        raise AssertionError(f"timeout of {TIMEOUT:.0f} s: the focus on {node}; seen: {self.describe_focus()}")

    def press(self, role, name, key="space", root=None):
        """Moves the focus to a control, presses a key on it, and returns it."""
        node = self.wait(role, name, root)
        self.reach(node)
        xdotool("key", key)
        return node

    def act(self, role, name, root=None):
        """Activates a control by the bus, and returns it."""
        node = self.wait(role, name, root)
        node.act()
        return node

    def choose_in_list(self, box, key):
        """Another item of a drop-down, by keys."""
        self.reach(box)
        xdotool("key", "space")
        wait_for("the focus in the list", lambda: (node := self.focused(box)) and node.role == "list item",
                 self.describe_focus)
        xdotool("key", key, "Return")

    def close_popover(self, button):
        """By Escape, which gives the focus back to the button."""
        parts = [node for node in (button, *button.children) if node.role == "push button"]
        xdotool("key", "Escape")
        wait_for(f"the focus on {button}", lambda: any(part.has(State.FOCUSED) for part in parts), self.describe_focus)

    def open_page(self, number, name):
        """A page of the sidebar, by keys."""
        tab = self.wait("page tab", f"^{name}$")
        xdotool("key", f"ctrl+alt+{number}")
        wait_for(f"the page {name}", lambda: tab.has(State.SELECTED))

    def choose(self, name):
        """In an open menu, by keys."""
        self.reach(self.wait("menu item", name), "Down")
        xdotool("key", "Return")

    def search(self, words):
        """Types into the search for operations."""
        xdotool("key", "ctrl+f")
        entry = self.wait("text", "^Search operations$")
        wait_for("the focus in the search", lambda: self.focused(entry), self.describe_focus)
        if words:
            xdotool("type", "--delay", 5, words)
        return entry

    def add_step(self, words, title):
        """The step that a search finds first; the row is expanded, and has the focus."""
        self.search(words)
        wait_for(f"the operation {title}", lambda: (row := self.find("list item", "", self.find("list", "^Operations$")))
                 and any(re.search(title, node.name) for node in row.walk() if node.role == "label"))
        xdotool("key", "Return")
        row = self.wait("list item", title, self.wait("list", "^Steps$"))
        wait_for("the focus on the row", lambda: self.focused(row), self.describe_focus)
        return row

    def rows(self):
        """The steps. The list has a row for each, which contains rows of its properties."""
        return [row for row in self.find_all("list item") if row.parent and row.parent.name == "Steps"]

    def point(self, node, share=0.5):
        """A point on the control, in screen coordinates: at this share of its width, in the middle of its height."""
        x, y, width, height = node.extents()
        return (self.left + x + int(width * share), self.top + y + height // 2)

    def settle(self, node):
        """Waits until the control has a size and moves no more: its extents are the same twice."""
        def settled():
            before, self.settled = self.settled, node.extents()
            return before == self.settled and self.settled[2] > 0

        self.settled = None
        wait_for(f"the end of the movement of {node}", settled)

    def click(self, node):
        self.settle(node)
        xdotool("mousemove", *self.point(node), "click", 1)

    def drag(self, start, end, *keys):
        """Between points of the screen, with these keys pressed after the button."""
        (x, y), (to_x, to_y) = start, end
        words = ["mousemove", x, y, "mousedown", 1]
        for key in keys:
            words += ["keydown", key]
        for i in range(1, 9):
            words += ["mousemove", "--sync", x + (to_x - x) * i // 8, y + (to_y - y) * i // 8]
        words += ["mouseup", 1]
        for key in keys:
            words += ["keyup", key]
        xdotool(*words)

    def paste_steps(self, text):
        """The search is a place where the text of steps can be copied."""
        entry = self.search("")
        field = wait_for("the field", lambda: next((node for node in self.controls(entry) if node.editable), None))
        field.set_text(text)
        wait_for("the text", lambda: self.text(entry) == text, lambda: self.text(entry))
        xdotool("key", "ctrl+a", "ctrl+c", "Escape")
        wait_for("the end of the search", lambda: not self.focused(entry), self.describe_focus)
        xdotool("key", "ctrl+shift+v")

    def choose_file(self, title, path):
        """Types the path in a dialog for files."""
        dialog = self.wait_frame(title)
        self.focus_window(dialog.name)
        xdotool("key", "ctrl+l")  # the field for the path
        entry = wait_for("the focus in the field for the path", lambda: (node := self.focused(dialog))
                         and node.role == "text" and node, lambda: self.describe_focus(dialog))
        # Not typed, since GTK 4.18 may complete a part of the path between two keys.
        entry.set_text(path)
        wait_for("the path", lambda: self.text(entry) == path, lambda: self.text(entry))
        xdotool("key", "Return")
        wait_for("the end of the dialog", lambda: not self.find_frame(title))

    def text(self, entry):
        """Of an entry, or of the text inside of it."""
        return max((node.get_text() for node in self.controls(entry) if node.text), key=len, default="")

    def paste(self):
        """The text of the clipboard, through the search for operations."""
        entry = self.search("")
        xdotool("key", "ctrl+a", "ctrl+v")
        text = wait_for("the text", lambda: self.text(entry))
        xdotool("key", "ctrl+a", "BackSpace", "Escape")
        wait_for("the end of the search", lambda: not self.focused(entry), self.describe_focus)
        return text

    def number(self, name):
        return self.wait("spin button", name).get_value()

    def alive(self):
        assert self.process.poll() is None, f"the program has ended with status {self.process.returncode}"
        return True

    def wait_end(self):
        wait_for("the end of the program", lambda: self.process.poll() is not None)
        assert self.process.returncode == 0, self.process.returncode


class Picture:
    """The pixels of an image file."""

    def __init__(self, path):
        self.pixbuf = GdkPixbuf.Pixbuf.new_from_file(path)
        self.width, self.height = self.pixbuf.get_width(), self.pixbuf.get_height()
        self.pixels, self.stride = self.pixbuf.get_pixels(), self.pixbuf.get_rowstride()
        self.channels = self.pixbuf.get_n_channels()

    def get(self, x, y):
        at = y * self.stride + x * self.channels
        return self.pixels[at:at + 3]


class Test:
    """The steps of a test, in order; each depends on those before."""

    def __init__(self, connection, panel, program, artifacts):
        self.connection, self.program, self.sample, self.artifacts = connection, panel, program, artifacts
        self.folder = tempfile.mkdtemp(prefix="capra-drive-")
        settings = os.path.join(self.folder, "state", "gtk-4.0")
        os.makedirs(settings)
        with open(os.path.join(settings, "settings.ini"), "w", encoding="utf-8") as file:
            file.write("[Settings]\ngtk-enable-animations=false\n")
        self.image = os.path.join(self.folder, "image.png")
        self.log = open(os.path.join(self.folder, "log"), "w+", encoding="utf-8")
        self.panel = None

    def steps(self):
        raise NotImplementedError

    def screen(self, name, part=None):
        """A picture of the screen, or of a part: x, y, width and height."""
        path = os.path.join(self.artifacts, name)
        crop = ["-crop", "{2}x{3}+{0}+{1}".format(*part)] if part else []
        subprocess.run(["import", "-window", "root", *crop, path], check=True)
        return Picture(path)

    def start(self, image=None):
        """Starts the program; what it keeps is that of the last start."""
        self.panel = Panel(self.connection, self.program, image, self.log, os.path.join(self.folder, "state"))

    def open_image(self):
        self.start(self.image)
        self.panel.wait("image", "^Image$")

    def names(self, root=None):
        """All controls that are used have names that people understand, and roles that suit what they do."""
        problems = []
        for node in self.panel.controls(root):
            texts = [part.name for part in node.walk() if part.role == "label"]
            within = [str(parent) for parent in node.ancestors() if parent.role not in ("panel", "filler")
                      or parent.name == "AdwToastWidget"]
            if "filler “AdwToastWidget”" in within:  # libadwaita's button has no name
                continue
            unnamed = not node.name or node.name.startswith(("Gtk", "Adw", "Capra"))
            used = node.role in NAMED or node.role == "image" and node.had(State.FOCUSABLE)
            if used and node.visible and unnamed:
                problems.append(f"{node} has no name, in {within}")
            if node.role == "list item" and unnamed and not any(texts):
                problems.append(f"{node} has neither a name nor a text, in {within}")
            mnemonic = node.role in ("push button", "menu item") and "_" in node.name
            in_table = any(place.startswith(("table cell", "table row")) for place in (str(node), *within))
            if mnemonic or RAW.search(node.name) and not in_table:
                problems.append(f"{node} is not for people, in {within}")
            divided = node.role in GROUPS and not unnamed
            part_of_range = node.parent and node.parent.role == "scroll bar"
            if node.value and not (node.role in WITH_VALUES or divided or part_of_range):
                problems.append(f"{node} has a value, in {within}")
        assert not problems, problems

    def warnings(self):
        """Neither GTK nor GLib has warned about what the program does."""
        self.log.seek(0)
        found = [match.group() for match in WARNING.finditer(self.log.read()) if not KNOWN_WARNING.search(match.group())]
        assert not found, found

    def run(self):
        steps = [*self.steps(), self.warnings]
        print(f"1..{len(steps)}")
        for number, step in enumerate(steps, 1):
            try:
                step()
                print(f"ok {number} - {step.__name__}")
            except Exception:  # the other steps depend on this one
                print(f"not ok {number} - {step.__name__}")
                print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()))
                self.log.seek(0)
                print("".join(f"# {line}" for line in self.log))
                self.screen(f"{type(self).__name__}-failed.png")
                return 1
        return 0

    def end(self):
        if self.panel:
            self.panel.process.terminate()
            self.panel.process.wait()
        shutil.rmtree(self.folder)


def main(test_class):
    launcher = next((path for path in LAUNCHERS if os.path.exists(path)), None)
    if not launcher:
        print("1..0 # SKIP the accessibility bus is not installed")
        return SKIP
    bus = subprocess.Popen([launcher, "--launch-immediately"], stderr=subprocess.DEVNULL)
    try:
        test = test_class(wait_for("the accessibility bus", connect_to_accessibility_bus), *sys.argv[1:4])
        try:
            return test.run()
        finally:
            test.end()
    finally:
        bus.terminate()
