/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forecast row: the memory that a pipeline needs, and the largest image that fits. */
#include "ui/panel/monitor/forecast-row.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/units.h"
#include "ui/pipeline/graph/forecast.h"
#include "ui/pipeline/graph/graph.h"

struct _CapraForecastRow {
  GtkWidget parent_instance;
  GtkWidget *label;
  CapraStepModel *pipeline;
  CapraPyramid *image;   /* NULL for none */
  GCancellable *running; /* NULL while nothing is computed */
  gboolean outdated;
};

G_DEFINE_FINAL_TYPE (CapraForecastRow, capra_forecast_row, GTK_TYPE_WIDGET)

typedef struct {
  CapraPyramid *image;
  GPtrArray *steps;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  capra_pyramid_unref (request->image);
  g_ptr_array_unref (request->steps);
  g_free (request);
}

static char *
describe (const CapraForecast *forecast)
{
  g_autofree char *needed = capra_units_bytes (forecast->bytes), *budget = capra_units_bytes (forecast->budget);
  const char *device = forecast->device ? capra_device_get_info (forecast->device)->name : NULL;

  if (!device)
    return g_strdup (_ ("This pipeline needs no memory of a device."));
  if (forecast->at_once)
    /* Translators: amounts of memory; the name of a device; a width and a height in pixels */
    return g_strdup_printf (
      _ ("This pipeline needs %s of %s on %s. Images of up to %d × %d pixels are computed at once."), needed, budget,
      device, forecast->width, forecast->height);
  /* Translators: an amount of memory, the one that may be used; the name of a device; a width and a height in pixels */
  return g_strdup_printf (_ ("This pipeline needs %s at once, but may use %s on %s: it is computed in bands. Images of "
                             "up to %d × %d pixels are computed at once."),
                          needed, budget, device, forecast->width, forecast->height);
}

/* In a thread, since operations may read files to find the size of their result, and drivers load slowly. */
static void
compute (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* Operations emit signals through the default main context. The main thread's would emit them during the work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Request *request = data;
  GeglBuffer *image = capra_pyramid_get_buffer (request->image, 0);
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, FALSE);
  CapraForecast forecast;
  GError *error = NULL;

  capra_graph_update (graph, request->steps);
  if (capra_forecast_find (capra_graph_get_root (graph), capra_graph_get_output (graph), gegl_buffer_get_extent (image),
                           &forecast, &error))
    g_task_return_pointer (task, describe (&forecast), g_free);
  else
    g_task_return_error (task, error);
}

static void start (CapraForecastRow *row);

static void
on_computed (GObject *source, GAsyncResult *result, gpointer data)
{
  CapraForecastRow *row = CAPRA_FORECAST_ROW (source);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);

  g_clear_object (&row->running);
  if (!row->label)
    return; /* the view was closed */
  if (text || !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    gtk_label_set_text (GTK_LABEL (row->label), text ? text : error->message);
  start (row);
}

/* Starts the work if somebody sees its result. */
static void
start (CapraForecastRow *row)
{
  gboolean any = row->image && row->pipeline && capra_step_model_get_length (row->pipeline) > 0;
  g_autoptr (GTask) task = NULL;
  Request *request = NULL;

  gtk_widget_set_visible (row->label, any);
  if (!any || !row->outdated || row->running || !gtk_widget_get_mapped (GTK_WIDGET (row)))
    return;
  row->outdated = FALSE;
  row->running = g_cancellable_new ();
  request = g_new0 (Request, 1);
  request->image = capra_pyramid_ref (row->image);
  request->steps = capra_step_model_snapshot (row->pipeline);
  task = g_task_new (row, row->running, on_computed, NULL);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, compute);
}

void
capra_forecast_row_refresh (CapraForecastRow *row)
{
  g_return_if_fail (CAPRA_IS_FORECAST_ROW (row));
  row->outdated = TRUE;
  start (row);
}

void
capra_forecast_row_set_image (CapraForecastRow *row, CapraPyramid *image)
{
  g_return_if_fail (CAPRA_IS_FORECAST_ROW (row));
  g_clear_pointer (&row->image, capra_pyramid_unref);
  row->image = image ? capra_pyramid_ref (image) : NULL;
  if (row->label)
    capra_forecast_row_refresh (row);
}

static void
capra_forecast_row_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (capra_forecast_row_parent_class)->map (widget);
  start (CAPRA_FORECAST_ROW (widget));
}

static void
capra_forecast_row_dispose (GObject *object)
{
  CapraForecastRow *row = CAPRA_FORECAST_ROW (object);

  if (row->running)
    g_cancellable_cancel (row->running);
  g_clear_pointer (&row->image, capra_pyramid_unref);
  g_clear_pointer (&row->label, gtk_widget_unparent);
  g_clear_object (&row->pipeline);
  G_OBJECT_CLASS (capra_forecast_row_parent_class)->dispose (object);
}

static void
capra_forecast_row_class_init (CapraForecastRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_forecast_row_dispose;
  widget_class->map = capra_forecast_row_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
capra_forecast_row_init (CapraForecastRow *row)
{
  row->outdated = TRUE;
  row->label = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (row->label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (row->label), 0);
  gtk_widget_set_tooltip_text (row->label, _ ("What the step that needs most takes. Results that are kept for the next "
                                              "change are freed when their memory is needed."));
  gtk_widget_set_margin_top (row->label, 12);
  gtk_widget_set_margin_start (row->label, 12);
  gtk_widget_set_margin_end (row->label, 12);
  gtk_widget_set_visible (row->label, FALSE);
  gtk_widget_set_parent (row->label, GTK_WIDGET (row));
}

GtkWidget *
capra_forecast_row_new (CapraStepModel *pipeline)
{
  CapraForecastRow *row = g_object_new (CAPRA_TYPE_FORECAST_ROW, NULL);

  row->pipeline = g_object_ref (pipeline);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (capra_forecast_row_refresh), row, G_CONNECT_SWAPPED);
  return GTK_WIDGET (row);
}
