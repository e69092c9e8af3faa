/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Npy-writer: writes arrays in the format of NumPy (.npy). See npy-reader.c for the format. */
#include "ui/pipeline/write/npy-writer.h"

#include <string.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_LENGTH 6
#define ALIGNMENT 64

/* Padded with spaces, so that the samples start at a multiple of 64 bytes. */
static char *
make_header (const CapraSampleLayout *layout, gsize *length)
{
  static const char *const names[] = {
    [CAPRA_SAMPLE_U8] = "u1",  [CAPRA_SAMPLE_I8] = "i1",  [CAPRA_SAMPLE_U16] = "u2", [CAPRA_SAMPLE_I16] = "i2",
    [CAPRA_SAMPLE_U32] = "u4", [CAPRA_SAMPLE_I32] = "i4", [CAPRA_SAMPLE_U64] = "u8", [CAPRA_SAMPLE_I64] = "i8",
    [CAPRA_SAMPLE_F32] = "f4", [CAPRA_SAMPLE_F64] = "f8",
  };
  char order = capra_sample_type_get_size (layout->type) == 1 ? '|' : G_BYTE_ORDER == G_LITTLE_ENDIAN ? '<' : '>';
  g_autoptr (GString) text = g_string_new (NULL);
  GString *header = g_string_new (MAGIC);

  g_string_printf (text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%d, %d", order, names[layout->type],
                   layout->height, layout->width);
  if (layout->channels > 1)
    g_string_append_printf (text, ", %d", layout->channels);
  g_string_append (text, "), }");
  while ((MAGIC_LENGTH + 4 + text->len + 1) % ALIGNMENT != 0)
    g_string_append_c (text, ' ');
  g_string_append_c (text, '\n');
  g_string_append_c (header, 1);
  g_string_append_c (header, 0);
  g_string_append_c (header, (char) (text->len & 255));
  g_string_append_c (header, (char) (text->len >> 8));
  g_string_append_len (header, text->str, (gssize) text->len);
  *length = header->len;
  return g_string_free (header, FALSE);
}

gboolean
capra_npy_write (CapraOutputFile *file, const CapraSampleLayout *layout, CapraSampleRows rows, gpointer data,
                 GError **error)
{
  gsize length, stride = capra_sample_layout_get_stride (layout);
  g_autofree char *header = make_header (layout, &length);
  int step = capra_sample_layout_get_band_rows (layout);
  g_autofree guint8 *band = g_malloc (stride * (gsize) step);

  if (!capra_output_file_write (file, header, length, error))
    return FALSE;
  for (int y = 0; y < layout->height; y += step)
    {
      int count = MIN (step, layout->height - y);

      if (!rows (y, count, band, data, error) || !capra_output_file_write (file, band, stride * (gsize) count, error))
        return FALSE;
    }
  return TRUE;
}
