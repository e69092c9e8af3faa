/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor-number: a slider over the range that people use, and an entry for all that is allowed. */
#include <gegl-paramspecs.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/panel/steps/editor.h"

#define WIDEST_SLIDER 1e8

typedef struct {
  double low, high;       /* allowed */
  double ui_low, ui_high; /* of the slider */
  double gamma, step, page;
  int digits;
} Range;

static void
get_default_steps (Range *range, gboolean whole)
{
  double span = range->ui_high - range->ui_low;

  range->digits = whole || span > 5000.0 ? 0 : span > 500.0 ? 1 : span > 50.0 ? 2 : 3;
  range->step = whole ? 1.0 : pow (10.0, -range->digits) * (span > 5.0 ? 10.0 : 1.0);
  range->page = isfinite (span) ? CLAMP (span / 10.0, range->step, 1e6) : 100.0 * range->step;
  range->gamma = 1.0;
}

static void
get_range (GParamSpec *property, Range *range)
{
  if (G_IS_PARAM_SPEC_DOUBLE (property))
    {
      range->low = range->ui_low = G_PARAM_SPEC_DOUBLE (property)->minimum;
      range->high = range->ui_high = G_PARAM_SPEC_DOUBLE (property)->maximum;
    }
  else if (G_IS_PARAM_SPEC_INT (property))
    {
      range->low = range->ui_low = G_PARAM_SPEC_INT (property)->minimum;
      range->high = range->ui_high = G_PARAM_SPEC_INT (property)->maximum;
    }
  else
    {
      range->low = range->ui_low = G_PARAM_SPEC_UINT (property)->minimum;
      range->high = range->ui_high = G_PARAM_SPEC_UINT (property)->maximum;
    }
  if (GEGL_IS_PARAM_SPEC_DOUBLE (property))
    {
      range->ui_low = GEGL_PARAM_SPEC_DOUBLE (property)->ui_minimum;
      range->ui_high = GEGL_PARAM_SPEC_DOUBLE (property)->ui_maximum;
    }
  else if (GEGL_IS_PARAM_SPEC_INT (property))
    {
      range->ui_low = GEGL_PARAM_SPEC_INT (property)->ui_minimum;
      range->ui_high = GEGL_PARAM_SPEC_INT (property)->ui_maximum;
    }
  range->ui_low = CLAMP (range->ui_low, range->low, range->high);
  range->ui_high = CLAMP (range->ui_high, range->low, range->high);
  get_default_steps (range, !G_IS_PARAM_SPEC_DOUBLE (property));
  if (GEGL_IS_PARAM_SPEC_DOUBLE (property))
    {
      GeglParamSpecDouble *own = GEGL_PARAM_SPEC_DOUBLE (property);

      range->gamma = own->ui_gamma > 0.0 ? own->ui_gamma : 1.0;
      range->step = own->ui_step_small > 0.0 ? own->ui_step_small : range->step;
      range->page = own->ui_step_big > 0.0 ? own->ui_step_big : range->page;
      range->digits = own->ui_digits >= 0 ? (int) MIN ((int) own->ui_digits, 6) : range->digits;
    }
  else if (GEGL_IS_PARAM_SPEC_INT (property) && GEGL_PARAM_SPEC_INT (property)->ui_gamma > 0.0)
    range->gamma = GEGL_PARAM_SPEC_INT (property)->ui_gamma;
}

/* The slider runs from 0 to 1; small values get more room where gamma is above 1. */
static double
to_slider (const Range *range, double number)
{
  double span = range->ui_high - range->ui_low;
  double part = span > 0.0 ? (number - range->ui_low) / span : 0.0;

  return pow (CLAMP (part, 0.0, 1.0), 1.0 / range->gamma);
}

static double
from_slider (const Range *range, double place)
{
  double number = range->ui_low + pow (place, range->gamma) * (range->ui_high - range->ui_low);
  double unit = pow (10.0, -range->digits);

  return CLAMP (round (number / unit) * unit, range->low, range->high);
}

static double
read_number (const GValue *value)
{
  if (G_VALUE_HOLDS_DOUBLE (value))
    return g_value_get_double (value);
  return G_VALUE_HOLDS_INT (value) ? (double) g_value_get_int (value) : (double) g_value_get_uint (value);
}

static void
take_number (CapraEditor *editor, double number)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (editor->property));
  if (G_VALUE_HOLDS_DOUBLE (&value))
    g_value_set_double (&value, number);
  else if (G_VALUE_HOLDS_INT (&value))
    g_value_set_int (&value, (int) lround (number));
  else
    g_value_set_uint (&value, (guint) lround (number));
  capra_editor_take (editor, &value);
}

static void
show_number (CapraEditor *editor, const GValue *value)
{
  double number = read_number (value);
  Range range;

  get_range (editor->property, &range);
  gtk_adjustment_set_value (editor->number, number);
  if (editor->slider)
    gtk_adjustment_set_value (editor->slider, to_slider (&range, number));
}

static void
on_number (GtkAdjustment *adjustment, gpointer data)
{
  CapraEditor *editor = data;

  if (!editor->showing)
    take_number (editor, gtk_adjustment_get_value (adjustment));
}

static void
on_slider (GtkAdjustment *adjustment, gpointer data)
{
  CapraEditor *editor = data;
  Range range;

  if (editor->showing)
    return;
  get_range (editor->property, &range);
  take_number (editor, from_slider (&range, gtk_adjustment_get_value (adjustment)));
}

/* The largest number allowed stands for "no end". */
static gboolean
is_endless (GtkSpinButton *spin, double number)
{
  return number >= gtk_adjustment_get_upper (gtk_spin_button_get_adjustment (spin));
}

/* Digits by the dozen would not fit: 1e+10. */
static gboolean
on_output (GtkSpinButton *spin, gpointer data)
{
  double number = gtk_spin_button_get_value (spin);
  g_autofree char *text = NULL;

  if (fabs (number) < 1e6)
    return FALSE;
  text = is_endless (spin, number) ? g_strdup ("∞") : g_strdup_printf ("%.4g", number);
  if (strcmp (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
on_input (GtkSpinButton *spin, double *number, gpointer data)
{
  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (spin)), "∞") != 0)
    return FALSE;
  *number = gtk_adjustment_get_upper (gtk_spin_button_get_adjustment (spin));
  return TRUE;
}

static GtkWidget *
make_entry (CapraEditor *editor, const Range *range)
{
  GtkWidget *spin;

  editor->number = gtk_adjustment_new (range->low, range->low, range->high, range->step, range->page, 0.0);
  spin = gtk_spin_button_new (editor->number, range->step, (guint) range->digits);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 7);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), 7);
  if (range->high > 1e6 && G_IS_PARAM_SPEC_DOUBLE (editor->property))
    {
      g_signal_connect (spin, "output", G_CALLBACK (on_output), NULL);
      g_signal_connect (spin, "input", G_CALLBACK (on_input), NULL);
    }
  else
    gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (spin, "numeric");
  capra_editor_ignore_wheel (spin);
  g_signal_connect (editor->number, "value-changed", G_CALLBACK (on_number), editor);
  editor->show = show_number;
  return spin;
}

void
capra_editor_init_number (CapraEditor *editor)
{
  Range range;
  GtkWidget *scale;

  get_range (editor->property, &range);
  editor->beside = editor->widget = make_entry (editor, &range);
  if (!(range.ui_high - range.ui_low < WIDEST_SLIDER))
    return; /* anything goes: no slider could reach it */
  editor->slider = gtk_adjustment_new (0.0, 0.0, 1.0, 0.01, 0.1, 0.0);
  scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, editor->slider);
  gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
  gtk_range_set_round_digits (GTK_RANGE (scale), -1);
  gtk_widget_set_hexpand (scale, TRUE);
  capra_editor_ignore_wheel (scale);
  g_signal_connect (editor->slider, "value-changed", G_CALLBACK (on_slider), editor);
  editor->below = scale;
}

static void
on_dice (GtkButton *button, gpointer data)
{
  take_number (data, g_random_int_range (0, G_MAXINT32));
}

void
capra_editor_init_seed (CapraEditor *editor)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *dice = gtk_button_new_from_icon_name ("media-playlist-shuffle-symbolic");
  Range range;

  get_range (editor->property, &range);
  editor->widget = make_entry (editor, &range);
  gtk_editable_set_width_chars (GTK_EDITABLE (editor->widget), 10);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (editor->widget), 10);
  gtk_widget_set_tooltip_text (dice, _ ("Another random seed"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (dice), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Another random seed"), -1);
  gtk_widget_set_valign (dice, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (dice, "flat");
  g_signal_connect (dice, "clicked", G_CALLBACK (on_dice), editor);
  gtk_box_append (GTK_BOX (box), editor->widget);
  gtk_box_append (GTK_BOX (box), dice);
  editor->beside = box;
}
