/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-status: the strip below the image: what is under the pointer, the scale, the time. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "capra.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/panel/window/window-private.h"

#define LOOK 200                             /* ms between two looks at what is being prepared */
#define SETTLED (5 * G_TIME_SPAN_SECOND)     /* after a change work has begun, if there is any */
#define SLOW (600 * G_TIME_SPAN_MILLISECOND) /* after that people look for a sign of progress */

void
capra_panel_window_update_view (CapraPanelWindow *self)
{
  double percent = capra_canvas_get_scale (self->canvas) * 100.0;
  g_autofree char *text = percent < 9.95 ? g_strdup_printf ("%.1f %%", percent) : g_strdup_printf ("%.0f %%", percent);

  gtk_menu_button_set_label (self->zoom_button, text);
}

static void
append_values (GString *text, const CapraProbe *probe, gboolean data)
{
  if (probe->label)
    {
      g_string_append_printf (text, _ ("Region %.0f"), probe->values[0]);
      return;
    }
  for (guint i = 0; i < probe->count; i++)
    g_string_append_printf (text,
                            data            ? "%s%.8g"
                            : probe->floats ? "%s%.4f"
                                            : "%s%.0f",
                            i ? "  " : "", probe->values[i]);
}

void
capra_panel_window_update_pointer (CapraPanelWindow *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  CapraProbe before, after;
  int x, y;

  if (!self->image || !capra_canvas_get_pointer (self->canvas, &x, &y))
    {
      gtk_label_set_text (self->pointer_text, "");
      return;
    }
  capra_probe_buffer (self->image, x, y, &before);
  capra_preview_get_probe (self->after, &after);
  g_string_append_printf (text, "%d, %d    ", x, y);
  append_values (text, &before, capra_raw_values_get (self->image) != NULL);
  if (after.x != x || after.y != y)
    capra_preview_probe (self->after, x, y);
  else if (after.count > 0 && capra_step_model_get_length (self->pipeline) > 0)
    {
      g_string_append (text, "  →  ");
      append_values (text, &after, capra_raw_values_get (self->image) != NULL);
    }
  gtk_label_set_text (self->pointer_text, text->str);
}

const char *
capra_panel_window_get_preparation (void)
{
  return capra_counters_get_active_builds () > 0 ? _ ("Preparing kernels for this device (first use)") : NULL;
}

static gboolean
on_look (gpointer data)
{
  CapraPanelWindow *self = data;

  self->looking = 0;
  capra_panel_window_update_status (self);
  return G_SOURCE_REMOVE;
}

void
capra_panel_window_watch_status (CapraPanelWindow *self)
{
  if (!self->looking)
    self->looking = g_timeout_add (LOOK, on_look, self);
}

void
capra_panel_window_update_status (CapraPanelWindow *self)
{
  CapraPreviewStatus status;
  const char *preparation = NULL;
  g_autofree char *time = NULL;
  double ms;
  gboolean slow;

  if (!self->after)
    return;
  capra_preview_get_status (self->after, &status);
  ms = status.final_ms >= 0.0 ? status.final_ms : status.first_ms;
  if (capra_step_model_get_length (self->pipeline) > 0 && ms >= 0.0)
    time = ms < 10000.0 ? g_strdup_printf (_ ("%.0f ms"), ms) : g_strdup_printf (_ ("%.1f s"), ms / 1000.0);
  preparation = capra_panel_window_get_preparation ();
  gtk_label_set_text (self->time_text, preparation ? preparation : time ? time : "");
  if (status.busy || preparation || g_get_monotonic_time () - self->changed_at < SETTLED)
    capra_panel_window_watch_status (self);
  gtk_spinner_set_spinning (self->spinner, status.busy);
  slow = status.busy && status.first_ms >= 0.0 && g_get_monotonic_time () - self->changed_at > SLOW;
  gtk_widget_set_visible (GTK_WIDGET (self->progress), slow);
  gtk_progress_bar_set_fraction (self->progress, CLAMP (status.progress, 0.0, 1.0));
  capra_panel_window_finish_timing (self, &status);
  if (!status.busy)
    capra_panel_window_update_pointer (self); /* other steps give other values where it rests */
}
