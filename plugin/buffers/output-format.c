/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Output format: the format of a result's tiles, according to the nodes that read them. */
#include "plugin/buffers/output-format.h"

#include "plugin/buffers/format.h"

/* The maximum number of nodes between the operation and a reader that pass tiles through unchanged. */
#define MAX_DEPTH 16

/* Whether values in @from can be converted to @to and back: floats in the same colour space, and at least the same
 * channels. */
static gboolean
is_lossless (const Babl *from, const Babl *to)
{
  CapraConversion conversion;

  return babl_format_get_type (from, 0) == babl_type ("float") && capra_format_get_conversion (from, to, &conversion)
         && capra_color_channels (conversion.from.color) <= capra_color_channels (conversion.to.color)
         && babl_format_has_alpha (from) <= babl_format_has_alpha (to);
}

static const Babl *
get_target_format (GeglNode *sink)
{
  g_autoptr (GeglBuffer) buffer = NULL;

  gegl_node_get (sink, "buffer", &buffer, NULL);
  return buffer ? gegl_buffer_get_format (buffer) : NULL;
}

/* The format that @reader needs; NULL if it is unknown, or differs from @format, which other readers need. */
typedef const Babl *(*WantedFunc) (GeglNode *reader, const Babl *format);

/* Sets @format to the format that all readers of @node need; also of nodes that pass its tiles through. Returns FALSE
 * if they need different formats, or a format other than the initial @format. */
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

/* gegl:write-buffer needs the format of its buffer. */
static const Babl *
wanted_by_target (GeglNode *reader, const Babl *format)
{
  gboolean writes = g_strcmp0 (gegl_node_get_operation (reader), "gegl:write-buffer") == 0;
  const Babl *target = writes ? get_target_format (reader) : NULL;

  return format && target != format ? NULL : target;
}

static gboolean
is_gray_bytes (const Babl *format)
{
  const Babl *space = babl_format_get_space (format);

  return format == babl_format_with_space ("Y u8", space) || format == babl_format_with_space ("Y' u8", space);
}

/* capra:label labels all values above 0. 0 and 1 have the same bytes under both transfer curves. */
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

  return find_format (operation->node, wanted_by_target, &target, MAX_DEPTH) && is_lossless (format, target) ? target
                                                                                                             : format;
}

const Babl *
capra_output_format_get_for_mask (GeglOperation *operation, const Babl *format)
{
  const Babl *bytes = NULL;

  if (babl_format_has_alpha (format) || !find_format (operation->node, wanted_of_mask, &bytes, MAX_DEPTH))
    return format;
  return babl_format_with_space (babl_format_get_encoding (bytes), babl_format_get_space (format));
}
