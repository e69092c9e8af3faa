/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items: what a batch processes one by one. */
#include "ui/cli/run/items.h"

#include <string.h>

#include "ui/batch/journal.h"
#include "ui/pipeline/read/frames.h"

static void
clear_item (gpointer item)
{
  g_free (((RunItem *) item)->output);
}

static gboolean
fail_range (const char *text, GError **error)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "--frames: \"%s\" is not a range of frames; use all, a number from 0, FIRST-LAST, FIRST- or "
               "FIRST-LAST:STEP",
               text);
  return FALSE;
}

static gboolean
read_number (const char *text, guint64 min, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, min, G_MAXINT32, number, NULL);
}

gboolean
run_items_parse_range (const char *text, guint64 count, guint64 *first, guint64 *last, guint64 *step, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2), ends = NULL;

  *first = 0;
  *last = count > 0 ? count - 1 : 0;
  *step = 1;
  if (strcmp (text, "all") == 0)
    return TRUE;
  if (!parts[0] || (parts[1] && !read_number (parts[1], 1, step)))
    return fail_range (text, error);
  ends = g_strsplit (parts[0], "-", 2);
  if (!ends[0] || !read_number (ends[0], 0, first))
    return fail_range (text, error);
  if (!ends[1])
    *last = *first;
  else if (*ends[1] && (!read_number (ends[1], 0, last) || *last < *first))
    return fail_range (text, error);
  return TRUE;
}

/* One item for each value, or one. */
static gboolean
add_source (GArray *items, RunItem item, guint values, GError **error)
{
  item.source = items->len > 0 ? g_array_index (items, RunItem, items->len - 1).source + 1 : 0;
  if ((guint64) items->len + MAX (values, 1) > CAPRA_MAX_ITEMS)
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "the batch has too many items");
      return FALSE;
    }
  for (guint i = 0; i < MAX (values, 1); i++)
    {
      item.value = values > 0 ? (gint) i : -1;
      g_array_append_val (items, item);
    }
  return TRUE;
}

static gboolean
add_frames (GArray *items, RunItem item, const RunItemsOptions *options, GError **error)
{
  guint64 count = capra_frames_count (item.input, options->dataset, NULL), first, last, step;

  if (!run_items_parse_range (options->frames, count, &first, &last, &step, error))
    return FALSE;
  item.frames = (gint64) MAX (count, 1);
  if (count == 0) /* loading it will fail, with the reason */
    last = first;
  else if (first >= count || (last >= count && !g_str_has_suffix (options->frames, "-")))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "--frames=%s: the last frame of %s is %" G_GUINT64_FORMAT, options->frames, item.input, count - 1);
      return FALSE;
    }
  for (guint64 frame = first; frame <= last; frame += step)
    {
      item.frame = (gint64) frame;
      if (!add_source (items, item, options->values, error))
        return FALSE;
    }
  return TRUE;
}

GArray *
run_items_new (const RunItemsOptions *options, GError **error)
{
  g_autoptr (GArray) items = g_array_new (FALSE, TRUE, sizeof (RunItem));
  guint count = g_strv_length (options->inputs);

  g_array_set_clear_func (items, clear_item);
  for (guint i = 0; i < MAX (count, 1); i++)
    {
      RunItem item = { .input = count > 0 ? options->inputs[i] : NULL, .file = i, .frame = -1, .frames = 1 };
      gboolean good = options->frames && item.input ? add_frames (items, item, options, error)
                                                    : add_source (items, item, options->values, error);

      if (!good)
        return NULL;
    }
  return g_steal_pointer (&items);
}

char *
run_item_dup_name (const RunItem *item)
{
  GString *name = g_string_new (item->input ? item->input : "graph");

  if (item->frame >= 0)
    g_string_append_printf (name, ", frame %" G_GINT64_FORMAT, item->frame);
  if (item->value >= 0)
    g_string_append_printf (name, ", value %d", item->value + 1);
  return g_string_free (name, FALSE);
}
