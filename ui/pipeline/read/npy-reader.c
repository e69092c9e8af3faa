/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Npy-reader: reads arrays in the format of NumPy (.npy).
 *
 * The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. A magic string, a version, the
 * length of the header, the header (a Python dictionary as text), the samples. */
#include "ui/pipeline/read/npy-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/error.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_LENGTH 6
#define MAX_HEADER (1 << 20)

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, message);
  return FALSE;
}

/* The text of the value of @key, without its quotes or parentheses. */
static char *
find_value (const char *header, const char *key)
{
  g_autofree char *single = g_strdup_printf ("'%s'", key), *twice = g_strdup_printf ("\"%s\"", key);
  const char *at = strstr (header, single), *end;

  if (!at)
    at = strstr (header, twice);
  if (!at)
    return NULL;
  at += strlen (single);
  at += strspn (at, " \t:");
  if (*at == '\'' || *at == '"')
    end = strchr (at + 1, *at);
  else if (*at == '(')
    end = strchr (at, ')');
  else
    end = at + strcspn (at, ",} \n");
  if (!end)
    return NULL;
  return *at == '\'' || *at == '"' || *at == '(' ? g_strndup (at + 1, (gsize) (end - at - 1))
                                                 : g_strndup (at, (gsize) (end - at));
}

/* "<u2": byte order, kind, bytes. */
static gboolean
read_type (const char *text, CapraSampleType *type, gboolean *swapped, GError **error)
{
  static const struct {
    const char *name;
    CapraSampleType type;
  } names[] = {
    { "u1", CAPRA_SAMPLE_U8 },  { "i1", CAPRA_SAMPLE_I8 },  { "u2", CAPRA_SAMPLE_U16 }, { "i2", CAPRA_SAMPLE_I16 },
    { "u4", CAPRA_SAMPLE_U32 }, { "i4", CAPRA_SAMPLE_I32 }, { "u8", CAPRA_SAMPLE_U64 }, { "i8", CAPRA_SAMPLE_I64 },
    { "f2", CAPRA_SAMPLE_F16 }, { "f4", CAPRA_SAMPLE_F32 }, { "f8", CAPRA_SAMPLE_F64 }, { "b1", CAPRA_SAMPLE_U8 },
  };

  if (text && *text && strchr ("<>|=", *text))
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      if (strcmp (text + 1, names[i].name) == 0)
        {
          *type = names[i].type;
          *swapped = *text == (G_BYTE_ORDER == G_LITTLE_ENDIAN ? '>' : '<');
          return TRUE;
        }
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               _ ("Unsupported array type \"%s\"; save the array as integers or floats"), text ? text : "");
  return FALSE;
}

/* "480, 640" or "480, 640, 3". */
static gboolean
read_shape (const char *text, CapraSampleLayout *layout, GError **error)
{
  gint64 sizes[3] = { 0, 0, 1 };
  guint count = 0;
  const char *at = text;

  while (at && *(at += strspn (at, " ,\t\n")))
    {
      char *end;
      gint64 size = g_ascii_strtoll (at, &end, 10);

      if (end == at || size < 0)
        return fail (error, _ ("The file is damaged: invalid array shape"));
      if (count < G_N_ELEMENTS (sizes))
        sizes[count] = size;
      count++;
      at = end;
    }
  if (count < 2 || count > 3 || sizes[2] < 1 || sizes[2] > 4)
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                   _ ("Unsupported array shape (%s): an image has 2 dimensions, or 3 of which the last is 1 to 4; "
                      "save a single plane"),
                   text ? text : "");
      return FALSE;
    }
  layout->height = (int) MIN (sizes[0], G_MAXINT);
  layout->width = (int) MIN (sizes[1], G_MAXINT);
  layout->channels = (int) sizes[2];
  return TRUE;
}

typedef struct {
  CapraSampleLayout layout;
  gboolean swapped, column_order;
  const guint8 *samples;
} Array;

static gboolean
read_header (const guint8 *data, gsize length, Array *array, GError **error)
{
  gsize start = MAGIC_LENGTH + 4, header = 0, bytes;
  g_autofree char *text = NULL, *type = NULL, *shape = NULL, *order = NULL;

  if (length < MAGIC_LENGTH + 6 || memcmp (data, MAGIC, MAGIC_LENGTH) != 0)
    return fail (error, _ ("The file is not a NumPy array"));
  header = data[8] | (gsize) data[9] << 8;
  if (data[6] >= 2)
    {
      header |= (gsize) data[10] << 16 | (gsize) data[11] << 24;
      start += 2;
    }
  if (data[6] < 1 || data[6] > 3 || header > MAX_HEADER)
    return fail (error, _ ("Unknown version of the NumPy format, or damaged header"));
  if (header > length - start)
    return fail (error, _ ("The file is incomplete: the end of the image is missing"));
  text = g_strndup ((const char *) data + start, header);
  type = find_value (text, "descr");
  shape = find_value (text, "shape");
  order = find_value (text, "fortran_order");
  if (!read_type (type, &array->layout.type, &array->swapped, error) || !read_shape (shape, &array->layout, error)
      || !capra_sample_layout_check (&array->layout, error))
    return FALSE;
  array->column_order = g_strcmp0 (order, "True") == 0;
  array->samples = data + start + header;
  bytes = capra_sample_layout_get_stride (&array->layout) * (gsize) array->layout.height;
  return bytes <= length - start - header
         || fail (error, _ ("The file is incomplete: the end of the image is missing"));
}

/* Gathers rows of an array in column order. */
static void
gather_columns (const Array *array, int y, int rows, guint8 *band)
{
  const CapraSampleLayout *layout = &array->layout;
  gsize size = capra_sample_type_get_size (layout->type), pixel = size * (gsize) layout->channels;
  gsize height = (gsize) layout->height, width = (gsize) layout->width;

  for (gsize c = 0; c < (gsize) layout->channels; c++)
    for (gsize x = 0; x < width; x++)
      for (gsize i = 0; i < (gsize) rows; i++)
        memcpy (band + (i * width + x) * pixel + c * size,
                array->samples + ((c * width + x) * height + (gsize) y + i) * size, size);
}

gboolean
capra_npy_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  Array array = { .layout = { .width = 0 } };
  g_autofree guint8 *band = NULL;
  gsize stride;
  int step;

  if (!map
      || !read_header ((const guint8 *) g_mapped_file_get_contents (map), g_mapped_file_get_length (map), &array, error)
      || !sink->begin (&array.layout, sink->data, error))
    return FALSE;
  stride = capra_sample_layout_get_stride (&array.layout);
  step = capra_sample_layout_get_band_rows (&array.layout);
  band = g_malloc (stride * (gsize) step);
  for (int y = 0; y < array.layout.height; y += step)
    {
      int rows = MIN (step, array.layout.height - y);

      if (array.column_order)
        gather_columns (&array, y, rows, band);
      else /* copied because samples can be unaligned */
        memcpy (band, array.samples + (gsize) y * stride, stride * (gsize) rows);
      if (array.swapped)
        capra_samples_swap_bytes (array.layout.type, band,
                                  (gsize) array.layout.width * (gsize) array.layout.channels * (gsize) rows);
      if (!sink->rows (y, rows, band, sink->data, error))
        return FALSE;
    }
  return TRUE;
}
