/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of `capra run`: their options, and what they show. */
#include "ui/cli/run/run-figure.h"

#include <math.h>
#include <string.h>

#include "ui/batch/name-pattern.h"
#include "ui/cli/figure-options.h"
#include "ui/cli/run/figure-header.h"
#include "ui/cli/run/figure-image.h"
#include "ui/cli/run/items.h"
#include "ui/display/stretch-limits.h"
#include "ui/figure/sources.h"
#include "ui/pipeline/regular-file.h"

#define OWN_TABLE "graph"
#define MAX_TABLE_BYTES ((gsize) 1 << 30)
#define MAX_SIDE 1200 /* of a figure by default */

static char *path, *shown, *curve, *limits, *color_map, *sources, *axes, *title, *unit, *size;
static gboolean numbers;

static const GOptionEntry entries[] = {
  { "figure", 'f', 0, G_OPTION_ARG_FILENAME, &path,
    "Draw a figure to FILE (.png, .svg, .pdf), with a color bar and axes; {name} and {n} as for outputs", "FILE" },
  { "figure-image", 0, 0, G_OPTION_ARG_STRING, &shown,
    "What the figure shows: input or result (default: result; with --sources=graph input)", "IMAGE" },
  { "stretch", 0, 0, G_OPTION_ARG_STRING, &curve,
    "How values become colors: linear, sqrt, log or asinh (default: linear, for FITS files asinh)", "CURVE" },
  { "limits", 0, 0, G_OPTION_ARG_STRING, &limits,
    "The values with the first and the last color, or percentiles (default: 0.2%,99.8%; log: above the background)",
    "LOW,HIGH" },
  { "color-map", 0, 0, G_OPTION_ARG_STRING, &color_map, "gray, inverted-gray, viridis or inferno (default: inferno)",
    "NAME" },
  { "sources", 0, 0, G_OPTION_ARG_FILENAME, &sources,
    "Mark the sources in this table (.csv), or in the table that the graph makes (\"graph\")", "TABLE" },
  { "number-sources", 0, 0, G_OPTION_ARG_NONE, &numbers, "Write the number of its row beside each source", NULL },
  { "axes", 0, 0, G_OPTION_ARG_STRING, &axes,
    "sky, pixels or none (default: sky if the FITS file has world coordinates)", "AXES" },
  { "title", 0, 0, G_OPTION_ARG_STRING, &title, "Title of the figure", "TEXT" },
  { "unit", 0, 0, G_OPTION_ARG_STRING, &unit, "Unit of the values (default: that of the FITS file)", "TEXT" },
  { "figure-size", 0, 0, G_OPTION_ARG_STRING, &size,
    "Largest width and height of the figure in pixels (default: 1200x1200)", "SIZE" },
  { NULL },
};

const GOptionEntry *
run_figure_get_entries (void)
{
  return entries;
}

const char *
run_figure_get_path (void)
{
  return path;
}

char *
run_figure_dup_options (void)
{
  const char *texts[] = { path, shown, curve, limits, color_map, sources, axes, title, unit, size };
  GString *text = g_string_new (numbers ? "numbers\n" : "\n");

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_string_append_printf (text, "%s\n", texts[i] ? texts[i] : "");
  return g_string_free (text, FALSE);
}

gboolean
run_figure_needs_table (void)
{
  return path && g_strcmp0 (sources, OWN_TABLE) == 0;
}

gboolean
run_figure_shows_result (void)
{
  return path && (shown ? strcmp (shown, "result") == 0 : !run_figure_needs_table ());
}

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
  return FALSE;
}

/* A value, or a percentile that ends in "%". An empty text keeps the default. */
static gboolean
parse_limit (const char *text, double *percentile, double *value)
{
  char *end;
  double number = g_ascii_strtod (text, &end);

  if (!*text)
    return TRUE;
  if (end == text || !isfinite (number))
    return FALSE;
  if (!*end)
    {
      *value = number;
      return TRUE;
    }
  *percentile = number;
  return strcmp (end, "%") == 0 && number >= 0.0 && number <= 100.0;
}

/* NaN for a limit that is not given so. */
static gboolean
parse_limits (double percentiles[2], double values[2])
{
  g_auto (GStrv) parts = limits ? g_strsplit (limits, ",", -1) : NULL;

  percentiles[0] = percentiles[1] = values[0] = values[1] = NAN;
  if (!limits)
    return TRUE;
  return g_strv_length (parts) == 2 && parse_limit (g_strstrip (parts[0]), &percentiles[0], &values[0])
         && parse_limit (g_strstrip (parts[1]), &percentiles[1], &values[1]) && !(values[0] >= values[1])
         && !(percentiles[0] >= percentiles[1]);
}

static gboolean
has_orphans (void)
{
  return shown || curve || limits || color_map || sources || numbers || axes || title || unit || size;
}

gboolean
run_figure_check_options (gboolean several, const char *tables, GError **error)
{
  g_autofree char *table = tables ? g_ascii_strdown (tables, -1) : NULL;
  double percentiles[2], values[2], side;
  CapraStretchCurve known_curve;
  CapraColorMap known_map;

  if (!path)
    return !has_orphans () || refuse (error, "options of figures need --figure");
  if (!capra_page_check_name (path, error) || !figure_options_parse_size (size, &side, &side, error))
    return FALSE;
  if (several && !capra_name_pattern_varies (path))
    return refuse (error, "the figures of several images need {name} or {n} in the argument of --figure");
  if (shown && strcmp (shown, "input") != 0 && strcmp (shown, "result") != 0)
    return refuse (error, "--figure-image must be input or result");
  if (curve && !capra_stretch_curve_from_name (curve, &known_curve))
    return refuse (error, "--stretch must be linear, sqrt, log or asinh");
  if (color_map && !capra_color_map_from_name (color_map, &known_map))
    return refuse (error, "--color-map must be gray, inverted-gray, viridis or inferno");
  if (axes && strcmp (axes, "sky") != 0 && strcmp (axes, "pixels") != 0 && strcmp (axes, "none") != 0)
    return refuse (error, "--axes must be sky, pixels or none");
  if (!parse_limits (percentiles, values))
    return refuse (error, "--limits must be two values or percentiles, the low one first, such as 0,2.5 or 1%,99.5%");
  if (run_figure_needs_table () && table && (g_str_has_suffix (table, ".json") || g_str_has_suffix (table, ".npy")))
    return refuse (error, "--sources=graph reads the table from the file of --tables, which must be .csv");
  return !numbers || sources || refuse (error, "--number-sources needs --sources");
}

static void
set_stretch (CapraImageFigure *figure, gboolean fits)
{
  gsize count = (gsize) figure->width * (gsize) figure->height;
  double percentiles[2], values[2], chosen[2], found[2];

  parse_limits (percentiles, values);
  figure->stretch.curve = fits ? CAPRA_STRETCH_ASINH : CAPRA_STRETCH_LINEAR;
  capra_stretch_curve_from_name (curve, &figure->stretch.curve);
  capra_stretch_limits_choose (figure->values, count, figure->stretch.curve, chosen);
  capra_stretch_limits_find (
    figure->values, count,
    (const double[]){ isnan (percentiles[0]) ? 0.0 : percentiles[0], isnan (percentiles[1]) ? 100.0 : percentiles[1] },
    found);
  for (guint i = 0; i < 2; i++)
    values[i] = isnan (percentiles[i]) ? values[i] : found[i];
  figure->stretch.low = isnan (values[0]) ? chosen[0] : values[0];
  figure->stretch.high = isnan (values[1]) ? chosen[1] : values[1];
  if (figure->stretch.low < figure->stretch.high)
    return;
  if (isnan (values[0])) /* the other one was given */
    figure->stretch.low = figure->stretch.high - 1.0;
  else
    figure->stretch.high = figure->stretch.low + 1.0;
}

/* The table with positions among those in @text, which begin with the names of their columns. */
static char *
find_table (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) table = g_string_new (NULL);
  gboolean within = FALSE;

  for (guint i = 0; lines[i]; i++)
    {
      if (strstr (lines[i], "label") || strstr (lines[i], "mean"))
        within = table->len == 0 && strstr (lines[i], "centroid_x");
      if (within && *lines[i])
        g_string_append_printf (table, "%s\n", lines[i]);
    }
  return g_strdup (table->str);
}

/* A table without rows has no marks. */
static gboolean
has_rows (const char *table)
{
  const char *end = strchr (table, '\n');

  return end && end[1];
}

/* (transfer full): the marks; NULL without sources, or with @error set */
static GArray *
read_sources (const char *text, const char *table_path, const CapraSky *sky, GError **error)
{
  const char *file = run_figure_needs_table () ? table_path : sources;
  g_autofree char *table = NULL;
  g_autoptr (CapraColumns) columns = NULL;

  if (!sources)
    return NULL;
  table = text ? find_table (text) : capra_read_file (file, MAX_TABLE_BYTES, NULL, error);
  if (!table)
    return NULL;
  if (!has_rows (table))
    return g_array_new (FALSE, FALSE, sizeof (CapraMark));
  columns = capra_columns_parse (table, 0, error);
  if (!columns)
    g_prefix_error (error, "cannot read the table of sources: ");
  return columns ? capra_sources_new (columns, sky, error) : NULL;
}

/* By default, the coordinates of the file only for images of its size: operations may have scaled others. */
static const CapraSky *
choose_sky (FigureHeader *header, const FigureImage *image)
{
  gboolean wanted = axes ? strcmp (axes, "sky") == 0
                         : header && figure_header_has_size (header, image->extent.width, image->extent.height);

  return header && wanted ? figure_header_get_sky (header) : NULL;
}

gboolean
run_figure_draw (const char *file, GeglBuffer *buffer, const char *source, const char *source_image, const char *table,
                 const char *table_path, GError **error)
{
  g_autoptr (FigureHeader) header = figure_header_read (source, source_image);
  g_autoptr (FigureImage) image = figure_image_new (buffer, curve || limits || color_map);
  const CapraSky *sky = header ? figure_header_get_sky (header) : NULL;
  g_autoptr (GError) local = NULL;
  g_autoptr (GArray) marks = read_sources (table, table_path, sky, &local);
  g_autoptr (CapraPage) page = NULL;
  CapraImageFigure figure = { .values = image->values,
                              .colors = image->colors,
                              .smooth = !image->labels,
                              .width = image->extent.width,
                              .height = image->extent.height,
                              .x = image->extent.x,
                              .y = image->extent.y,
                              .map = CAPRA_COLOR_MAP_INFERNO,
                              .title = title,
                              .unit = unit     ? unit
                                      : header ? figure_header_get_unit (header)
                                               : NULL,
                              .sky = choose_sky (header, image),
                              .axes = !axes || strcmp (axes, "none") != 0,
                              .marks = marks,
                              .numbers = numbers,
                              .max_width = MAX_SIDE,
                              .max_height = MAX_SIDE };

  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (axes && strcmp (axes, "sky") == 0 && !sky)
    return refuse (error, header ? figure_header_get_problem (header) : "--axes=sky needs an image from a FITS file");
  capra_color_map_from_name (color_map, &figure.map);
  if (figure.values)
    set_stretch (&figure, header != NULL);
  page = figure_options_parse_size (size, &figure.max_width, &figure.max_height, error)
           ? capra_image_figure_draw (&figure)
           : NULL;
  return page && capra_page_save (page, file, error);
}
