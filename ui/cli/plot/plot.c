/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program capra-plot: the command `capra plot`, which draws curves from files of numbers. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/cli/figure-options.h"
#include "ui/cli/plot/plot-columns.h"
#include "ui/cli/plot/plot-nexus.h"
#include "ui/cli/standard-output.h"
#include "ui/figure/curve-figure.h"
#include "ui/figure/units.h"
#include "ui/pipeline/write/output-file.h"

static char *output, *columns, *log_axes, *title, *x_label, *y_label, *legend, *size;
static int frame;
static char **inputs;
static gboolean version;

static const GOptionEntry entries[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the figure to FILE (.png, .svg or .pdf)", "FILE" },
  { "columns", 'c', 0, G_OPTION_ARG_STRING, &columns,
    "The columns for x, y and, if wanted, the error: names or numbers from 1, separated by commas", "COLUMNS" },
  { "frame", 'n', 0, G_OPTION_ARG_INT, &frame,
    "The block of rows in a file with several, such as those of `capra integrate`, from 0", "NUMBER" },
  { "log", 'l', 0, G_OPTION_ARG_STRING, &log_axes, "Logarithmic axes: x, y or xy", "AXES" },
  { "title", 0, 0, G_OPTION_ARG_STRING, &title, "Title of the figure", "TEXT" },
  { "x-label", 0, 0, G_OPTION_ARG_STRING, &x_label, "Title of the x axis, with its unit (default: the column's name)",
    "TEXT" },
  { "y-label", 0, 0, G_OPTION_ARG_STRING, &y_label, "Title of the y axis, with its unit (default: the column's name)",
    "TEXT" },
  { "legend", 0, 0, G_OPTION_ARG_STRING, &legend,
    "Names of the curves, separated by commas (default: the names of several files)", "NAMES" },
  { "size", 's', 0, G_OPTION_ARG_STRING, &size, "Width and height in pixels (default: 1200x800)", "SIZE" },
  { "version", 0, 0, G_OPTION_ARG_NONE, &version, "Print the version", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, NULL, NULL },
  { NULL },
};

static const char summary[] = "Draws curves with their errors: a file of numbers in columns for each curve, such as\n"
                              "integrations of diffraction frames.";
static const char examples[] = "Examples:\n"
                               "  capra plot integrated.dat -o curve.png --log=y\n"
                               "  capra plot a.csv b.csv -o both.pdf --columns=q,mean,sem --legend='cold,hot'";

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, message);
  return FALSE;
}

static gboolean
check_options (GError **error)
{
  g_auto (GStrv) names = legend ? g_strsplit (legend, ",", -1) : NULL;

  if (!inputs)
    return refuse (error, "no files; give files with columns of numbers");
  if (!output)
    return refuse (error, "no output; give --output");
  if (frame < 0)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "--frame=%d is out of range: the first frame is 0",
                   frame);
      return FALSE;
    }
  if (log_axes && strcmp (log_axes, "x") != 0 && strcmp (log_axes, "y") != 0 && strcmp (log_axes, "xy") != 0)
    return refuse (error, "--log must be x, y or xy");
  if (names && g_strv_length (names) != g_strv_length (inputs))
    return refuse (error, "--legend needs as many names as there are files");
  return capra_page_check_name (output, error);
}

/* What is drawn of the files. */
typedef struct {
  GPtrArray *files; /* of CapraColumns */
  CapraCurve *curves;
  char *x_name, *y_name;
} Curves;

static void
clear_curves (Curves *curves)
{
  g_ptr_array_unref (curves->files);
  for (guint i = 0; inputs && inputs[i]; i++)
    g_free ((char *) curves->curves[i].name);
  g_free (curves->curves);
  g_free (curves->x_name);
  g_free (curves->y_name);
}

static void
columns_free (gpointer data)
{
  capra_columns_free (data);
}

static char *
name_column (const CapraColumns *table, int column, const char *other)
{
  return capra_units_name_column (table->names ? table->names[column] : other);
}

static gboolean
read_curve (Curves *curves, guint i, char **names, GError **error)
{
  CapraColumns *table = plot_nexus_has_name (inputs[i]) ? plot_nexus_read (inputs[i], (guint) frame, error)
                                                        : capra_columns_read (inputs[i], (guint) frame, error);
  CapraCurve *curve = &curves->curves[i];
  PlotColumns chosen;

  if (!table)
    return FALSE;
  g_ptr_array_add (curves->files, table);
  if (!plot_columns_choose (table, columns, &chosen, error))
    {
      g_prefix_error (error, "%s: ", inputs[i]);
      return FALSE;
    }
  curve->x = capra_columns_get (table, (guint) chosen.x);
  curve->y = capra_columns_get (table, (guint) chosen.y);
  curve->error = chosen.error >= 0 ? capra_columns_get (table, (guint) chosen.error) : NULL;
  curve->count = table->n_rows;
  curve->name = names ? g_strdup (names[i]) : inputs[1] ? g_filename_display_basename (inputs[i]) : NULL;
  if (i == 0)
    {
      curves->x_name = x_label ? g_markup_escape_text (x_label, -1) : name_column (table, chosen.x, "x");
      curves->y_name = y_label ? g_markup_escape_text (y_label, -1) : name_column (table, chosen.y, "y");
    }
  return TRUE;
}

static gboolean
plot (GError **error)
{
  guint count = g_strv_length (inputs);
  g_auto (GStrv) names = legend ? g_strsplit (legend, ",", -1) : NULL;
  Curves curves = { g_ptr_array_new_with_free_func (columns_free), g_new0 (CapraCurve, count), NULL, NULL };
  CapraCurveFigure figure = { .curves = curves.curves,
                              .n_curves = count,
                              .x_log = log_axes && strchr (log_axes, 'x'),
                              .y_log = log_axes && strchr (log_axes, 'y'),
                              .title = title,
                              .width = 1200,
                              .height = 800 };
  g_autoptr (CapraPage) page = NULL;
  gboolean good = figure_options_parse_size (size, &figure.width, &figure.height, error);

  for (guint i = 0; good && i < count; i++)
    good = read_curve (&curves, i, names, error);
  if (good)
    {
      figure.x_label = curves.x_name;
      figure.y_label = curves.y_name;
      page = capra_curve_figure_draw (&figure, error);
      good = page && capra_page_save (page, output, error);
    }
  clear_curves (&curves);
  return good;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new ("FILE…");
  g_autoptr (GError) error = NULL;

  standard_output_check_at_exit ("capra plot");
  capra_output_file_handle_signals ();
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  g_set_prgname ("capra plot");
  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_set_summary (options, summary);
  g_option_context_set_description (options, examples);
  if (!g_option_context_parse (options, &argc, &argv, &error) || (!version && !check_options (&error)))
    {
      fprintf (stderr, "capra plot: %s\n", error->message);
      return 2;
    }
  if (version)
    {
      printf ("capra %s\n", CAPRA_VERSION);
      return 0;
    }
  if (plot (&error))
    return 0;
  fprintf (stderr, "capra plot: %s\n", error->message);
  return error->domain == G_OPTION_ERROR ? 2 : 1;
}
