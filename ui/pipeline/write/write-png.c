/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-png: writes PNG with the pipeline, the devices and the timings as text. */
#include "ui/pipeline/write/save-private.h"

#include <string.h>

#include "capra.h"
#include "ui/pipeline/write/raw-result.h"
#include "ui/pipeline/graph/display.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/text/raw-mark.h"
#include "ui/pipeline/read/original.h"
#include "ui/pipeline/read/png-chunks.h"
#include "ui/pipeline/write/png-writer.h"

typedef struct {
  CapraSaving *saving;
  const Babl *format;
  CapraRawResult *raw; /* NULL for colors */
} Writing;

static gboolean
get_rows (int y, int rows, gpointer pixels, gpointer data, GError **error)
{
  Writing *writing = data;

  if (writing->raw)
    return capra_raw_result_get_rows (y, rows, pixels, writing->raw, error);
  if (capra_format_is_labels (writing->format))
    return capra_saving_render_labels (writing->saving, y, rows, pixels, error);
  return capra_saving_render (writing->saving, y, rows, writing->format, pixels, GEGL_AUTO_ROWSTRIDE, error);
}

/* The model of the result with *@bits bits; the numbers of labels have 16 bits. */
static const Babl *
choose_format (const Babl *own, gboolean colors, int *bits, int *channels)
{
  static const char *const names[] = { "Y'", "Y'A", "R'G'B'", "R'G'B'A" };
  gboolean alpha = babl_format_has_alpha (own);
  gboolean gray = babl_format_get_n_components (own) - alpha == 1 && !babl_format_is_palette (own);
  g_autofree char *name = NULL;

  *channels = (gray && !(colors && capra_format_is_labels (own)) ? 1 : 3) + alpha;
  if (capra_format_is_labels (own) && !colors)
    {
      *bits = 16;
      return own;
    }
  name = g_strdup_printf ("%s u%d", names[*channels - 1], *bits);
  return babl_format (name);
}

static GHashTable *
new_text (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static GHashTable *
describe_graph (CapraSaving *saving)
{
  gboolean data = capra_graph_get_raw_values (saving->graph) != NULL;
  char *xml = capra_steps_to_xml (saving->steps);
  char *original = saving->steps->len > 0 ? capra_original_describe (capra_graph_get_source (saving->graph)) : NULL;
  GHashTable *text = new_text ();

  g_hash_table_insert (text, g_strdup ("Software"), g_strdup ("Capra " CAPRA_VERSION));
  if (original)
    g_hash_table_insert (text, g_strdup (CAPRA_PNG_ORIGINAL), original);
  if (saving->steps->len > 0 || data)
    g_hash_table_insert (text, g_strdup (CAPRA_PNG_GRAPH), data ? capra_text_mark_raw_values (xml) : xml);
  else
    g_free (xml);
  return text;
}

/* The devices that have rendered the file, one per line. */
static char *
name_devices (CapraTimelineScope *scope)
{
  g_autoptr (GArray) records = capra_timeline_scope_records (scope);
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < records->len; i++)
    {
      CapraDevice *device = g_array_index (records, CapraRecord, i).device;
      const CapraDeviceInfo *info = capra_device_get_info (device);

      if (g_ptr_array_find (named, device, NULL))
        continue;
      g_ptr_array_add (named, device);
      g_string_append_printf (names, "%s%s; %s; %s; %s", names->len > 0 ? "\n" : "", info->name, info->platform_name,
                              info->driver, info->id);
    }
  return g_string_free (names, FALSE);
}

/* Text that is known only after all rows have been rendered. */
static GHashTable *
describe_timings (gpointer data)
{
  Writing *writing = data;
  CapraSaving *saving = writing->saving;
  GPtrArray *steps = saving->steps;
  double wall = (double) (g_get_monotonic_time () - saving->started) * 1e-3;
  GHashTable *text = new_text ();
  gboolean capra = FALSE;

  for (guint i = 0; i < steps->len; i++)
    capra |= g_str_has_prefix (capra_step_get_operation (steps->pdata[i]), "capra:");
  if (capra)
    {
      g_hash_table_insert (text, g_strdup (CAPRA_PNG_DEVICE), name_devices (saving->scope));
      g_hash_table_insert (text, g_strdup (CAPRA_PNG_TIMINGS), capra_timeline_scope_to_json (saving->scope, wall));
    }
  return text;
}

gboolean
capra_write_png (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  int bits = saving->bits, channels;
  g_autoptr (GHashTable) text = describe_graph (saving);
  Writing writing = { saving,
                      choose_format (capra_graph_get_format (saving->graph), saving->colors, &bits, &channels) };

  return capra_png_write (file, saving->bounds.width, saving->bounds.height, channels, bits, TRUE, text, get_rows,
                          describe_timings, &writing, error);
}

gboolean
capra_write_raw_png (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  g_autoptr (GHashTable) text = describe_graph (saving);
  g_auto (CapraRawResult) result = { .buffer = NULL };
  Writing writing = { .saving = saving, .raw = &result };

  return capra_raw_result_compute (&result, saving, "png", error)
         && capra_png_write (file, result.layout.width, result.layout.height, result.layout.channels,
                             8 * (int) capra_sample_type_get_size (result.layout.type), FALSE, text, get_rows,
                             describe_timings, &writing, error);
}
