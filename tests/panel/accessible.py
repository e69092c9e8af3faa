# SPDX-License-Identifier: GPL-3.0-or-later
"""The controls of a program, as the accessibility bus describes them.

The tree is read with one call, from the cache that each program keeps of its controls: calls for the name, the role and
the children of each control take about a hundred times as long."""
import ast
import functools
import re

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

PREFIX = "org.a11y.atspi."
ROOT = "/org/a11y/atspi/accessible/root"
WINDOW = 1  # coordinates within the window
CALL_TIMEOUT = 60000  # in milliseconds: a busy program answers late
ROUNDS = 4
TEXT = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
# As GVariant prints it: the object, its application and its parent, index, number of children, interfaces, name, role,
# description, states.
ITEM = re.compile(r"\(\('[^']*', '([^']*)'\), \('[^']*', '[^']*'\), \('[^']*', '([^']*)'\), (-?\d+), (-?\d+), "
                  rf"\[([^]]*)\], {TEXT}, (\d+), {TEXT}, \[(\d+), \d+\]\)")
# Names of later versions, and names of variants, with those that the tests use.
ROLES = {"button": "push button", "toggle button": "push button", "entry": "text", "radio menu item": "menu item",
         "check menu item": "menu item"}
State = Atspi.StateType
LABELLED_BY = int(Atspi.RelationType.LABELLED_BY)


# The same few of them are read again and again.
parse_text = functools.lru_cache(maxsize=None)(ast.literal_eval)


@functools.lru_cache(maxsize=None)
def name_role(number):
    name = Atspi.Role(int(number)).value_nick.replace("-", " ")
    return ROLES.get(name, name)


def has_state(states, state):
    return bool(int(states) >> int(state) & 1)


class Node:
    """A control: its place in the tree, name, role and states at the time of a look, and what the program says now."""

    def __init__(self, program, fields):
        self.program = program
        self.path, self.parent_path, index, count, interfaces, name, role, description, states = fields
        self.index, self.count, self.states = int(index), int(count), int(states)
        self.name, self.description = parse_text(name), parse_text(description)
        self.role = name_role(role)
        self.visible, self.text = PREFIX + "Component" in interfaces, PREFIX + "Text" in interfaces
        self.editable, self.value = PREFIX + "EditableText" in interfaces, PREFIX + "Value" in interfaces
        self.parent, self.children = None, []

    def __str__(self):
        return f"{self.role} “{self.name}”"

    def walk(self):
        """The control and its descendants."""
        left = [self]
        while left:
            node = left.pop()
            yield node
            left.extend(reversed(node.children))

    def ancestors(self):
        """Innermost first."""
        node = self
        while node := node.parent:
            yield node

    def get_label(self):
        """The text of the label that names the control."""
        labels = [path for kind, targets in self.call("Accessible", "GetRelationSet")[0] if kind == LABELLED_BY
                  for _, path in targets]
        return " ".join(self.program.call(path, PREFIX + "Text", "GetText", GLib.Variant("(ii)", (0, -1)))[0]
                        for path in labels)

    def had(self, state):
        return has_state(self.states, state)

    def call(self, interface, method, signature="()", *arguments):
        return self.program.call(self.path, PREFIX + interface, method, GLib.Variant(signature, arguments))

    def get(self, interface, name):
        return self.program.call(self.path, "org.freedesktop.DBus.Properties", "Get",
                                 GLib.Variant("(ss)", (PREFIX + interface, name)))[0]

    def has(self, state):
        low, high = self.call("Accessible", "GetState")[0]
        return bool((high << 32 | low) >> int(state) & 1)

    def get_name(self):
        return self.get("Accessible", "Name")

    def get_description(self):
        return self.get("Accessible", "Description")

    def get_value(self):
        return self.get("Value", "CurrentValue")

    def set_value(self, value):
        self.program.call(self.path, "org.freedesktop.DBus.Properties", "Set",
                          GLib.Variant("(ssv)", (PREFIX + "Value", "CurrentValue", GLib.Variant("d", value))))

    def get_text(self):
        return self.call("Text", "GetText", "(ii)", 0, self.get("Text", "CharacterCount"))[0]

    def set_text(self, text):
        assert self.call("EditableText", "SetTextContents", "(s)", text)[0], f"the text of {self} stays"

    def act(self):
        assert self.call("Action", "DoAction", "(i)", 0)[0], f"{self} does not act"

    def extents(self):
        """Left, top, width and height within the window."""
        return self.call("Component", "GetExtents", "(u)", WINDOW)[0]


class Program:
    """A program on the accessibility bus, by the number of its process."""

    def __init__(self, connection, pid):
        self.connection, self.pid, self.bus_name = connection, pid, None
        self.changed = set()  # paths of controls that have shown or hidden a child
        self.known = set()  # paths of controls in the cache at the last look

    def call(self, path, interface, method, arguments=None, name=None):
        return self.connection.call_sync(name or self.bus_name, path, interface, method, arguments, None,
                                         Gio.DBusCallFlags.NONE, CALL_TIMEOUT, None).unpack()

    def connect(self):
        """Whether the program is on the bus."""
        programs = self.call(ROOT, PREFIX + "Accessible", "GetChildren", name=PREFIX + "Registry")[0]
        bus = "org.freedesktop.DBus"
        self.bus_name = next((name for name, _ in programs if self.pid == self.call(
            "/" + bus.replace(".", "/"), bus, "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)), bus)[0]), None)
        if self.bus_name:
            # GTK 4.18 sends only events that someone has asked the registry for.
            self.call("/org/a11y/atspi/registry", PREFIX + "Registry", "RegisterEvent",
                      GLib.Variant("(sass)", ("object:children-changed", [], "")), PREFIX + "Registry")
            self.connection.signal_subscribe(self.bus_name, PREFIX + "Event.Object", "ChildrenChanged", None, None,
                                             Gio.DBusSignalFlags.NONE, lambda *signal: self.changed.add(signal[2]))
        return self.bus_name is not None

    def realize(self, paths, known, states=None):
        """Only controls that something has asked for are in the cache: asks for the children of those at @paths, and for
        theirs that are not @known. The calls of a level are sent together. Returns the children of each.

        @states: a dictionary that gets the states of each, too"""
        shown = {}
        while paths:
            left, below = set(), []

            def take(connection, result, question):
                path, method = question
                left.discard(question)
                try:
                    answer = connection.call_finish(result).unpack()[0]
                except GLib.Error:  # it has disappeared
                    return
                if method == "GetState":
                    states[path] = answer[0]
                    return
                shown[path] = [child for _, child in answer]
                below.extend(child for child in shown[path] if child not in known)

            for path in paths:
                for method in ("GetChildren",) if states is None else ("GetChildren", "GetState"):
                    left.add((path, method))
                    self.connection.call(self.bus_name, path, PREFIX + "Accessible", method, None, None,
                                         Gio.DBusCallFlags.NONE, CALL_TIMEOUT, None, take, (path, method))
            while left:
                GLib.MainContext.default().iteration(True)
            paths = below
        return shown

    def ask(self, path, parent=""):
        """A node without its children, by calls for it alone."""
        name, description = (self.call(path, "org.freedesktop.DBus.Properties", "Get", GLib.Variant(
            "(ss)", (PREFIX + "Accessible", word)))[0] for word in ("Name", "Description"))
        role, states, interfaces = (self.call(path, PREFIX + "Accessible", method)[0]
                                    for method in ("GetRole", "GetState", "GetInterfaces"))
        return Node(self, (path, parent, -1, 0, repr(interfaces), repr(name), role, repr(description), states[0]))

    def windows(self):
        """The windows, without what is in them."""
        return [self.ask(path, ROOT) for _, path in self.call(ROOT, PREFIX + "Accessible", "GetChildren")[0]]

    def find_focus(self, root):
        """The control with the focus: @root or one within, or None. For a root with few controls in it, this takes less
        time than a look."""
        states = {}
        self.realize([root.path], (), states)
        path = next((path for path in states if has_state(states[path], State.FOCUSED)), None)
        return self.ask(path) if path else None

    def take_signals(self):
        """Those that were sent before the last answer."""
        while GLib.MainContext.default().iteration(False):
            pass

    def read(self):
        """All nodes by their paths."""
        items = self.connection.call_sync(self.bus_name, "/org/a11y/atspi/cache", PREFIX + "Cache", "GetItems", None,
                                          None, Gio.DBusCallFlags.NONE, CALL_TIMEOUT, None)
        self.take_signals()
        found = ITEM.findall(items.print_(False))
        assert len(found) == items.get_child_value(0).n_children(), "an item of the cache could not be read"
        nodes = {fields[0]: Node(self, fields) for fields in found}
        for node in sorted(nodes.values(), key=lambda node: node.index):
            node.parent = nodes.get(node.parent_path)
            if node.parent:
                node.parent.children.append(node)
        self.changed &= nodes.keys()
        return nodes

    def look(self):
        """The windows, and all nodes by their paths. The cache has hidden controls, too, as long as they exist; it does
        not have those that were never asked for, and their number may be the same."""
        self.realize([ROOT], self.known)  # mostly, the cache is complete then
        self.take_signals()
        self.realize(list(self.changed), self.known)
        for _ in range(ROUNDS):
            nodes = self.read()
            self.known = nodes.keys()
            doubtful = {node.path for node in nodes.values() if node.count != len(node.children)} | self.changed
            shown = self.realize([ROOT, *doubtful], nodes)
            if all(child in nodes for children in shown.values() for child in children):
                break
        for path, children in shown.items():
            if path in nodes:
                nodes[path].children = [nodes[child] for child in children if child in nodes]
        for node in nodes.values():  # GTK 4.18 leaves it to screen readers to ask for the labels of menu items
            if node.role == "menu item" and not node.name:
                node.name = node.get_label()
        return [nodes[path] for path in shown[ROOT] if path in nodes], nodes
