/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile: the values of a pipeline's result along a line. */
#include "ui/panel/preview/profile.h"

#include <math.h>

#define MAX_AREA (256 * 256) /* pixels that are read at once */
#define MAX_COLUMNS (4 + CAPRA_PROBE_MAX)

/* Pixels of the result. */
typedef struct {
  GeglRectangle rect;
  guint channels;
  double *values;
} Part;

static int
get_flags (const Babl *format)
{
  return babl_format_is_palette (format) ? 0 : (int) babl_get_model_flags (babl_format_get_model (format));
}

static void
set_names (const Babl *format, CapraProfile *profile)
{
  static const char *const colors[] = { "red", "green", "blue", "alpha" };
  static const char *const grays[] = { "value", "alpha" };
  static const char *const numbers[CAPRA_PROBE_MAX] = { "channel_1", "channel_2", "channel_3", "channel_4",
                                                        "channel_5" };
  guint count = profile->pixel.count;
  gboolean rgb = babl_format_is_palette (format) || (get_flags (format) & BABL_MODEL_FLAG_RGB)
                 || (guint) babl_format_get_n_components (format) != count;
  gboolean alpha = babl_format_has_alpha (format);

  for (guint i = 0; i < count; i++)
    if (profile->pixel.label)
      profile->names[i] = "label";
    else if (rgb && count <= 4)
      profile->names[i] = colors[i];
    else
      profile->names[i] = count == 1 || (count == 2 && alpha) ? grays[i] : numbers[i];
}

/* The pixels whose values a point needs. */
static GeglRectangle
get_pixels (const CapraProfile *profile, gsize index)
{
  double x, y;
  GeglRectangle rect;

  capra_line_get_point (&profile->line, index, &x, &y);
  if (profile->pixel.label)
    return (GeglRectangle){ (int) floor (x + 0.5), (int) floor (y + 0.5), 1, 1 };
  rect = (GeglRectangle){ (int) floor (x), (int) floor (y), 1, 1 };
  rect.width += x > rect.x;
  rect.height += y > rect.y;
  return rect;
}

/* Value @c of a point. Pixels that do not count do not matter: on the center of a pixel, neighbors may be NaN. */
static double
interpolate (const CapraProfile *profile, const Part *part, gsize index, guint c)
{
  GeglRectangle pixels = get_pixels (profile, index);
  double x, y, sum = 0.0;

  if (!gegl_rectangle_contains (&part->rect, &pixels))
    return NAN;
  capra_line_get_point (&profile->line, index, &x, &y);
  for (int j = 0; j < pixels.height; j++)
    for (int i = 0; i < pixels.width; i++)
      {
        double share = (1.0 - (pixels.width > 1 ? fabs (x - pixels.x - i) : 0.0))
                       * (1.0 - (pixels.height > 1 ? fabs (y - pixels.y - j) : 0.0));
        gsize at = (gsize) (pixels.y + j - part->rect.y) * (gsize) part->rect.width
                   + (gsize) (pixels.x + i - part->rect.x);

        sum += share * part->values[at * part->channels + c];
      }
  return sum;
}

/* How many points from @first on need few enough pixels. @rect: (out): these pixels */
static gsize
find_part (const CapraProfile *profile, gsize first, GeglRectangle *rect)
{
  gsize end = first + 1;

  *rect = get_pixels (profile, first);
  for (; end < profile->count; end++)
    {
      GeglRectangle pixels = get_pixels (profile, end), both;

      gegl_rectangle_bounding_box (&both, rect, &pixels);
      if ((gint64) both.width * both.height > MAX_AREA)
        break;
      *rect = both;
    }
  return end;
}

/* FALSE if reading was stopped. */
static gboolean
fill (CapraProfile *profile, const GeglRectangle *bounds, CapraProfileRead read, gpointer data)
{
  for (gsize first = 0, end; first < profile->count; first = end)
    {
      Part part = { .channels = profile->pixel.count };
      g_autoptr (GeglBuffer) buffer = NULL;

      end = find_part (profile, first, &part.rect);
      if (gegl_rectangle_intersect (&part.rect, &part.rect, bounds))
        {
          buffer = read (&part.rect, data);
          if (!buffer)
            return FALSE;
          part.values = capra_probe_read (buffer, &part.rect);
        }
      for (gsize i = first; i < end; i++)
        for (guint c = 0; c < part.channels; c++)
          profile->values[i * part.channels + c] = part.values ? interpolate (profile, &part, i, c) : NAN;
      g_free (part.values);
    }
  return TRUE;
}

CapraProfile *
capra_profile_new (const CapraLine *line, const GeglRectangle *bounds, const Babl *format, CapraProfileRead read,
                   gpointer data)
{
  g_autoptr (CapraProfile) profile = g_atomic_rc_box_new0 (CapraProfile);

  profile->line = *line;
  profile->count = capra_line_get_count (line);
  capra_probe_describe (format, &profile->pixel);
  set_names (format, profile);
  profile->values = g_new (double, profile->count *profile->pixel.count);
  return fill (profile, bounds, read, data) ? g_steal_pointer (&profile) : NULL;
}

CapraProfile *
capra_profile_ref (CapraProfile *profile)
{
  return g_atomic_rc_box_acquire (profile);
}

static void
clear (gpointer profile)
{
  g_free (((CapraProfile *) profile)->values);
}

void
capra_profile_unref (CapraProfile *profile)
{
  g_atomic_rc_box_release_full (profile, clear);
}

double
capra_profile_get_distance (const CapraProfile *profile, gsize index)
{
  return profile->count > 1 ? capra_line_get_length (&profile->line) * (double) index / (double) (profile->count - 1)
                            : 0.0;
}

CapraTable *
capra_profile_get_table (const CapraProfile *profile, const char *unit, const double *distances)
{
  g_autofree char *distance = distances ? g_strdup_printf ("distance_%s", unit) : NULL;
  const char *columns[MAX_COLUMNS + 1] = { "distance_px" };
  guint n_columns = 1, n_channels = profile->pixel.count;
  CapraTable *table;

  if (distances)
    columns[n_columns++] = distance;
  columns[n_columns++] = "x";
  columns[n_columns++] = "y";
  for (guint c = 0; c < n_channels; c++)
    columns[n_columns++] = profile->names[c];
  table = capra_table_new (columns);
  for (gsize i = 0; i < profile->count; i++)
    {
      double row[MAX_COLUMNS] = { capra_profile_get_distance (profile, i) };
      guint at = 1;

      if (distances)
        row[at++] = distances[i];
      capra_line_get_point (&profile->line, i, &row[at], &row[at + 1]);
      at += 2;
      for (guint c = 0; c < n_channels; c++)
        row[at++] = profile->values[i * n_channels + c];
      capra_table_add_row (table, row);
    }
  return table;
}
