/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Output format: the format of a result's tiles, according to the nodes that read them. */
#include "plugin/buffers/output-format.h"

#include <math.h>

#include "plugin/buffers/format.h"

/* The maximum number of nodes between the operation and a reader that pass tiles through unchanged. */
#define MAX_DEPTH 16

typedef enum {
  READ_OTHER,        /* reads in a format of its own */
  READ_PASS_THROUGH, /* its result consists of the same tiles */
  READ_COPY,         /* copies the pixels into the buffer of its property "buffer" */
  READ_CONVERT,      /* converts the pixels to the format of its output */
} ReadKind;

static gboolean
is_always (GeglNode *reader)
{
  return TRUE;
}

/* A translation by a fraction of a pixel computes other pixels. */
static gboolean
is_whole_translation (GeglNode *reader)
{
  double x = 0.0, y = 0.0;

  gegl_node_get (reader, "x", &x, "y", &y, NULL);
  return x == floor (x) && y == floor (y);
}

/* GIMP's filters end in gimp:replace, which passes the result on unless it blends it with the layer. */
static gboolean
is_opaque (GeglNode *reader)
{
  double opacity = 0.0;

  if (gegl_node_find_property (reader, "opacity"))
    gegl_node_get (reader, "opacity", &opacity, NULL);
  return opacity == 1.0 && !gegl_node_get_producer (reader, "aux2", NULL);
}

/* In gimp:mask-components, which passes the result on unless it is limited to some channels. */
static gboolean
has_all_components (GeglNode *reader)
{
  g_auto (GValue) mask = G_VALUE_INIT;
  GParamSpec *spec = gegl_node_find_property (reader, "mask");

  if (!spec || !G_IS_PARAM_SPEC_FLAGS (spec))
    return FALSE;
  gegl_node_get_property (reader, "mask", &mask);
  return g_value_get_flags (&mask) == G_PARAM_SPEC_FLAGS (spec)->flags_class->mask;
}

/* GEGL's and GIMP's operations have no key for this, so they are recognized by their names. Capra's own operations set
 * keys, such as CAPRA_KEY_READS_MASK. */
static const struct {
  const char *operation;
  ReadKind kind;
  gboolean (*applies) (GeglNode *reader);
} known_readers[] = {
  { "gegl:crop", READ_PASS_THROUGH, is_always },
  { "gegl:nop", READ_PASS_THROUGH, is_always },
  { "gegl:translate", READ_PASS_THROUGH, is_whole_translation },
  { "gimp:replace", READ_PASS_THROUGH, is_opaque },
  { "gimp:mask-components", READ_PASS_THROUGH, has_all_components },
  { "gegl:write-buffer", READ_COPY, is_always },
  { "gegl:cache", READ_CONVERT, is_always },
  { "gegl:convert-format", READ_CONVERT, is_always },
};

static ReadKind
get_read_kind (GeglNode *reader)
{
  const char *operation = gegl_node_get_operation (reader);

  for (guint i = 0; i < G_N_ELEMENTS (known_readers); i++)
    if (g_strcmp0 (operation, known_readers[i].operation) == 0 && known_readers[i].applies (reader))
      return known_readers[i].kind;
  return READ_OTHER;
}

static gboolean
has_key (GeglNode *reader, const char *key)
{
  GeglOperation *operation = gegl_node_get_gegl_operation (reader);

  return operation && gegl_operation_class_get_key (GEGL_OPERATION_GET_CLASS (operation), key);
}

static gboolean
reads_mask (GeglNode *reader)
{
  return has_key (reader, CAPRA_KEY_READS_MASK);
}

static gboolean
reads_labels (GeglNode *reader)
{
  return has_key (reader, CAPRA_KEY_READS_LABELS);
}

static gboolean
is_own (GeglNode *reader)
{
  const char *operation = gegl_node_get_operation (reader);

  return operation && g_str_has_prefix (operation, "capra:");
}

/* Whether a node for which @func is true reads the result of @node, also behind nodes whose result it is, too. */
static gboolean
has_reader (GeglNode *node, gboolean (*func) (GeglNode *reader), guint depth)
{
  g_autofree GeglNode **readers = NULL;
  int n = 0;

  if (depth > 0 && gegl_node_has_pad (node, "output"))
    n = gegl_node_get_consumers (node, "output", &readers, NULL);
  for (int i = 0; i < n; i++)
    if (func (readers[i])
        || ((get_read_kind (readers[i]) == READ_PASS_THROUGH || has_key (readers[i], CAPRA_KEY_TABLE))
            && has_reader (readers[i], func, depth - 1)))
      return TRUE;
  return FALSE;
}

gboolean
capra_output_format_has_label_readers (GeglOperation *operation)
{
  return has_reader (operation->node, reads_labels, MAX_DEPTH);
}

gboolean
capra_output_format_has_device_readers (GeglOperation *operation)
{
  return has_reader (operation->node, is_own, MAX_DEPTH);
}

/* Whether each value of the type of @from has a counterpart of its own in the type of @to. */
static gboolean
is_wide_enough (const Babl *from, const Babl *to)
{
  const Babl *type = babl_format_get_type (from, 0), *target = babl_format_get_type (to, 0);

  if (type == babl_type ("u8"))
    return target == babl_type ("u16") || target == babl_type ("float");
  return type == babl_type ("float") && target == type;
}

/* Whether @to is a format in the color space of @from with at least its channels. */
static gboolean
has_channels_of (const Babl *to, const Babl *from)
{
  CapraEncoding encoding, target;

  return babl_format_get_space (from) == babl_format_get_space (to) && capra_format_get_encoding (from, &encoding)
         && capra_format_get_encoding (to, &target)
         && capra_color_channels (encoding.color) <= capra_color_channels (target.color)
         && babl_format_has_alpha (from) <= babl_format_has_alpha (to);
}

static const Babl *
get_buffer_format (GeglNode *sink)
{
  g_autoptr (GeglBuffer) buffer = NULL;

  gegl_node_get (sink, "buffer", &buffer, NULL);
  return buffer ? gegl_buffer_get_format (buffer) : NULL;
}

/* The format in which @reader stores the pixels. NULL if it is unknown. */
static const Babl *
get_target_format (GeglNode *reader)
{
  GeglOperation *operation = gegl_node_get_gegl_operation (reader);

  switch (get_read_kind (reader))
    {
    case READ_COPY: return get_buffer_format (reader);
    case READ_CONVERT: return operation ? gegl_operation_get_format (operation, "output") : NULL;
    default: return NULL;
    }
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
      const Babl *wanted = NULL;

      if (get_read_kind (readers[i]) == READ_PASS_THROUGH)
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

static const Babl *
wanted_by_target (GeglNode *reader, const Babl *format)
{
  const Babl *target = get_target_format (reader);

  return format && target != format ? NULL : target;
}

/* Whether nodes of GIMP's filters read the result of @node. */
static gboolean
is_in_gimp (GeglNode *node, guint depth)
{
  g_autofree GeglNode **readers = NULL;
  int n = 0;

  if (depth > 0 && gegl_node_has_pad (node, "output"))
    n = gegl_node_get_consumers (node, "output", &readers, NULL);
  for (int i = 0; i < n; i++)
    if ((gegl_node_get_operation (readers[i]) && g_str_has_prefix (gegl_node_get_operation (readers[i]), "gimp:"))
        || is_in_gimp (readers[i], depth - 1))
      return TRUE;
  return FALSE;
}

/* A reader that converts needs the format of its output. */
static const Babl *
wanted_by_converter (GeglNode *reader, const Babl *format)
{
  return get_read_kind (reader) == READ_CONVERT ? wanted_by_target (reader, format) : NULL;
}

static gboolean
is_gray_bytes (const Babl *format)
{
  const Babl *space = babl_format_get_space (format);

  return format == babl_format_with_space ("Y u8", space) || format == babl_format_with_space ("Y' u8", space);
}

/* A reader of masks accepts any format. 0 and 1 have the same bytes under both transfer curves. */
static const Babl *
wanted_of_mask (GeglNode *reader, const Babl *format)
{
  const Babl *target = NULL;

  if (reads_mask (reader))
    return format ? format : babl_format ("Y u8");
  target = wanted_by_target (reader, NULL);
  return target && is_gray_bytes (target) ? target : NULL;
}

const Babl *
capra_output_format_get (GeglOperation *operation, const Babl *format)
{
  const Babl *target = g_object_get_data (G_OBJECT (operation->node), CAPRA_KEY_READ_FORMAT);

  if (target && has_channels_of (target, format))
    return target;
  target = NULL;
  /* GIMP reads a filter only through its converter, so nothing is lost that is not lost there. Other programs may read
   * the result of any node themselves. */
  if (is_in_gimp (operation->node, MAX_DEPTH) && find_format (operation->node, wanted_by_converter, &target, MAX_DEPTH)
      && has_channels_of (target, format))
    return target;
  target = NULL;
  if (find_format (operation->node, wanted_by_target, &target, MAX_DEPTH) && has_channels_of (target, format)
      && is_wide_enough (format, target))
    return target;
  return format;
}

const Babl *
capra_output_format_get_converted (const Babl *format, const Babl *tile_format)
{
  CapraConversion conversion;

  return babl_format_get_n_components (format) == babl_format_get_n_components (tile_format)
             && capra_format_get_conversion (format, tile_format, &conversion)
           ? tile_format
           : format;
}

/* Whether @format holds masks with the alpha of @source. */
static gboolean
holds_mask (const Babl *format, const Babl *source)
{
  const Babl *type = babl_format_get_type (format, 0);
  CapraColor color;

  if (babl_format_get_space (format) != babl_format_get_space (source) || !capra_format_get_color (format, &color)
      || color == CAPRA_COLOR_YaA || color == CAPRA_COLOR_RaGaBaA)
    return FALSE;
  return !babl_format_has_alpha (source)
         || (babl_format_has_alpha (format)
             && (type == babl_type ("float") || type == babl_format_get_type (source, 0)));
}

/* Whether a node other than those that pass tiles through reads the result of @node. */
static gboolean
has_readers (GeglNode *node, guint depth)
{
  g_autofree GeglNode **readers = NULL;
  int n = 0;

  if (gegl_node_has_pad (node, "output"))
    n = gegl_node_get_consumers (node, "output", &readers, NULL);
  for (int i = 0; i < n; i++)
    if (depth == 0 || get_read_kind (readers[i]) != READ_PASS_THROUGH || has_readers (readers[i], depth - 1))
      return TRUE;
  return FALSE;
}

static gboolean
is_perceptual (const Babl *format)
{
  return (babl_get_model_flags (babl_format_get_model (format)) & BABL_MODEL_FLAG_LINEAR) == 0;
}

/* The format that a program reads fastest, if it reads in the format of its image, @source. */
static const Babl *
get_format_for_program (const Babl *source, gboolean any)
{
  const Babl *space = babl_format_get_space (source);
  gboolean floats = babl_format_get_type (source, 0) == babl_type ("float");

  if (!babl_format_has_alpha (source))
    return babl_format_with_space (!floats ? "Y' u8" : is_perceptual (source) ? "Y' float" : "Y float", space);
  if (any && !floats && holds_mask (source, source))
    return source;
  return babl_format_with_space (is_perceptual (source) ? "Y'A float" : "YA float", space);
}

const Babl *
capra_output_format_get_for_mask (GeglOperation *operation, const Babl *source, gboolean any)
{
  gboolean alpha = capra_format_has_alpha (source);
  const Babl *space = source ? babl_format_get_space (source) : NULL, *target = NULL;

  if (!alpha && find_format (operation->node, wanted_of_mask, &target, MAX_DEPTH))
    return babl_format_with_space (babl_format_get_encoding (target), space);
  target = NULL;
  if (source && any && find_format (operation->node, wanted_by_target, &target, MAX_DEPTH)
      && holds_mask (target, source))
    return target;
  if (source && !has_readers (operation->node, MAX_DEPTH))
    return get_format_for_program (source, any);
  return babl_format_with_space (alpha ? "YA float" : "Y float", space);
}
