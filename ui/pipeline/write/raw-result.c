/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-result: the raw values that a graph computes, and the sample type of the file for them. */
#include "ui/pipeline/write/raw-result.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/pipeline/graph/display.h"
#include "ui/pipeline/error.h"

#define BAND 512 /* rows */
/* Alpha is 0 to 1 in the graph, where floats do not represent multiples of 1/255 or 1/65535 exactly. */
#define ALPHA_ERROR 0.01

void
capra_raw_result_clear (CapraRawResult *result)
{
  g_clear_object (&result->buffer);
}

/* The native format of the result, so that no value changes; but with the alpha association of the source file. */
static const Babl *
choose_format (const Babl *own, const CapraRawValues *data)
{
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (own));
  gboolean doubles = babl_format_get_type (own, 0) == babl_type ("double");
  gboolean associated = (flags & BABL_MODEL_FLAG_ASSOCIATED) != 0;
  gboolean gray = (flags & BABL_MODEL_FLAG_GRAY) != 0, alpha = babl_format_has_alpha (own);

  if (babl_format_is_palette (own) || !(flags & (BABL_MODEL_FLAG_GRAY | BABL_MODEL_FLAG_RGB)))
    return capra_raw_values_format (4, FALSE, doubles);
  if (alpha && associated != data->associated)
    return capra_raw_values_format ((gray ? 1 : 3) + alpha, data->associated, doubles);
  return own;
}

static gboolean
compute (CapraRawResult *result, CapraSaving *saving, const Babl *format, GError **error)
{
  const GeglRectangle *bounds = &saving->bounds;

  result->buffer = gegl_buffer_new (bounds, format);
  for (int y = 0; y < bounds->height; y += BAND)
    {
      GeglRectangle band = { bounds->x, bounds->y + y, bounds->width, MIN (BAND, bounds->height - y) };

      if (g_cancellable_set_error_if_cancelled (saving->cancellable, error))
        return FALSE;
      capra_saving_set_progress (saving, 0.9 * y / bounds->height);
      gegl_node_blit_buffer (capra_graph_get_output (saving->graph), result->buffer, &band, 0, GEGL_ABYSS_NONE);
    }
  return capra_graph_check (saving->graph, error);
}

static CapraSampleType
find_stored (const Babl *format)
{
  static const char *const names[] = { "u8", "u16", "u32", "half", "float", "double" };
  static const CapraSampleType types[] = { CAPRA_SAMPLE_U8,  CAPRA_SAMPLE_U16, CAPRA_SAMPLE_U32,
                                           CAPRA_SAMPLE_F16, CAPRA_SAMPLE_F32, CAPRA_SAMPLE_F64 };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (babl_format_get_type (format, 0) == babl_type (names[i]))
      return types[i];
  return CAPRA_SAMPLE_NONE;
}

/* A row of the result as doubles; alpha is 0 to 1. */
static gsize
read_row (const CapraRawResult *result, int y, gpointer samples, double *values)
{
  const Babl *format = gegl_buffer_get_format (result->buffer);
  const GeglRectangle *extent = gegl_buffer_get_extent (result->buffer);
  CapraSampleType stored = find_stored (format);
  gsize channels = (gsize) babl_format_get_n_components (format), count = (gsize) extent->width * channels;
  double opaque = capra_sample_type_get_opaque (stored);

  gegl_buffer_get (result->buffer, GEGL_RECTANGLE (extent->x, extent->y + y, extent->width, 1), 1.0, format, samples,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  capra_samples_to_doubles (stored, samples, count, values);
  for (gsize i = channels - 1; channels % 2 == 0 && i < count; i += channels)
    values[i] /= opaque;
  return count;
}

/* Scales @value to a file of that type. */
static double
scale (CapraSampleType type, gboolean alpha, double value)
{
  double scaled = value * (alpha ? capra_sample_type_get_opaque (type) : 1.0);

  return alpha && capra_sample_type_is_integer (type) && fabs (scaled - rint (scaled)) <= ALPHA_ERROR ? rint (scaled)
                                                                                                      : scaled;
}

/* Whether the type represents all values of the result, after rounding if @rounded. If not, @misfit is one that it does
 * not represent. */
static gboolean
holds_all (const CapraRawResult *result, CapraSampleType type, gboolean rounded, double *misfit)
{
  const Babl *format = gegl_buffer_get_format (result->buffer);
  const GeglRectangle *extent = gegl_buffer_get_extent (result->buffer);
  gsize channels = (gsize) babl_format_get_n_components (format);
  g_autofree double *values = g_new (double, (gsize) extent->width * channels);
  g_autofree double *samples = g_new (double, (gsize) extent->width * channels);

  if (type == find_stored (format))
    return TRUE;
  for (int y = 0; y < extent->height; y++)
    {
      gsize count = read_row (result, y, samples, values);

      for (gsize i = 0; i < count; i++)
        {
          double value = scale (type, channels % 2 == 0 && i % channels == channels - 1, values[i]);

          if (!capra_sample_type_holds (type, rounded ? rint (value) : value))
            {
              *misfit = values[i];
              return FALSE;
            }
        }
    }
  return TRUE;
}

/* Tries types in turn. */
static gboolean
choose (CapraRawResult *result, const CapraSampleType *types, guint count, gboolean rounded, double *misfit)
{
  for (guint i = 0; i < count; i++)
    if (types[i] != CAPRA_SAMPLE_NONE && holds_all (result, types[i], rounded, misfit))
      {
        result->layout.type = types[i];
        return TRUE;
      }
  return FALSE;
}

static gboolean
fail_bits (int bits, double misfit, GError **error)
{
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               _ ("%d bits store values from 0 to %d, but the result contains others, such as %g. Save as TIFF or .npy "
                  "without selecting bits, or scale the values"),
               bits, (1 << bits) - 1, misfit);
  return FALSE;
}

static gboolean
fail_png (double misfit, GError **error)
{
  g_set_error (
    error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
    _ ("PNG stores integers from 0 to 65535, but the result contains other values, such as %g. Save as TIFF or "
       ".npy, or round the values (\"--bits=16\")"),
    misfit);
  return FALSE;
}

/* The sample type of the source file, if the output format supports it: few programs read 64-bit integers in TIFF, or
 * 16-bit floats. */
static CapraSampleType
get_source_type (CapraSampleType type, gboolean npy)
{
  if (type == CAPRA_SAMPLE_F16 || (!npy && (type == CAPRA_SAMPLE_I64 || type == CAPRA_SAMPLE_U64)))
    return CAPRA_SAMPLE_NONE;
  return type;
}

static gboolean
choose_type (CapraRawResult *result, const CapraRawValues *data, const char *suffix, int bits, GError **error)
{
  static const CapraSampleType unsigned_ones[] = { CAPRA_SAMPLE_U8, CAPRA_SAMPLE_U16, CAPRA_SAMPLE_U32 };
  gboolean labels = capra_format_is_labels (gegl_buffer_get_format (result->buffer));
  gboolean png = strcmp (suffix, "png") == 0;
  CapraSampleType own = get_source_type (data->type, strcmp (suffix, "npy") == 0);
  CapraSampleType large = data->type == CAPRA_SAMPLE_I64 || data->type == CAPRA_SAMPLE_U64 ? CAPRA_SAMPLE_I32
                                                                                           : CAPRA_SAMPLE_NONE;
  const CapraSampleType others[] = { own, large, large ? CAPRA_SAMPLE_U32 : CAPRA_SAMPLE_NONE, CAPRA_SAMPLE_F32,
                                     CAPRA_SAMPLE_F64 };
  double misfit = 0.0;

  if (bits)
    return choose (result, &unsigned_ones[bits / 16], 1, TRUE, &misfit) || fail_bits (bits, misfit, error);
  if (png && own == CAPRA_SAMPLE_U16 && !labels)
    return choose (result, &unsigned_ones[1], 1, FALSE, &misfit) || fail_png (misfit, error);
  if (png)
    return choose (result, unsigned_ones, 2, FALSE, &misfit) || fail_png (misfit, error);
  if (labels)
    return choose (result, unsigned_ones, G_N_ELEMENTS (unsigned_ones), FALSE, &misfit);
  return choose (result, others, G_N_ELEMENTS (others), FALSE, &misfit)
         || capra_saving_refuse (error, _ ("No file format can store the values of the result"));
}

gboolean
capra_raw_result_compute (CapraRawResult *result, CapraSaving *saving, const char *suffix, GError **error)
{
  const CapraRawValues *data = capra_graph_get_raw_values (saving->graph);
  const Babl *format;

  g_return_val_if_fail (data != NULL, FALSE);
  *result = (CapraRawResult){ .buffer = NULL };
  format = choose_format (capra_graph_get_format (saving->graph), data);
  if (!compute (result, saving, format, error))
    return FALSE;
  result->layout = (CapraSampleLayout){ .width = saving->bounds.width,
                                        .height = saving->bounds.height,
                                        .channels = babl_format_get_n_components (format),
                                        .associated = data->associated && babl_format_has_alpha (format) };
  return choose_type (result, data, suffix, saving->bits, error);
}

gboolean
capra_raw_result_get_rows (int y, int rows, gpointer samples, gpointer data, GError **error)
{
  const CapraRawResult *result = data;
  gsize channels = (gsize) result->layout.channels, count = (gsize) result->layout.width * channels;
  gsize stride = capra_sample_layout_get_stride (&result->layout);
  g_autofree double *values = g_new (double, count), *raw = g_new (double, count);
  const Babl *format = gegl_buffer_get_format (result->buffer);
  const GeglRectangle *extent = gegl_buffer_get_extent (result->buffer);

  if (result->layout.type == find_stored (format))
    {
      gegl_buffer_get (result->buffer, GEGL_RECTANGLE (extent->x, extent->y + y, extent->width, rows), 1.0, format,
                       samples, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      return TRUE;
    }
  for (int i = 0; i < rows; i++)
    {
      read_row (result, y + i, raw, values);
      for (gsize j = channels - 1; channels % 2 == 0 && j < count; j += channels)
        values[j] = scale (result->layout.type, TRUE, values[j]);
      capra_samples_from_doubles (result->layout.type, values, count, (guint8 *) samples + (gsize) i * stride);
    }
  return TRUE;
}
