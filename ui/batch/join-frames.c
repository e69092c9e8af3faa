/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Join-frames: which frames the parts of a result have. */
#include "ui/batch/join-frames.h"

#include "capra.h"

#define BLOCK 8192    /* numbers that are read at a time */
#define MAX_RANGES 10 /* that are listed */

typedef struct {
  CapraJoinFrames *frames;
  const char *problem;
} Search;

/* Adds @count numbers. FALSE if one is not larger than the one before it. */
static gboolean
add_numbers (CapraJoinFrames *frames, const guint64 *numbers, hsize_t count, gboolean begin)
{
  for (hsize_t i = 0; i < count; i++)
    {
      if (begin && i == 0)
        frames->first = numbers[i];
      else if (numbers[i] <= frames->last)
        return FALSE;
      else
        frames->step = frames->step ? MIN (frames->step, numbers[i] - frames->last) : numbers[i] - frames->last;
      frames->last = numbers[i];
    }
  return TRUE;
}

/* Returns why the numbers are of no use, or %NULL. */
static const char *
read_numbers (hid_t set, hid_t space, hsize_t count, CapraJoinFrames *frames)
{
  const hsize_t block = MIN (count, BLOCK);
  g_autofree guint64 *numbers = g_new (guint64, block);
  const char *problem = NULL;

  for (hsize_t at = 0; at < count && !problem; at += block)
    {
      const hsize_t n = MIN (block, count - at);
      hid_t memory = H5Screate_simple (1, &n, NULL);

      H5Sselect_hyperslab (space, H5S_SELECT_SET, &at, NULL, &n, NULL);
      if (H5Dread (set, H5T_NATIVE_UINT64, memory, space, H5P_DEFAULT, numbers) < 0)
        problem = "the numbers of its frames cannot be read";
      else if (!add_numbers (frames, numbers, n, at == 0))
        problem = "the numbers of its frames do not increase";
      H5Sclose (memory);
    }
  return problem;
}

static void
read_batch (hid_t set, CapraJoinFrames *frames)
{
  hid_t attribute = H5Aexists (set, CAPRA_BATCH_ATTRIBUTE) > 0 ? H5Aopen (set, CAPRA_BATCH_ATTRIBUTE, H5P_DEFAULT) : -1;
  hid_t space = attribute >= 0 ? H5Aget_space (attribute) : -1;
  guint64 range[2];

  if (space >= 0 && H5Sget_simple_extent_npoints (space) == G_N_ELEMENTS (range)
      && H5Aread (attribute, H5T_NATIVE_UINT64, range) >= 0)
    {
      frames->begin = range[0];
      frames->end = range[1];
    }
  if (space >= 0)
    H5Sclose (space);
  if (attribute >= 0)
    H5Aclose (attribute);
}

static herr_t
on_object (hid_t root, const char *name, const H5O_info_t *info, void *data)
{
  Search *search = data;
  g_autofree char *path = g_strdup_printf ("%s/" CAPRA_JOIN_FRAME, name);
  hid_t set = info->type == H5O_TYPE_GROUP && H5Lexists (root, path, H5P_DEFAULT) > 0
                ? H5Dopen2 (root, path, H5P_DEFAULT)
                : -1;
  hid_t space = set >= 0 ? H5Dget_space (set) : -1;
  hsize_t count = 0;
  gboolean found = space >= 0 && H5Sget_simple_extent_ndims (space) == 1
                   && H5Sget_simple_extent_dims (space, &count, NULL) == 1 && count > 0;

  if (found)
    {
      search->problem = read_numbers (set, space, count, search->frames);
      read_batch (set, search->frames);
    }
  if (space >= 0)
    H5Sclose (space);
  if (set >= 0)
    H5Dclose (set);
  return found;
}

const char *
capra_join_frames_read (hid_t file, CapraJoinFrames *frames)
{
  Search search = { .frames = frames };

  *frames = (CapraJoinFrames){ 0 };
  if (H5Ovisit (file, H5_INDEX_NAME, H5_ITER_INC, on_object, &search) <= 0)
    return "it contains no stack of frames";
  return search.problem;
}

/* Frames from @first to @end - 1. */
static void
add_missing (GString *text, guint *ranges, guint64 first, guint64 end, guint64 step)
{
  guint64 last = end - step;

  if (first >= end || ++*ranges > MAX_RANGES)
    return;
  g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, text->len > 0 ? ", " : "", first);
  if (last > first)
    g_string_append_printf (text, " to %" G_GUINT64_FORMAT, last);
}

char *
capra_join_frames_find_missing (const CapraJoinFrames *parts, guint count)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 step = 0, next;
  guint ranges = 0;

  for (guint i = 0; i < count; i++)
    if (parts[i].step > 0)
      step = step > 0 ? MIN (step, parts[i].step) : parts[i].step;
  step = MAX (step, 1);
  next = parts[0].end > 0 ? parts[0].begin : parts[0].first;
  for (guint i = 0; i < count; i++)
    {
      add_missing (text, &ranges, next, parts[i].first, step);
      next = parts[i].last + step;
    }
  if (parts[0].end > 0)
    add_missing (text, &ranges, next, parts[0].end, step);
  if (ranges > MAX_RANGES)
    g_string_append (text, " and others");
  return text->len > 0 ? g_strdup (text->str) : NULL;
}
