/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-values: images whose sample values are loaded without conversion. */
#include "ui/pipeline/read/raw-values.h"

#include "ui/pipeline/read/fits-keywords.h"

#include <gegl-plugin.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/pipeline/read/npy-reader.h"
#include "ui/pipeline/read/png-chunks.h"
#include "ui/pipeline/read/png-reader.h"
#include "ui/pipeline/regular-file.h"
#include "ui/pipeline/read/tiff-reader.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/text/value-text.h"

#define KEY "capra-data"
#define SPACE "scRGB" /* the primaries of sRGB, linear */

void
capra_raw_values_mark (GeglBuffer *buffer, const CapraRawValues *data)
{
  g_object_set_data_full (G_OBJECT (buffer), KEY, g_memdup2 (data, sizeof *data), g_free);
}

const CapraRawValues *
capra_raw_values_get (GeglBuffer *buffer)
{
  return g_object_get_data (G_OBJECT (buffer), KEY);
}

const Babl *
capra_raw_values_format (int channels, gboolean associated, gboolean doubles)
{
  static const char *const models[2][4] = { { "Y", "YA", "RGB", "RGBA" }, { "Y", "YaA", "RGB", "RaGaBaA" } };
  g_autofree char *name = g_strdup_printf ("%s %s", models[!!associated][channels - 1], doubles ? "double" : "float");

  return babl_format_with_space (name, babl_space (SPACE));
}

/* By the first bytes of a file. */
static const struct {
  const char *start;
  gsize length;
  CapraSampleReader read;
} readers[] = {
  { "\x89PNG", 4, capra_png_read }, { "\x93NUMPY", 6, capra_npy_read }, { "II*\0", 4, capra_tiff_read },
  { "MM\0*", 4, capra_tiff_read },  { "II+\0", 4, capra_tiff_read },    { "MM\0+", 4, capra_tiff_read },
};

/* A buffer while it is filled with rows. */
typedef struct {
  CapraSampleLayout layout;
  GeglBuffer *buffer;
  gboolean doubles; /* the buffer holds doubles */
  gboolean inexact; /* floats do not represent a value exactly */
  double *values;
  float *floats;
  CapraImageSizeFunc on_size; /* NULL if nobody waits for the size */
  gpointer size_data;
} Filling;

static gboolean
begin (const CapraSampleLayout *layout, gpointer data, GError **error)
{
  Filling *filling = data;
  GeglRectangle extent = { 0, 0, layout->width, layout->height };
  gsize samples = (gsize) layout->width * (gsize) layout->channels;

  if (filling->on_size)
    filling->on_size ((guint64) samples * (guint64) layout->height * sizeof (float), filling->size_data);
  filling->layout = *layout;
  filling->values = g_new (double, samples);
  filling->floats = g_new (float, samples);
  filling->buffer = gegl_buffer_new (&extent,
                                     capra_raw_values_format (layout->channels, layout->associated, filling->doubles));
  return TRUE;
}

/* FALSE if floats do not represent a value, or with @error set if doubles do not. */
static gboolean
fill_row (Filling *filling, int y, gconstpointer samples, GError **error)
{
  const CapraSampleLayout *layout = &filling->layout;
  gsize channels = (gsize) layout->channels, count = (gsize) layout->width * channels;
  gboolean alpha = channels % 2 == 0;
  double opaque = capra_sample_type_get_opaque (layout->type);
  GeglRectangle row = { 0, y, layout->width, 1 };

  if (!capra_samples_to_doubles (layout->type, samples, count, filling->values))
    {
      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                           _ ("The file contains integers above 2^53, which cannot be processed exactly; "
                              "save it as floats"));
      return FALSE;
    }
  for (gsize i = 0; i < count; i++)
    if (alpha && i % channels == channels - 1)
      filling->values[i] /= opaque;
    else
      filling->inexact |= !capra_sample_type_holds (CAPRA_SAMPLE_F32, filling->values[i]);
  if (filling->doubles)
    {
      gegl_buffer_set (filling->buffer, &row, 0, gegl_buffer_get_format (filling->buffer), filling->values,
                       GEGL_AUTO_ROWSTRIDE);
      return TRUE;
    }
  for (gsize i = 0; i < count; i++)
    filling->floats[i] = (float) filling->values[i];
  gegl_buffer_set (filling->buffer, &row, 0, gegl_buffer_get_format (filling->buffer), filling->floats,
                   GEGL_AUTO_ROWSTRIDE);
  return !filling->inexact;
}

static gboolean
fill (int y, int rows, gconstpointer samples, gpointer data, GError **error)
{
  Filling *filling = data;
  gsize stride = capra_sample_layout_get_stride (&filling->layout);

  for (int i = 0; i < rows; i++)
    if (!fill_row (filling, y + i, (const guint8 *) samples + (gsize) i * stride, error))
      return FALSE;
  return TRUE;
}

/* Reads into floats, and a second time into doubles if floats do not represent all values. */
static gboolean
read_file (CapraSampleReader read, const char *path, guint page, CapraImage *image, CapraImageSizeFunc on_size,
           gpointer data, GError **error)
{
  gboolean good = FALSE, again = FALSE;
  CapraRawValues values;

  for (int doubles = 0; doubles < 2 && (doubles == 0 || again); doubles++)
    {
      Filling filling = { .doubles = doubles, .on_size = doubles ? NULL : on_size, .size_data = data };
      CapraSampleSink sink = { begin, fill, &filling, page };
      GError *local = NULL;

      good = read (path, &sink, &image->warning, &local);
      again = !good && !local; /* the sink stopped it without an error: floats are not exact */
      if (local)
        g_propagate_error (error, local);
      values = (CapraRawValues){ filling.layout.type, filling.layout.associated };
      image->buffer = filling.buffer;
      if (!good)
        g_clear_object (&image->buffer);
      g_free (filling.values);
      g_free (filling.floats);
    }
  if (good)
    capra_raw_values_mark (image->buffer, &values);
  return good;
}

static CapraSampleType
find_type (const Babl *format)
{
  static const struct {
    const char *name;
    CapraSampleType type;
  } names[] = {
    { "u8", CAPRA_SAMPLE_U8 },    { "u16", CAPRA_SAMPLE_U16 },   { "u32", CAPRA_SAMPLE_U32 },
    { "half", CAPRA_SAMPLE_F16 }, { "float", CAPRA_SAMPLE_F32 }, { "double", CAPRA_SAMPLE_F64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (babl_format_get_type (format, 0) == babl_type (names[i].name))
      return names[i].type;
  return CAPRA_SAMPLE_NONE;
}

/* Takes the samples that GEGL decoded, without color conversion. */
static gboolean
take_samples (GeglBuffer *decoded, CapraImage *image, GError **error)
{
  const Babl *format = gegl_buffer_get_format (decoded);
  const GeglRectangle *extent = gegl_buffer_get_extent (decoded);
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (format));
  CapraSampleLayout layout = { .width = extent->width,
                               .height = extent->height,
                               .channels = babl_format_get_n_components (format),
                               .associated = (flags & BABL_MODEL_FLAG_ASSOCIATED) != 0,
                               .type = find_type (format) };
  Filling filling = { .doubles = layout.type == CAPRA_SAMPLE_U32 || layout.type == CAPRA_SAMPLE_F64 };
  CapraRawValues data = { layout.type, layout.associated };
  g_autofree guint8 *row = NULL;

  if (babl_format_is_palette (format) || !(flags & (BABL_MODEL_FLAG_GRAY | BABL_MODEL_FLAG_RGB))
      || !capra_sample_layout_check (&layout, NULL))
    {
      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                           _ ("The image is neither grayscale nor RGB; convert it to one of these"));
      return FALSE;
    }
  row = g_malloc (capra_sample_layout_get_stride (&layout));
  begin (&layout, &filling, NULL);
  for (int y = 0; y < layout.height; y++)
    {
      gegl_buffer_get (decoded, GEGL_RECTANGLE (extent->x, extent->y + y, extent->width, 1), 1.0, format, row,
                       GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      fill_row (&filling, y, row, NULL);
    }
  g_free (filling.values);
  g_free (filling.floats);
  capra_fits_keywords_copy (decoded, filling.buffer);
  g_set_object (&image->buffer, filling.buffer);
  g_object_unref (filling.buffer);
  capra_raw_values_mark (image->buffer, &data);
  return TRUE;
}

/* (nullable): %NULL for formats that GEGL decodes, or with @error set. */
static CapraSampleReader
find_reader (const char *path, GError **error)
{
  guint8 start[8] = { 0 };
  int descriptor = capra_open_regular (path, error);
  gssize length;

  if (descriptor < 0)
    return NULL;
  length = read (descriptor, start, sizeof start);
  g_close (descriptor, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (length >= (gssize) readers[i].length && memcmp (start, readers[i].start, readers[i].length) == 0)
      return readers[i].read;
  return NULL;
}

gboolean
capra_raw_values_take (CapraImage *image, GError **error)
{
  return take_samples (image->buffer, image, error);
}

CapraImage *
capra_raw_values_load_sized (GFile *file, CapraImageSizeFunc on_size, gpointer data, GError **error)
{
  return capra_raw_values_load_page (file, 0, on_size, data, error);
}

CapraImage *
capra_raw_values_load_page (GFile *file, guint page, CapraImageSizeFunc on_size, gpointer data, GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) local = NULL;
  g_autoptr (CapraImage) image = NULL;
  CapraSampleReader read = NULL;

  if (path)
    read = find_reader (path, &local);
  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  if (!read)
    {
      image = capra_image_load_sized (file, NULL, on_size, data, error);
      if (!image || !capra_raw_values_take (image, error))
        return NULL;
      return g_steal_pointer (&image);
    }
  image = g_new0 (CapraImage, 1);
  if (read == capra_png_read && !capra_png_check (path, &image->graph, error))
    return NULL;
  return read_file (read, path, page, image, on_size, data, error) ? g_steal_pointer (&image) : NULL;
}

CapraImage *
capra_raw_values_load (GFile *file, GError **error)
{
  return capra_raw_values_load_sized (file, NULL, NULL, error);
}

/* Sets @property to @text (%NULL: the default), unless the user has set it. */
static void
adapt_property (GeglNode *node, GParamSpec *property, const char *text)
{
  g_autofree char *key = g_strconcat (KEY "-", property->name, NULL);
  const char *before = g_object_get_data (G_OBJECT (node), key); /* set by the last call */
  g_auto (GValue) now = G_VALUE_INIT;
  g_auto (GValue) given = G_VALUE_INIT;
  g_auto (GValue) value = G_VALUE_INIT;

  gegl_node_get_property (node, property->name, &now);
  if (!(before && capra_value_from_text (property, before, &given, NULL)
        && g_param_values_cmp (property, &now, &given) == 0)
      && !g_param_value_defaults (property, &now))
    return;
  if (!text || !capra_value_from_text (property, text, &value, NULL))
    {
      if (!before)
        return;
      g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (property));
      g_param_value_set_default (property, &value);
    }
  gegl_node_set_property (node, property->name, &value);
  g_object_set_data_full (G_OBJECT (node), key, g_strdup (text), g_free);
}

void
capra_raw_values_adapt (GeglNode *node, const CapraRawValues *values)
{
  const char *operation = gegl_node_get_operation (node);
  guint count = 0;
  g_autofree GParamSpec **list = operation ? gegl_operation_list_properties (operation, &count) : NULL;

  for (guint i = 0; i < count; i++)
    {
      const char *whole = gegl_param_spec_get_property_key (list[i], "whole-numbers");
      const char *any = gegl_param_spec_get_property_key (list[i], "data");

      if (whole)
        adapt_property (node, list[i], capra_sample_type_is_integer (values->type) ? whole : any);
      else if (any)
        adapt_property (node, list[i], any);
    }
}

gboolean
capra_raw_values_find (GeglNode *node, CapraRawValues *values)
{
  GParamSpec *property = gegl_node_find_property (node, "buffer");
  g_autoptr (GeglBuffer) buffer = NULL;

  if (!property || !g_type_is_a (property->value_type, GEGL_TYPE_BUFFER))
    return FALSE;
  gegl_node_get (node, "buffer", &buffer, NULL);
  if (!buffer || !capra_raw_values_get (buffer))
    return FALSE;
  *values = *capra_raw_values_get (buffer);
  return TRUE;
}
