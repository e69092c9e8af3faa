/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor: the widgets that show and change one property. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _CapraEditor CapraEditor;

/**
 * CapraEditor:
 * @beside: (nullable): stands right of the property's name
 * @below: (nullable): stands below, as wide as the row
 * @show: shows a value; does not call @changed
 * @changed: called by the editor when the person chose a value
 */
struct _CapraEditor {
  GParamSpec *property;
  GtkWidget *beside, *below;
  void (*show) (CapraEditor *editor, const GValue *value);
  void (*changed) (CapraEditor *editor, const GValue *value, gpointer data);
  gpointer data;
  gboolean showing; /* widgets that change meanwhile do so because they are told to */
  /* For the kinds: */
  GtkAdjustment *number, *slider;
  GtkWidget *widget;
  GStrv names;
};

/* The kind that fits @property. */
CapraEditor *capra_editor_new (GParamSpec *property);
void capra_editor_free (CapraEditor *editor);

void capra_editor_show (CapraEditor *editor, const GValue *value);

/* For the kinds: */
void capra_editor_take (CapraEditor *editor, const GValue *value);
void capra_editor_take_text (CapraEditor *editor, const char *text);
void capra_editor_init_number (CapraEditor *editor);
void capra_editor_init_seed (CapraEditor *editor);
void capra_editor_init_choice (CapraEditor *editor);
void capra_editor_init_device (CapraEditor *editor);
void capra_editor_init_curve (CapraEditor *editor);
void capra_editor_init_text (CapraEditor *editor);
void capra_editor_init_file (CapraEditor *editor);

/* The wheel over @widget is for the list that it stands in; it must not change values in passing. */
void capra_editor_ignore_wheel (GtkWidget *widget);
/* "px", "°" and the like, "" if there is none. */
const char *capra_property_get_unit (GParamSpec *property);

G_END_DECLS
