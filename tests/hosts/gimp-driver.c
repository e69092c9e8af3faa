/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives GIMP 2.10: opens its GEGL tool, chooses operations, checks the preview, and applies.
 *
 * Steps in addition to those of driver.h: "operation;Label=value;Label=value", with labels and values as displayed. The
 * step "!operation;device;text" enters a device and waits for a label with the text, an error message. A screenshot is
 * saved as PATH-refused.png. */
#include <string.h>

#include "tests/hosts/driver.h"

static gboolean
is_button (GtkWidget *widget, const char *label)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

/* GIMP's scales are spin buttons that have a property "label". */
static gboolean
is_scale (GtkWidget *widget, const char *label)
{
  g_autofree char *own = NULL;

  if (!driver_is_type (widget, "GimpSpinScale"))
    return FALSE;
  g_object_get (widget, "label", &own, NULL);
  return g_strcmp0 (own, label) == 0;
}

static gboolean
is_entry (GtkWidget *widget, const char *text)
{
  return GTK_IS_ENTRY (widget) && !GTK_IS_SPIN_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && gtk_editable_get_editable (GTK_EDITABLE (widget));
}

static gboolean
is_label (GtkWidget *widget, const char *text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static gboolean
find_row (GtkWidget *combo, const char *text, GtkTreeIter *row)
{
  GtkTreeModel *model = gtk_combo_box_get_model (GTK_COMBO_BOX (combo));

  if (!model || !gtk_tree_model_get_iter_first (model, row))
    return FALSE;
  do
    for (int i = 0; i < gtk_tree_model_get_n_columns (model); i++)
      {
        g_autofree char *shown = NULL;

        if (gtk_tree_model_get_column_type (model, i) != G_TYPE_STRING)
          continue;
        gtk_tree_model_get (model, row, i, &shown, -1);
        if (g_strcmp0 (shown, text) == 0)
          return TRUE;
      }
  while (gtk_tree_model_iter_next (model, row));
  return FALSE;
}

static gboolean
is_choice (GtkWidget *widget, const char *text)
{
  GtkTreeIter row;

  return GTK_IS_COMBO_BOX (widget) && gtk_widget_get_mapped (widget) && find_row (widget, text, &row);
}

static void
choose (GtkWidget *dialog, const char *text)
{
  GtkWidget *combo = driver_wait_for (dialog, is_choice, text);
  GtkTreeIter row;

  find_row (combo, text, &row);
  gtk_combo_box_set_active_iter (GTK_COMBO_BOX (combo), &row);
}

static void
set_values (GtkWidget *dialog, char **values)
{
  for (guint i = 0; values[i]; i++)
    {
      g_auto (GStrv) pair = g_strsplit (values[i], "=", 2);

      if (pair[1] && g_ascii_isdigit (*pair[1]))
        gtk_spin_button_set_value (GTK_SPIN_BUTTON (driver_wait_for (dialog, is_scale, pair[0])),
                                   g_ascii_strtod (pair[1], NULL));
      else
        choose (dialog, pair[1] ? pair[1] : pair[0]);
      driver_wait_until_quiet ();
    }
}

static GtkWidget *
open_tool (GtkWidget *window, const char *operation)
{
  GtkWidget *dialog = NULL;

  driver_activate (window, "tools-gegl");
  dialog = driver_wait_for_window ("gimp-gegl-tool", "");
  gtk_window_move (GTK_WINDOW (dialog), DRIVER_DIALOG_X, 20);
  choose (dialog, operation);
  driver_wait_until_quiet ();
  return dialog;
}

/* An operation that fails shows the reason, and the image is unchanged. */
static void
check_failure (GtkWidget *window, GtkWidget *canvas, const char *step)
{
  g_auto (GStrv) words = g_strsplit (step, ";", 3);
  g_autoptr (GdkPixbuf) before = NULL, during = NULL;
  GtkWidget *dialog = NULL, *entry = NULL;

  driver_wait_until_quiet ();
  before = driver_look_at (canvas);
  dialog = open_tool (window, words[0]);
  entry = driver_wait_for (dialog, is_entry, "entry");
  gtk_entry_set_text (GTK_ENTRY (entry), words[1]);
  gtk_widget_activate (entry);
  driver_wait_for (dialog, is_label, words[2]);
  during = driver_wait_for_look (canvas, before, TRUE, "a failed operation changes the image");
  driver_save_screen ("-refused");
  gtk_button_clicked (GTK_BUTTON (driver_wait_for (dialog, is_button, "_Cancel")));
  driver_wait_until_quiet ();
}

/* Applies one operation after switching its preview on, off and on again. */
static void
apply (GtkWidget *window, GtkWidget *canvas, const char *step)
{
  g_auto (GStrv) words = g_strsplit (step, ";", 0);
  g_autoptr (GdkPixbuf) before = NULL, preview = NULL, off = NULL, on = NULL, after = NULL;
  GtkWidget *dialog = NULL, *toggle = NULL;

  driver_wait_until_quiet ();
  before = driver_look_at (canvas);
  dialog = open_tool (window, words[0]);
  set_values (dialog, words + 1);
  toggle = driver_wait_for (dialog, is_button, "_Preview");
  preview = driver_wait_for_look (canvas, before, FALSE, "the preview does not change the image");

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), FALSE);
  off = driver_wait_for_look (canvas, before, TRUE, "without the preview the image differs from the original");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), TRUE);
  on = driver_wait_for_look (canvas, preview, TRUE, "the second preview differs from the first");
  driver_save_screen ("");
  gtk_button_clicked (GTK_BUTTON (driver_wait_for (dialog, is_button, "_OK")));
  after = driver_wait_for_look (canvas, preview, TRUE, "the applied image differs from the preview");
  if (driver_find_window ("gimp-gegl-tool", ""))
    driver_fail ("the tool's window is still open");
}

static gboolean
drive (gpointer data)
{
  g_auto (GStrv) steps = g_strsplit (g_getenv ("CAPRA_DRIVER_STEPS"), "|", 0);
  GtkWidget *window = NULL;
  GtkWidget *canvas = driver_prepare (&window);

  for (guint i = 0; steps[i]; i++)
    if (*steps[i] == '!')
      check_failure (window, canvas, steps[i] + 1);
    else if (*steps[i] == '@')
      driver_run_plug_in (window, canvas, steps[i] + 1);
    else
      apply (window, canvas, steps[i]);
  driver_end (window);
  return G_SOURCE_REMOVE;
}

G_MODULE_EXPORT void
gtk_module_init (gint *argc, gchar ***argv)
{
  driver_start (drive);
}
