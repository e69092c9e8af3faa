/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Target: the format in which a result goes to the host. */
#include "plugin/target.h"

#include "plugin/format.h"

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
  g_autoptr(GeglBuffer) buffer = NULL;

  gegl_node_get (sink, "buffer", &buffer, NULL);
  return buffer ? gegl_buffer_get_format (buffer) : NULL;
}

/* Whether all who read what @node gives, or hands on, write it into buffers of one format: @format, if that is set. */
static gboolean
find_format (GeglNode *node, const Babl **format, guint depth)
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
          if (!find_format (readers[i], format, depth - 1))
            return FALSE;
          continue;
        }
      wanted = g_strcmp0 (operation, "gegl:write-buffer") == 0 ? format_of_target (readers[i]) : NULL;
      if (!wanted || (*format && wanted != *format))
        return FALSE;
      *format = wanted;
    }
  return n > 0;
}

const Babl *
capra_target_get_format (GeglOperation *operation, const Babl *format)
{
  const Babl *target = NULL;

  return find_format (operation->node, &target, DEPTH) && loses_nothing (format, target) ? target : format;
}
