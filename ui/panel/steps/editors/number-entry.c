/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-entry: a spin button that displays large numbers as 1e+10, and open ends of the range as ∞, and names the
 * range if a number is out of it. */
#include "ui/panel/steps/editors/number-entry.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/pipeline/text/value-text.h"

#define INFINITE "∞"
#define LARGE 1e6 /* numbers of more digits do not fit into the entry */

/* (nullable): the text of a limit, %NULL for other numbers */
static const char *
describe_limit (GtkSpinButton *spin, double number, gboolean unlimited)
{
  GtkAdjustment *adjustment = gtk_spin_button_get_adjustment (spin);

  if ((unlimited && number == 0.0) || (number >= LARGE && number >= gtk_adjustment_get_upper (adjustment)))
    return INFINITE;
  return number <= -LARGE && number <= gtk_adjustment_get_lower (adjustment) ? "−" INFINITE : NULL;
}

/* (nullable): how the value is shown; %NULL as usual */
static char *
format (GtkSpinButton *spin, gboolean unlimited)
{
  double number = gtk_spin_button_get_value (spin);
  const char *limit = describe_limit (spin, number, unlimited);

  if (limit)
    return g_strdup (limit);
  return fabs (number) < LARGE ? NULL : g_strdup_printf ("%.4g", number);
}

static gboolean
on_output (GtkSpinButton *spin, gpointer unlimited)
{
  g_autofree char *text = format (spin, GPOINTER_TO_INT (unlimited));

  if (text && strcmp (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return text != NULL;
}

static int
on_input (GtkSpinButton *spin, double *number, gpointer unlimited)
{
  GtkAdjustment *adjustment = gtk_spin_button_get_adjustment (spin);
  g_autofree char *shown = format (spin, GPOINTER_TO_INT (unlimited));
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));

  if (g_strcmp0 (text, shown) == 0)
    *number = gtk_spin_button_get_value (spin); /* the text may have fewer digits */
  else if (strcmp (text, INFINITE) == 0)
    *number = GPOINTER_TO_INT (unlimited) ? 0.0 : gtk_adjustment_get_upper (adjustment);
  else if (strcmp (text, "−" INFINITE) == 0 || strcmp (text, "-" INFINITE) == 0)
    *number = gtk_adjustment_get_lower (adjustment);
  else
    return FALSE;
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

/* GTK replaces a number out of range by the nearest limit. This says why. */
static int
on_range_input (GtkSpinButton *spin, double *number, gpointer data)
{
  CapraEditor *editor = data;
  GtkAdjustment *adjustment = gtk_spin_button_get_adjustment (spin);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));
  char *end = NULL;
  double entered = g_strtod (text, &end);
  double rounding = 0.5 * pow (10.0, -(double) gtk_spin_button_get_digits (spin));
  g_autofree char *message = NULL;

  if (end != text
      && (entered < gtk_adjustment_get_lower (adjustment) - rounding
          || entered > gtk_adjustment_get_upper (adjustment) + rounding))
    {
      g_autofree char *range = capra_value_describe_range (capra_editor_get_property (editor));

      /* Translators: %s is "from 0 to 100" or "at least 0" */
      message = g_strdup_printf (_ ("The value must be %s"), range);
    }
  capra_editor_set_message (editor, message);
  return FALSE;
}

/* The message stays with the limit that has replaced the number. */
static void
on_number (CapraEditor *editor, GtkAdjustment *adjustment)
{
  double number = gtk_adjustment_get_value (adjustment);

  if (number > gtk_adjustment_get_lower (adjustment) && number < gtk_adjustment_get_upper (adjustment))
    capra_editor_set_message (editor, NULL);
  capra_number_entry_take (editor, number);
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
  g_signal_connect_object (spin, "input", G_CALLBACK (on_range_input), editor, 0);
  if (range->unlimited || (!integer && (range->maximum > LARGE || range->minimum < -LARGE)))
    {
      g_signal_connect (spin, "output", G_CALLBACK (on_output), GINT_TO_POINTER (range->unlimited));
      g_signal_connect (spin, "input", G_CALLBACK (on_input), GINT_TO_POINTER (range->unlimited));
      gtk_spin_button_update (GTK_SPIN_BUTTON (spin)); /* shows the initial value so, too */
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
