/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-entry: a spin button that displays large numbers as 1e+10 and the maximum as ∞. */
#include "ui/panel/steps/editors/number-entry.h"

#include <math.h>
#include <string.h>

#define INFINITE "∞"
#define LARGE 1e6 /* numbers of more digits do not fit into the entry */

static gboolean
is_maximum (GtkSpinButton *spin, double number)
{
  return number >= gtk_adjustment_get_upper (gtk_spin_button_get_adjustment (spin));
}

static gboolean
on_output (GtkSpinButton *spin, gpointer data)
{
  double number = gtk_spin_button_get_value (spin);
  g_autofree char *text = NULL;

  if (fabs (number) < LARGE)
    return FALSE;
  text = is_maximum (spin, number) ? g_strdup (INFINITE) : g_strdup_printf ("%.4g", number);
  if (strcmp (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
on_input (GtkSpinButton *spin, double *number, gpointer data)
{
  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (spin)), INFINITE) != 0)
    return FALSE;
  *number = gtk_adjustment_get_upper (gtk_spin_button_get_adjustment (spin));
  return TRUE;
}

void
capra_number_entry_take (CapraEditor *editor, double number)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (capra_editor_get_property (editor)));
  capra_number_set (&value, number);
  capra_editor_take_value (editor, &value);
}

static void
on_number (CapraEditor *editor, GtkAdjustment *adjustment)
{
  capra_number_entry_take (editor, gtk_adjustment_get_value (adjustment));
}

GtkWidget *
capra_number_entry_new (CapraEditor *editor, const CapraNumberRange *range, int width)
{
  gboolean integer = !G_IS_PARAM_SPEC_DOUBLE (capra_editor_get_property (editor));
  GtkAdjustment *adjustment = gtk_adjustment_new (range->minimum, range->minimum, range->maximum, range->step,
                                                  range->page, 0.0);
  GtkWidget *spin = gtk_spin_button_new (adjustment, range->step, (guint) range->digits);

  gtk_editable_set_width_chars (GTK_EDITABLE (spin), width);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), width);
  if (range->maximum > LARGE && !integer)
    {
      g_signal_connect (spin, "output", G_CALLBACK (on_output), NULL);
      g_signal_connect (spin, "input", G_CALLBACK (on_input), NULL);
    }
  else
    gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (spin, "numeric");
  capra_editor_ignore_wheel (spin);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (on_number), editor, G_CONNECT_SWAPPED);
  capra_editor_set_control (editor, spin);
  return spin;
}
