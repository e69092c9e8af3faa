/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-forecast: prints the memory that a batch will need, without processing it. */
#include "ui/cli/run/run-forecast.h"

#include <stdio.h>

#include "ui/cli/run/items.h"
#include "ui/pipeline/read/frames.h"
#include "ui/pipeline/read/image-file.h"

#define MIB 1048576.0

/* (transfer full) */
static GeglBuffer *
load (const RunBatch *batch, const RunItem *item, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (item->input);
  gboolean raw = run_graph_is_data (batch->graph);
  CapraFrame frame = { item->input, batch->dataset, NULL, item->frame };
  CapraImage *image = capra_frames_is_chosen (&frame) ? capra_frames_load (&frame, raw, NULL, NULL, error)
                      : raw                           ? capra_raw_values_load_sized (file, NULL, NULL, error)
                                                      : capra_image_load_sized (file, NULL, NULL, NULL, error);
  GeglBuffer *buffer = image ? g_object_ref (image->buffer) : NULL;

  g_clear_pointer (&image, capra_image_free);
  return buffer;
}

static void
print (const char *name, const CapraForecast *forecast)
{
  if (!forecast->device)
    printf ("%s: needs no memory of a device\n", name);
  else
    printf ("%s: needs %.2f MiB of %.2f MiB on %s%s; images of up to %d x %d are computed at once\n", name,
            (double) forecast->bytes / MIB, (double) forecast->budget / MIB,
            capra_device_get_info (forecast->device)->name, forecast->at_once ? "" : ", so it is computed in bands",
            forecast->width, forecast->height);
}

gboolean
run_forecast_print (const RunBatch *batch)
{
  gboolean good = TRUE;

  for (guint i = batch->first; i < batch->end; i++)
    {
      const RunItem *item = &g_array_index (batch->items, RunItem, i);
      g_autofree char *name = item->input ? run_item_dup_name (item) : g_strdup ("the graph");
      g_autoptr (GError) error = NULL;
      g_autoptr (GeglBuffer) image = item->input ? load (batch, item, &error) : NULL;
      CapraForecast forecast;

      if (item->value >= 0)
        run_values_apply (batch->values, (guint) item->value, batch->graph);
      if (!error && run_graph_forecast (batch->graph, image, &forecast, &error))
        print (name, &forecast);
      if (error)
        fprintf (stderr, "capra run: %s\n", error->message);
      good = good && !error;
    }
  return good;
}
