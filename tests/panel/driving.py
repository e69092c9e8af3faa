# SPDX-License-Identifier: GPL-3.0-or-later
"""Operates the panel's program like a user: keys and mouse by xdotool, controls by the accessibility bus.

A test derives from Test and ends with `sys.exit(main(MyTest))`; it is called with the arguments PANEL SAMPLE ARTIFACTS
(TAP; within Xvfb). Importing this module starts the script again in a D-Bus session of its own."""
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings

SKIP = 77
RESULTS = 3  # the file descriptor for results
if "CAPRA_DRIVEN" not in os.environ:  # in a separate D-Bus session, whose daemons cannot write to the results
    # A critical message is fatal to the panel alone: libatspi logs some while the bus starts.
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
    import gi

    gi.require_version("Atspi", "2.0")
    gi.require_version("GdkPixbuf", "2.0")
    from gi.repository import Atspi, GdkPixbuf, Gio, GLib
except (ImportError, ValueError) as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(SKIP)

warnings.simplefilter("ignore", DeprecationWarning)
TIMEOUT = 60.0
ROLES = {"button": "push button", "entry": "text"}  # names in newer versions, and those that the tests use
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")


def wait_for(what, test):
    """Calls test() until its result is true, and returns the result."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        found = test()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"timeout of {TIMEOUT:.0f} s: {what}")


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def walk(node):
    """The node and its descendants, each with its role and name, without those that disappear during the walk, as rows
    of lists do whose contents change."""
    try:
        role, name, count = node.get_role_name(), node.get_name() or "", node.get_child_count()
        role = ROLES.get(role, role)
    except GLib.Error:
        return
    yield node, role, name
    for i in range(count):
        try:
            child = node.get_child_at_index(i)
        except GLib.Error:
            continue
        if child is not None:
            yield from walk(child)


def accessibility_bus_ready():
    """Whether the launcher has started the bus. libatspi, which aborts without the bus, must not be used before. The
    call does not activate a second launcher, which would replace the address of the first."""
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    try:
        session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, GLib.VariantType("(s)"),
                          Gio.DBusCallFlags.NO_AUTO_START, -1)
    except GLib.Error:
        return False
    return True


class Panel:
    """The running program."""

    def __init__(self, program, image, log, state):
        """@state: the folder for what the program keeps, so that no other run changes what it shows"""
        environment = {**os.environ, "XDG_STATE_HOME": state, "XDG_CONFIG_HOME": state,
                       "G_DEBUG": os.environ["CAPRA_DRIVEN"]}
        self.process = subprocess.Popen([program, image], stdout=log, stderr=log, env=environment)
        self.frame = wait_for("the window", lambda: self.find_frame(os.path.basename(image)))
        window = wait_for("the id of the window", self.find_window)
        xdotool("windowfocus", window)
        geometry = subprocess.run(["xdotool", "getwindowgeometry", "--shell", window], check=True,
                                  capture_output=True, text=True).stdout
        outer = dict(line.split("=") for line in geometry.split())
        inner = self.extents(self.frame)
        # The window includes a shadow or a border around the frame. GTK 4.18 measures from within the border of each
        # ancestor, and leaves that of the frame out twice.
        self.left = int(outer["X"]) + (int(outer["WIDTH"]) - inner.width) // 2 - 2 * inner.x
        self.top = int(outer["Y"]) + (int(outer["HEIGHT"]) - inner.height) // 2 - 2 * inner.y

    def find_window(self):
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                               capture_output=True, text=True).stdout.split()
        return found[-1] if found else None

    @staticmethod
    def find_frame(name):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(i)
            for j in range(application.get_child_count() if application else 0):
                frame = application.get_child_at_index(j)
                if frame and frame.get_name().startswith(name):
                    return frame
        return None

    def find(self, role, name, root=None):
        """The first control of this role whose name matches, or None."""
        return next((node for node, node_role, node_name in walk(root or self.frame)
                     if node_role == role and re.search(name, node_name)), None)

    def wait(self, role, name, root=None):
        return wait_for(f"{role} “{name}”", lambda: self.find(role, name, root))

    @staticmethod
    def extents(node):
        return node.get_component_iface().get_extents(Atspi.CoordType.WINDOW)

    def point(self, node, share=0.5):
        """A point on the control, in screen coordinates: at this share of its width, in the middle of its height."""
        box = self.extents(node)
        return (self.left + box.x + int(box.width * share), self.top + box.y + box.height // 2)

    def click(self, node):
        xdotool("mousemove", *self.point(node), "click", 1)

    def focus(self, node):
        """Clicks until the control has the focus: a busy program can miss a click that follows another event."""
        def focused():
            if node.get_state_set().contains(Atspi.StateType.FOCUSED):
                return True
            self.click(node)
            time.sleep(0.5)
            return False

        wait_for("the focus", focused)

    def drag(self, node, start, end):
        (x, y), (to, _) = self.point(node, start), self.point(node, end)
        xdotool("mousemove", x, y, "mousedown", 1)
        for i in range(1, 9):
            xdotool("mousemove", x + (to - x) * i // 8, y)
            time.sleep(0.03)
        xdotool("mouseup", 1)

    def number(self, name):
        return self.wait("spin button", name).get_value_iface().get_current_value()

    def alive(self):
        return self.process.poll() is None


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

    def __init__(self, panel, sample, artifacts):
        self.program, self.sample, self.artifacts = panel, sample, artifacts
        self.folder = tempfile.mkdtemp(prefix="capra-drive-")
        self.image = os.path.join(self.folder, "image.png")
        self.log = open(os.path.join(self.folder, "log"), "w+", encoding="utf-8")
        self.panel = None

    def steps(self):
        raise NotImplementedError

    def screen(self, name):
        path = os.path.join(self.artifacts, name)
        subprocess.run(["import", "-window", "root", path], check=True)
        return Picture(path)

    def open_image(self):
        self.panel = Panel(self.program, self.image, self.log, os.path.join(self.folder, "state"))
        self.panel.wait("image", "^Image$")

    def choose_operation(self, words):
        """Adds the first operation that a search finds."""
        xdotool("key", "ctrl+f")
        search = self.panel.wait("text", "^Search operations$")
        wait_for("the search", lambda: search.get_state_set().contains(Atspi.StateType.FOCUSED))
        xdotool("type", "--delay", 30, words)
        xdotool("key", "Return")

    def names(self):
        """All controls have accessible names, except for the close button of libadwaita's toasts."""
        roles = ("push button", "toggle button", "check box", "slider", "spin button", "combo box", "text",
                 "radio button", "page tab")
        for node, role, name in walk(self.panel.frame):
            if role not in roles:
                continue
            try:
                ancestors = self.ancestors(node)
                if not node.get_component_iface() or "AdwToastWidget" in ancestors:
                    continue
            except GLib.Error:  # it has disappeared
                continue
            inner = name in ("GtkToggleButton", "GtkMenuButton")  # parts of controls that have a name
            assert name and (inner or not name.startswith(("Gtk", "Adw"))), f"{role} “{name}” in {ancestors}"

    @staticmethod
    def ancestors(node):
        """The roles and names of the ancestors of `node`, innermost first."""
        names = []
        while node := node.get_parent():
            names.append(f"{node.get_role_name()} “{node.get_name()}”")
        return ", ".join(names)

    def run(self):
        steps = self.steps()
        print(f"1..{len(steps)}")
        for number, step in enumerate(steps, 1):
            try:
                step()
                print(f"ok {number} - {step.__name__}")
            except Exception as error:  # the other steps depend on this one
                print(f"not ok {number} - {step.__name__}\n# {error}")
                self.log.seek(0)
                print("".join(f"# {line}" for line in self.log))
                self.screen(f"{type(self).__name__}-failed.png")
                return 1
        return 0

    def end(self):
        if self.panel:
            self.panel.process.terminate()
            self.panel.process.wait()


def main(test_class):
    launcher = next((path for path in LAUNCHERS if os.path.exists(path)), None)
    if not launcher:
        print("1..0 # SKIP the accessibility bus is not installed")
        return SKIP
    bus = subprocess.Popen([launcher, "--launch-immediately"], stderr=subprocess.DEVNULL)
    test = test_class(*sys.argv[1:4])
    try:
        wait_for("the accessibility bus", accessibility_bus_ready)
        return test.run()
    finally:
        test.end()
        bus.terminate()
