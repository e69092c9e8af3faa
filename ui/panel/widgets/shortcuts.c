/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortcuts: the keys of the panel, in one table for what they do and for the window that lists them. */
#include "ui/panel/widgets/shortcuts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define STEP_ACTION "step."
#define MAX_HEIGHT 10 /* of a page of the window, in lines */

typedef struct {
  const char *title;   /* NULL: the keys are listed with those before */
  const char *action;  /* NULL: a widget handles the keys itself */
  const char *keys[4]; /* that are listed */
  const char *same[3]; /* those of other keyboards */
} Shortcut;

static const struct {
  const char *title;
  Shortcut shortcuts[16];
} groups[] = {
  { NC_ ("shortcuts", "General"),
    {
      { NC_ ("shortcuts", "Open an image"), "win.open", { "<Control>o" } },
      { NC_ ("shortcuts", "Open the image in the clipboard"), NULL, { "<Control>v" } },
      { NC_ ("shortcuts", "Save the result"), "win.save", { "<Control>s" } },
      { NC_ ("shortcuts", "New window"), "app.new-window", { "<Control>n" } },
      { NC_ ("shortcuts", "Reopen closed windows"), "app.reopen-windows", { "<Control><Shift>t" } },
      { NC_ ("shortcuts", "Undo"), "win.undo", { "<Control>z" } },
      { NC_ ("shortcuts", "Redo"), "win.redo", { "<Control><Shift>z", "<Control>y" } },
      { NC_ ("shortcuts", "Reload the layer (in GIMP)"), "win.reload", { "F5" } },
      { NC_ ("shortcuts", "Show the sidebar"), "win.sidebar", { "F9" } },
      { NC_ ("shortcuts", "Keyboard shortcuts"), "win.show-help-overlay", { "<Control>question" } },
      { NC_ ("shortcuts", "Close the window"), "window.close", { "<Control>w" } },
      { NC_ ("shortcuts", "Quit"), "app.quit", { "<Control>q" } },
    } },
  { NC_ ("shortcuts", "Steps"),
    {
      { NC_ ("shortcuts", "Add a step"), "win.add-step", { "<Control>f", "Insert" } },
      { NC_ ("shortcuts", "Copy as a command"), "win.copy-command", { "<Control><Shift>c" } },
      { NC_ ("shortcuts", "Paste steps"), "win.paste-steps", { "<Control><Shift>v" } },
      { NC_ ("shortcuts", "Move the step up or down"), "step.up", { "<Alt>Up" } },
      { NULL, "step.down", { "<Alt>Down" } },
      { NC_ ("shortcuts", "Duplicate the step"), "step.duplicate", { "<Control><Shift>d" } },
      { NC_ ("shortcuts", "Rename the step"), "step.rename", { "F2" } },
      { NC_ ("shortcuts", "Remove the step"), "step.remove", { "Delete" } },
    } },
  { NC_ ("shortcuts", "Areas of the window"),
    {
      { NC_ ("shortcuts", "Next area"), "win.next-area", { "F6" } },
      { NC_ ("shortcuts", "Previous area"), "win.previous-area", { "<Shift>F6" } },
      { NC_ ("shortcuts", "Steps"), "win.show-page::steps", { "<Control><Alt>1" } },
      { NC_ ("shortcuts", "Results"), "win.show-page::results", { "<Control><Alt>2" } },
      { NC_ ("shortcuts", "Devices"), "win.show-page::devices", { "<Control><Alt>3" } },
      { NC_ ("shortcuts", "Memory"), "win.show-page::memory", { "<Control><Alt>4" } },
      { NC_ ("shortcuts", "Timings"), "win.show-page::timings", { "<Control><Alt>5" } },
    } },
  { NC_ ("shortcuts", "View"),
    {
      { NC_ ("shortcuts", "Zoom in"), "win.zoom-in", { "<Control>plus" }, { "<Control>equal", "<Control>KP_Add" } },
      { NC_ ("shortcuts", "Zoom out"), "win.zoom-out", { "<Control>minus" }, { "<Control>KP_Subtract" } },
      { NC_ ("shortcuts", "Fit in window"), "win.zoom-fit", { "<Control>0" }, { "<Control>KP_0" } },
      { NC_ ("shortcuts", "Zoom to 100 %"), "win.zoom-to(1.0)", { "<Control>1" }, { "<Control>KP_1" } },
      { NC_ ("shortcuts", "Pan"), NULL, { "Left", "Right", "Up", "Down" } },
      { NC_ ("shortcuts", "Choose the stretch of the values"), "win.stretch-menu", { "<Control>d" } },
      { NC_ ("shortcuts", "Show timings on the image"), "win.timing-overlay", { "<Control>t" } },
      { NC_ ("shortcuts", "Line profile and ruler"), "win.line-profile", { "<Control>l" } },
      { NC_ ("shortcuts", "Result only"), "win.compare::off", { "<Alt>1" } },
      { NC_ ("shortcuts", "With a dividing line"), "win.compare::split", { "<Alt>2" } },
      { NC_ ("shortcuts", "Side by side"), "win.compare::side", { "<Alt>3" } },
      { NC_ ("shortcuts", "Show the original image while pressed"), NULL, { "b" } },
      { NC_ ("shortcuts", "Move the dividing line"), NULL, { "<Shift>Left", "<Shift>Right" } },
    } },
  { NC_ ("shortcuts", "Line, Histogram and Curve"),
    {
      { NC_ ("shortcuts", "Line: choose an end or the whole"), NULL, { "space" } },
      { NC_ ("shortcuts", "Line: move by a pixel, by ten"), NULL, { "Left", "<Shift>Left" } },
      { NC_ ("shortcuts", "Line: close"), NULL, { "Escape" } },
      { NC_ ("shortcuts", "Histogram: move the threshold"), NULL, { "Left", "Right", "Home", "End" } },
      { NC_ ("shortcuts", "Histogram: move the threshold by ten"), NULL, { "<Control>Left", "<Control>Right" } },
      { NC_ ("shortcuts", "Curve: choose the next or previous point"), NULL, { "Page_Up", "Page_Down" } },
      { NC_ ("shortcuts", "Curve: move the point"), NULL, { "Left", "Right", "Up", "Down" } },
      { NC_ ("shortcuts", "Curve: add a point"), NULL, { "Insert" } },
      { NC_ ("shortcuts", "Curve: remove the point"), NULL, { "Delete" } },
    } },
};

static gboolean
is_last (const Shortcut *shortcut)
{
  return !shortcut->keys[0];
}

void
capra_shortcuts_set_accels (GtkApplication *application)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    for (const Shortcut *shortcut = groups[i].shortcuts; !is_last (shortcut); shortcut++)
      {
        const char *keys[G_N_ELEMENTS (shortcut->keys) + G_N_ELEMENTS (shortcut->same) + 1] = { NULL };
        guint n = 0;

        if (!shortcut->action || g_str_has_prefix (shortcut->action, STEP_ACTION))
          continue;
        for (guint k = 0; k < G_N_ELEMENTS (shortcut->keys) && shortcut->keys[k]; k++)
          keys[n++] = shortcut->keys[k];
        for (guint k = 0; k < G_N_ELEMENTS (shortcut->same) && shortcut->same[k]; k++)
          keys[n++] = shortcut->same[k];
        gtk_application_set_accels_for_action (application, shortcut->action, keys);
      }
}

void
capra_shortcuts_add_step_bindings (GtkWidgetClass *klass, const char *action, GtkShortcutFunc callback)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    for (const Shortcut *shortcut = groups[i].shortcuts; !is_last (shortcut); shortcut++)
      {
        guint key;
        GdkModifierType modifiers;

        if (!shortcut->action || !g_str_has_prefix (shortcut->action, STEP_ACTION))
          continue;
        if (!gtk_accelerator_parse (shortcut->keys[0], &key, &modifiers))
          g_assert_not_reached ();
        if (g_str_equal (shortcut->action, action))
          gtk_widget_class_add_binding (klass, key, modifiers, callback, NULL);
        else
          gtk_widget_class_add_binding_action (klass, key, modifiers, shortcut->action, NULL);
      }
}

static const Shortcut *
find (const char *action)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    for (const Shortcut *shortcut = groups[i].shortcuts; !is_last (shortcut); shortcut++)
      if (g_strcmp0 (shortcut->action, action) == 0)
        return shortcut;
  g_assert_not_reached ();
}

GtkShortcut *
capra_shortcuts_new (const char *action, GtkShortcutFunc callback, gpointer data)
{
  return gtk_shortcut_new (gtk_shortcut_trigger_parse_string (find (action)->keys[0]),
                           gtk_callback_action_new (callback, data, NULL));
}

char *
capra_shortcuts_dup_label (const char *action)
{
  guint key = 0;
  GdkModifierType modifiers = 0;

  gtk_accelerator_parse (find (action)->keys[0], &key, &modifiers);
  return gtk_accelerator_get_label (key, modifiers);
}

static void
append_property (GString *text, const char *name, const char *value)
{
  g_autofree char *element = g_markup_printf_escaped ("<property name=\"%s\">%s</property>", name, value);

  g_string_append (text, element);
}

static const char *
translate (const char *title)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "shortcuts", title);
}

/* The keys of the line that begins with @shortcut, in GTK's syntax. */
static char *
join_keys (const Shortcut *shortcut)
{
  GString *keys = g_string_new (NULL);

  for (const Shortcut *part = shortcut; part == shortcut || (!is_last (part) && !part->title); part++)
    for (guint k = 0; k < G_N_ELEMENTS (part->keys) && part->keys[k]; k++)
      g_string_append_printf (keys, "%s%s", keys->len > 0 ? " " : "", part->keys[k]);
  return g_string_free (keys, FALSE);
}

static void
append_group (GString *text, guint group)
{
  g_string_append (text, "<child><object class=\"GtkShortcutsGroup\">");
  append_property (text, "title", translate (groups[group].title));
  for (const Shortcut *shortcut = groups[group].shortcuts; !is_last (shortcut); shortcut++)
    {
      g_autofree char *keys = join_keys (shortcut);

      if (!shortcut->title)
        continue;
      g_string_append (text, "<child><object class=\"GtkShortcutsShortcut\">");
      append_property (text, "title", translate (shortcut->title));
      append_property (text, "accelerator", keys);
      g_string_append (text, "</object></child>");
    }
  g_string_append (text, "</object></child>");
}

/* A page has up to two columns, and each group is in one of them: sections of one group are as narrow as possible.
 * @title: (nullable): in the list of sections */
static void
begin_section (GString *text, const char *name, const char *title)
{
  g_string_append (text, "<child><object class=\"GtkShortcutsSection\">");
  append_property (text, "section-name", name);
  if (title)
    append_property (text, "title", title);
  g_string_append_printf (text, "<property name=\"max-height\">%d</property>", MAX_HEIGHT);
}

static void
end_section (GString *text)
{
  g_string_append (text, "</object></child>");
}

/* As text for a builder, since GTK has functions for it from 4.14 on only. */
GtkShortcutsWindow *
capra_shortcuts_window_new (gboolean narrow)
{
  g_autoptr (GString) text = g_string_new ("<interface><object class=\"GtkShortcutsWindow\" id=\"window\">");
  g_autoptr (GtkBuilder) builder = NULL;

  append_property (text, "modal", "True");
  append_property (text, "accessible-role", "dialog"); /* GTK 4.18 gives none, and so no name, to this window */
  append_property (text, "title", _ ("Keyboard Shortcuts"));
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      if (i == 0 || narrow)
        begin_section (text, groups[i].title, narrow ? translate (groups[i].title) : NULL);
      append_group (text, i);
      if (i == G_N_ELEMENTS (groups) - 1 || narrow)
        end_section (text);
    }
  g_string_append (text, "</object></interface>");
  builder = gtk_builder_new_from_string (text->str, -1);
  return g_object_ref (GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "window")));
}
