#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mnemonics are unique, in English and in all translations: in each menu and submenu, in each window with the widgets in
it, in each popover, and in each dialog. A translation has one where English has one. The rules are first tried on a
planted tree, of which they must find every violation.

Usage: mnemonics.py SOURCE_FOLDER     (TAP)"""
import ast
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

PLANTED = {
    "po/LINGUAS": "xx\n",
    "po/xx.po": r'''
#, fuzzy
msgid "_Old"
msgstr "_Copy"

msgid "_Cut"
msgstr "_Pause"

msgid ""
"_Pas"
"te"
msgstr "_Plus"

msgid "_Find"
msgstr "Search"
''',
    "ui/a.ui": '''<interface>
  <menu id="twice"><section><item><attribute name="label" translatable="yes">_Open</attribute></item></section>
    <submenu><attribute name="label" translatable="yes">_Cut</attribute>
      <item><attribute name="label" translatable="yes">_Paste</attribute></item></submenu>
    <item><attribute name="label" translatable="yes">_Old</attribute></item></menu>
  <menu id="translated"><item><attribute name="label" translatable="yes">_Cut</attribute></item>
    <item><attribute name="label" translatable="yes">_Paste</attribute></item></menu>
  <template class="Outer"><child><object class="Inner"/></child>
    <object class="GtkPopover"><child><object class="GtkButton"><property name="label">_Find</property>
      <property name="use-underline">True</property></object></child></object>
    <object class="GtkButton"><property name="label">_Wait</property>
      <property name="use-underline">True</property></object></template></interface>''',
    "ui/b.ui": '''<interface><template class="Inner"><object class="GtkButton">
    <property name="label">_Write</property><property name="use-underline">1</property></object>
    <object class="GtkLabel"><property name="label">_Write</property></object></template></interface>''',
    "ui/c.c": '''adw_message_dialog_add_responses (dialog, "a", _ ("_Yes"), "b",
      _ ("_Yet"), NULL);
      adw_message_dialog_add_responses (dialog, "a", _ ("_Year"), NULL);''',
}
PLANTED_CLASHES = {("ui/a.ui, menu twice", "o"), ("ui/a.ui, Outer", "w"), ("ui/c.c, dialog 1", "y")}
PLANTED_TRANSLATED = {("ui/a.ui, menu translated", "p")}
PLANTED_MISSING = {"_Find"}


def mnemonic(label):
    found = re.search(r"_(\w)", label.replace("__", ""))
    return found and found.group(1).lower()


class Labels:
    """The labels of each level: where keys choose one of them. Labels of composite widgets are also in the levels of the
    widgets that contain them."""

    def __init__(self, folder):
        self.levels = {}
        self.templates = {}
        files = {path: ElementTree.parse(path).getroot() for path in sorted(folder.glob("ui/**/*.ui"))}
        for path, root in files.items():
            for template in root.iter("template"):
                self.templates[template.get("class")] = template
        for path, root in files.items():
            name = str(path.relative_to(folder))
            for menu in root.iter("menu"):
                self.walk_menu(menu, f"{name}, menu {menu.get('id')}")
            for template in root.iter("template"):
                self.walk(template, f"{name}, {template.get('class')}")
        for path in sorted(folder.glob("ui/**/*.c")):
            calls = re.finditer(r"adw_message_dialog_add_responses \((.*?)NULL\)", path.read_text("utf-8"), re.DOTALL)
            for i, call in enumerate(calls, 1):
                for label in re.findall(r'_ \("((?:[^"\\]|\\.)*)"\)', call.group(1)):
                    self.add(f"{path.relative_to(folder)}, dialog {i}", label)

    def add(self, level, label):
        if label and mnemonic(label):
            self.levels.setdefault(level, []).append(label)

    def walk_menu(self, element, level):
        for child in element:
            if child.tag == "attribute" and child.get("name") == "label" and element.tag in ("item", "submenu"):
                self.add(level, child.text)
            elif child.tag == "submenu":
                self.walk_menu(child, level)
                for item in child.iter("item"):
                    self.walk_menu(item, f"{level}, submenu")
            elif child.tag in ("section", "item") and element.tag != "submenu":
                self.walk_menu(child, level)

    def walk(self, element, level):
        """@element: a template, an object, or a part of one"""
        if element.tag == "object":
            if "Popover" in element.get("class"):
                level = f"{level}, {element.get('class')}"
            template = self.templates.get(element.get("class"))
            if template is not None:
                self.walk(template, level)
        properties = {child.get("name"): child.text for child in element if child.tag == "property"}
        if properties.get("use-underline", "False") in ("True", "1"):
            self.add(level, properties.get("label") or properties.get("title"))
        for child in element:
            self.walk(child, level)


def read_catalog(path):
    """The translations of messages without context."""
    messages = {}
    for entry in path.read_text("utf-8").split("\n\n"):
        fields, field = {}, None
        for line in entry.splitlines():
            word, _, text = line.partition(" ")
            if word in ("msgctxt", "msgid", "msgid_plural", "msgstr"):
                field = word
                fields[field] = ast.literal_eval(text)
            elif line.startswith('"') and field:
                fields[field] += ast.literal_eval(line)
        if not re.search("^#,.*fuzzy", entry, re.MULTILINE) and "msgctxt" not in fields and fields.get("msgstr"):
            messages[fields["msgid"]] = fields["msgstr"]
    return messages


def find_clashes(levels, translations):
    """Pairs of a level and a key that chooses several of its labels."""
    clashes = {}
    for level, labels in levels.items():
        for label in labels:
            text = translations.get(label, label)
            clashes.setdefault((level, mnemonic(text)), []).append(text)
    return {where: texts for where, texts in clashes.items() if where[1] and len(texts) > 1}


def find_missing(levels, translations):
    return {label for labels in levels.values() for label in labels
            if label in translations and not mnemonic(translations[label])}


def report(number, what, findings):
    print(f"{'not ok' if findings else 'ok'} {number} - {what}")
    for finding in findings:
        print(f"# {finding}")


def describe(clashes):
    return [f"{level}: {' and '.join(texts)}" for (level, _), texts in clashes.items()]


def try_rules():
    """What the rules do not find in the planted tree, or find there wrongly."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PLANTED.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        levels = Labels(pathlib.Path(folder)).levels
        translations = read_catalog(pathlib.Path(folder, "po/xx.po"))
        english, translated = set(find_clashes(levels, {})), set(find_clashes(levels, translations))
        return (sorted(english ^ PLANTED_CLASHES) + sorted(translated ^ english ^ PLANTED_TRANSLATED)
                + sorted(find_missing(levels, translations) ^ PLANTED_MISSING))


def main():
    source = pathlib.Path(sys.argv[1])
    levels = Labels(source).levels
    languages = (source / "po/LINGUAS").read_text("utf-8").split()
    print(f"1..{2 + 2 * len(languages)}")
    report(1, "the rules find what is planted", try_rules())
    report(2, "mnemonics are unique", describe(find_clashes(levels, {})))
    for i, language in enumerate(languages):
        translations = read_catalog(source / "po" / f"{language}.po")
        report(3 + 2 * i, f"{language}: mnemonics are unique", describe(find_clashes(levels, translations)))
        report(4 + 2 * i, f"{language}: every mnemonic is translated", sorted(find_missing(levels, translations)))


main()
