/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor: base class of the widgets that show and edit the value of one property. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define CAPRA_TYPE_EDITOR (capra_editor_get_type ())
G_DECLARE_DERIVABLE_TYPE (CapraEditor, capra_editor, CAPRA, EDITOR, GtkBox)

/**
 * CapraEditor:
 *
 * A line with the header and small controls; wide controls are below it.
 *
 * Properties: "property" (GParamSpec, construct-only): the property to edit; "value" (GValue): its value, notified when
 * the user edits it and when it is set; "header" (GtkWidget): the start of the line, such as the property's name.
 */

/**
 * CapraEditorClass:
 * @show: updates the controls to show @value
 *
 * A subclass creates its controls in constructed(), after chaining up. Signals of the controls during @show are
 * ignored.
 */
struct _CapraEditorClass {
  GtkBoxClass parent_class;
  void (*show) (CapraEditor *editor, const GValue *value);
};

GParamSpec *capra_editor_get_property (CapraEditor *editor);
const GValue *capra_editor_get_value (CapraEditor *editor);
void capra_editor_set_value (CapraEditor *editor, const GValue *value);
void capra_editor_set_header (CapraEditor *editor, GtkWidget *header);
/* (nullable) (transfer none): the main control: a GtkSpinButton, GtkSwitch, GtkDropDown, … */
GtkWidget *capra_editor_get_control (CapraEditor *editor);
/* (nullable): what the editor says about the text that the user has entered. */
const char *capra_editor_get_message (CapraEditor *editor);

/* For subclasses: */

/* Adds a control to the line. */
void capra_editor_add_beside (CapraEditor *editor, GtkWidget *widget);
/* Adds a control below the line, as wide as the editor. */
void capra_editor_add_below (CapraEditor *editor, GtkWidget *widget);
/* Gives @control the property's name and description for assistive technologies. */
void capra_editor_set_control (CapraEditor *editor, GtkWidget *control);
/* The user edited the value. */
void capra_editor_take_value (CapraEditor *editor, const GValue *value);
/* Shows @message (nullable) below the controls. */
void capra_editor_set_message (CapraEditor *editor, const char *message);
/* Marks the control, and shows the message of @error; %NULL if what it contains is valid. */
void capra_editor_set_error (CapraEditor *editor, const GError *error);
/* The user edited the value as text. If @text is not a valid value, the control is marked, the reason is shown, and the
 * value is unchanged. */
void capra_editor_take_text (CapraEditor *editor, const char *text);
/* Scrolling over @widget scrolls the list of steps and does not change a value by accident. */
void capra_editor_ignore_wheel (GtkWidget *widget);

G_END_DECLS
