/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watch: notices changes of a drawable and of its selection since they were read. */
#include "ui/gimp/watch.h"

#include <string.h>

#include "ui/gimp/host.h"

#define STRIP 64                            /* rows, of GIMP's tiles */
#define TIME (10 * G_TIME_SPAN_MILLISECOND) /* of a check */

struct _CapraWatch {
  int drawable;
  GeglBuffer *pixels, *selection;
  char *state;
  int row; /* where the next check begins */
  gboolean changed;
};

CapraWatch *
capra_watch_new (int drawable, GeglBuffer *pixels, GeglBuffer *selection)
{
  CapraWatch *watch = g_new0 (CapraWatch, 1);

  watch->drawable = drawable;
  watch->pixels = g_object_ref (pixels);
  watch->selection = selection ? g_object_ref (selection) : NULL;
  watch->state = capra_host_get_state (drawable);
  return watch;
}

void
capra_watch_free (CapraWatch *watch)
{
  g_object_unref (watch->pixels);
  g_clear_object (&watch->selection);
  g_free (watch->state);
  g_free (watch);
}

void
capra_watch_restart (CapraWatch *watch)
{
  watch->row = 0;
}

static gboolean
is_same_strip (GeglBuffer *a, GeglBuffer *b, const GeglRectangle *strip)
{
  const Babl *format = gegl_buffer_get_format (a);
  gsize size = (gsize) babl_format_get_bytes_per_pixel (format) * (gsize) strip->width * (gsize) strip->height;
  g_autofree guint8 *first = g_malloc (size), *second = g_malloc (size);

  gegl_buffer_get (a, strip, 1.0, format, first, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (b, strip, 1.0, gegl_buffer_get_format (b), second, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return memcmp (first, second, size) == 0;
}

/* Copies have a palette of their own, see capra_palette_format_keep(); the state contains the palette. */
static gboolean
is_same_layout (GeglBuffer *a, GeglBuffer *b)
{
  const Babl *first = gegl_buffer_get_format (a), *second = gegl_buffer_get_format (b);

  return gegl_rectangle_equal (gegl_buffer_get_extent (a), gegl_buffer_get_extent (b))
         && (first == second
             || (babl_format_is_palette (first) && babl_format_is_palette (second)
                 && babl_format_has_alpha (first) == babl_format_has_alpha (second)));
}

static gboolean
is_same_selection (CapraWatch *watch)
{
  g_autoptr (GeglBuffer) selection = capra_host_get_selection (watch->drawable);

  if (!selection || !watch->selection)
    return !selection && !watch->selection;
  return is_same_layout (selection, watch->selection)
         && is_same_strip (selection, watch->selection, gegl_buffer_get_extent (selection));
}

/* Compares the next rows; the selection after the last ones. */
static gboolean
are_same_rows (CapraWatch *watch, gboolean *over)
{
  g_autoptr (GeglBuffer) pixels = capra_host_get_pixels (watch->drawable);
  GeglRectangle strip = *gegl_buffer_get_extent (watch->pixels);
  int height = strip.height;
  gint64 end = g_get_monotonic_time () + TIME;

  if (!is_same_layout (pixels, watch->pixels))
    return FALSE;
  do
    {
      strip.y = watch->row;
      strip.height = MIN (STRIP, height - watch->row);
      if (!is_same_strip (pixels, watch->pixels, &strip))
        return FALSE;
      watch->row += strip.height;
    }
  while (watch->row < height && g_get_monotonic_time () < end);
  *over = watch->row == height;
  if (*over)
    watch->row = 0;
  return !*over || is_same_selection (watch);
}

gboolean
capra_watch_check (CapraWatch *watch, gboolean *over)
{
  g_autofree char *state = NULL;
  gboolean complete = FALSE;

  if (!watch->changed)
    {
      state = capra_host_get_state (watch->drawable);
      if (!g_str_equal (state, watch->state) || !are_same_rows (watch, &complete))
        {
          watch->changed = TRUE;
          if (over)
            *over = TRUE;
          return TRUE;
        }
    }
  if (over)
    *over = complete || watch->changed;
  return FALSE;
}
