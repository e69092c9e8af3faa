/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-tiff: writes TIFF with libtiff, in the sample type of the result, like gegl:tiff-save. */
#include "ui/pipeline/write/save-private.h"

#include "ui/pipeline/write/tiff-writer.h"

/* How a babl model is stored. */
typedef struct {
  const char *models[4];                /* stored in this layout; the file uses the first one */
  guint16 photometric, channels, alpha; /* alpha: EXTRASAMPLE_…, 0 without alpha */
} Layout;

static const Layout layouts[] = {
  { { "Y'", "Y" }, PHOTOMETRIC_MINISBLACK, 1, 0 },
  { { "Y'A", "YA" }, PHOTOMETRIC_MINISBLACK, 2, EXTRASAMPLE_UNASSALPHA },
  { { "Y'aA", "YaA" }, PHOTOMETRIC_MINISBLACK, 2, EXTRASAMPLE_ASSOCALPHA },
  { { "R'G'B'", "RGB" }, PHOTOMETRIC_RGB, 3, 0 },
  { { "R'G'B'A", "RGBA" }, PHOTOMETRIC_RGB, 4, EXTRASAMPLE_UNASSALPHA },
  { { "R'aG'aB'aA", "RaGaBaA" }, PHOTOMETRIC_RGB, 4, EXTRASAMPLE_ASSOCALPHA },
  { { "CMYK", "cmyk" }, PHOTOMETRIC_SEPARATED, 4, 0 },
  { { "CMYKA", "cmykA", "CaMaYaKaA", "camayakaA" }, PHOTOMETRIC_SEPARATED, 5, EXTRASAMPLE_UNASSALPHA },
};

static const struct {
  const char *name;
  guint16 bits, format;
} types[] = {
  { "u8", 8, SAMPLEFORMAT_UINT },      { "u16", 16, SAMPLEFORMAT_UINT },     { "u32", 32, SAMPLEFORMAT_UINT },
  { "half", 16, SAMPLEFORMAT_IEEEFP }, { "float", 32, SAMPLEFORMAT_IEEEFP }, { "double", 64, SAMPLEFORMAT_IEEEFP },
};

static const Layout *
find_layout (const Babl *format)
{
  const Babl *model = babl_format_get_model (format);

  for (guint i = 0; i < G_N_ELEMENTS (layouts) && !babl_format_is_palette (format); i++)
    for (guint j = 0; j < G_N_ELEMENTS (layouts[i].models) && layouts[i].models[j]; j++)
      if (babl_model_is (model, layouts[i].models[j]))
        return &layouts[i];
  return &layouts[babl_format_has_alpha (format) ? 4 : 3];
}

/* The index in types; types that TIFF does not have become float. */
static guint
find_type (const Babl *format)
{
  const Babl *type = babl_format_get_type (format, 0);
  guint found = 4;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (type == babl_type (types[i].name))
      found = i;
  return babl_format_is_palette (format) ? 0 : found;
}

typedef struct {
  CapraSaving *saving;
  const Babl *format;
} Writing;

static gboolean
get_rows (int y, int rows, gpointer pixels, gpointer data, GError **error)
{
  Writing *writing = data;

  return capra_saving_render (writing->saving, y, rows, writing->format, pixels, GEGL_AUTO_ROWSTRIDE, error);
}

gboolean
capra_write_tiff (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  const Babl *own = capra_graph_get_format (saving->graph), *space = babl_format_get_space (own);
  const Layout *stored = find_layout (own);
  guint type = find_type (own);
  g_autofree char *name = g_strdup_printf ("%s %s", stored->models[0], types[type].name);
  Writing writing = { saving, babl_format_with_space (name, space) };
  CapraTiffLayout layout = { .width = saving->bounds.width,
                             .height = saving->bounds.height,
                             .channels = stored->channels,
                             .bits = types[type].bits,
                             .format = types[type].format,
                             .photometric = stored->photometric,
                             .alpha = stored->alpha };

  layout.profile = babl_space_get_icc (space, &layout.profile_length);
  return capra_tiff_write (file, &layout, get_rows, &writing, error);
}
