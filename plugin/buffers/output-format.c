/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Target: the format in which a result goes to its readers. */
#include "plugin/buffers/output-format.h"

#include "plugin/buffers/format.h"

/* So many nodes that hand on what they get are looked through. */
#define DEPTH 16

/* Whether what is in @from is as well in @to, and comes back from it: floats of the same space, and no channel less. */
static gboolean
loses_nothing (const Babl *from, const Babl *to)
{
  CapraConversion conversion;

  return babl_format_get_type (from, 0) == babl_type ("float") && capra_format_get_conversion (from, to, &conversion)
         && capra_color_channels (conversion.from.color) <= capra_color_channels (conversion.to.color)
         && babl_format_has_alpha (from) <= babl_format_has_alpha (to);
}

static const Babl *
format_of_target (GeglNode *sink)
{
  g_autoptr (GeglBuffer) buffer = NULL;

  gegl_node_get (sink, "buffer", &buffer, NULL);
  return buffer ? gegl_buffer_get_format (buffer) : NULL;
}

/* The format that a reader of a result wants; NULL if that is another one than others want (@format), or unknown. */
typedef const Babl *(*WantedFunc) (GeglNode *reader, const Babl *format);

/* Whether all who read what @node gives, or hands on, want one format: @format, if that is set. */
static gboolean
find_format (GeglNode *node, WantedFunc func, const Babl **format, guint depth)
{
  g_autofree GeglNode **readers = NULL;
  int n = 0;

  if (depth > 0 && gegl_node_has_pad (node, "output"))
    n = gegl_node_get_consumers (node, "output", &readers, NULL);
  for (int i = 0; i < n; i++)
    {
      const char *operation = gegl_node_get_operation (readers[i]);
      const Babl *wanted = NULL;

      if (g_strcmp0 (operation, "gegl:nop") == 0 || g_strcmp0 (operation, "gegl:crop") == 0)
        {
          if (!find_format (readers[i], func, format, depth - 1))
            return FALSE;
          continue;
        }
      wanted = func (readers[i], *format);
      if (!wanted)
        return FALSE;
      *format = wanted;
    }
  return n > 0;
}

/* Buffers are written in their own format. */
static const Babl *
wanted_by_target (GeglNode *reader, const Babl *format)
{
  gboolean writes = g_strcmp0 (gegl_node_get_operation (reader), "gegl:write-buffer") == 0;
  const Babl *target = writes ? format_of_target (reader) : NULL;

  return format && target != format ? NULL : target;
}

static gboolean
is_gray_bytes (const Babl *format)
{
  const Babl *space = babl_format_get_space (format);

  return format == babl_format_with_space ("Y u8", space) || format == babl_format_with_space ("Y' u8", space);
}

/* Labels are made of whatever is above 0, and 0 and 1 are the same bytes under both curves. */
static const Babl *
wanted_of_mask (GeglNode *reader, const Babl *format)
{
  const Babl *target = NULL;

  if (g_strcmp0 (gegl_node_get_operation (reader), "capra:label") == 0)
    return format ? format : babl_format ("Y u8");
  target = wanted_by_target (reader, NULL);
  return target && is_gray_bytes (target) ? target : NULL;
}

const Babl *
capra_output_format_get (GeglOperation *operation, const Babl *format)
{
  const Babl *target = NULL;

  return find_format (operation->node, wanted_by_target, &target, DEPTH) && loses_nothing (format, target) ? target
                                                                                                           : format;
}

const Babl *
capra_output_format_get_for_mask (GeglOperation *operation, const Babl *format)
{
  const Babl *bytes = NULL;

  if (babl_format_has_alpha (format) || !find_format (operation->node, wanted_of_mask, &bytes, DEPTH))
    return format;
  return babl_format_with_space (babl_format_get_encoding (bytes), babl_format_get_space (format));
}
