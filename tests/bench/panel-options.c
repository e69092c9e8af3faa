/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bench-panel, and the cases that it measures. */
#include "tests/bench/panel-options.h"

#include <stdio.h>
#include <stdlib.h>

#define BLUR "capra:gaussian-blur std-dev-x=10 std-dev-y=10"
#define THREE "capra:gaussian-blur std-dev-x=3 std-dev-y=3 capra:box-blur radius=5 capra:threshold value=0.3"
#define REGIONS "capra:gaussian-blur std-dev-x=2 std-dev-y=2 capra:threshold value=0.3 capra:label capra:measure"

static const PanelCase known_cases[] = {
  { "blur", 1920, 1080, "R'G'B'A u8", 1.0, BLUR, FALSE },
  { "gray", 1920, 1080, "Y' u8", 1.0, BLUR, FALSE },
  { "float", 1920, 1080, "RGBA float", 1.0, BLUR, FALSE },
  { "three-steps", 1920, 1080, "R'G'B'A u8", 1.0, THREE, FALSE },
  { "table", 1920, 1080, "R'G'B'A u8", 1.0, REGIONS, FALSE },
  { "outlines", 1920, 1080, "R'G'B'A u8", 1.0, REGIONS, TRUE },
  { "large-fit", 8000, 6000, "R'G'B'A u8", 0.0, BLUR, FALSE },
  { "large-1:1", 8000, 6000, "R'G'B'A u8", 1.0, BLUR, FALSE },
  { "large-4:1", 8000, 6000, "R'G'B'A u8", 4.0, BLUR, FALSE },
  { "large-three-steps", 8000, 6000, "R'G'B'A u8", 1.0, THREE, FALSE },
  { "large-outlines-fit", 8000, 6000, "R'G'B'A u8", 0.0, REGIONS, TRUE },
  { "large-outlines", 8000, 6000, "R'G'B'A u8", 1.0, REGIONS, TRUE },
};

/* The options as text. */
typedef struct {
  char *cases, *steps, *size, *view, *format, *stretch;
  double scale;
  gboolean outlines;
} Texts;

static void
texts_clear (Texts *texts)
{
  g_free (texts->cases);
  g_free (texts->steps);
  g_free (texts->size);
  g_free (texts->view);
  g_free (texts->format);
  g_free (texts->stretch);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Texts, texts_clear)

static char *
list_cases (void)
{
  GString *text = g_string_new ("Cases:\n");

  for (guint i = 0; i < G_N_ELEMENTS (known_cases); i++)
    {
      const PanelCase *c = &known_cases[i];
      g_autofree char *zoom = c->scale == 0.0 ? g_strdup ("fit") : g_strdup_printf ("%g:1", c->scale);

      g_string_append_printf (text, "  %-19s %d x %d %s, %s%s: %s\n", c->name, c->width, c->height, c->format, zoom,
                              c->outlines ? ", outlines" : "", c->steps);
    }
  return g_string_free (text, FALSE);
}

static gboolean
parse_texts (PanelOptions *o, Texts *texts, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "cases", 'c', 0, G_OPTION_ARG_STRING, &texts->cases, "Cases of the list below (all)", "NAMES" },
    { "moves", 'm', 0, G_OPTION_ARG_INT, &o->moves, "Moves of the slider in each case (40)", "N" },
    { "pause", 'p', 0, G_OPTION_ARG_INT, &o->pause, "From the last picture and table to the next move (150)", "MS" },
    { "interval", 'i', 0, G_OPTION_ARG_INT, &o->interval,
      "Between two moves, which do not wait for pictures, as while a slider is dragged", "MS" },
    { "window", 'w', 0, G_OPTION_ARG_NONE, &o->window,
      "In a window, with the Results page where there is a table; also measures until the picture is drawn", NULL },
    { "view", 'v', 0, G_OPTION_ARG_STRING, &texts->view, "Size of the view (1920x1080)", "WIDTHxHEIGHT" },
    { "stretch", 't', 0, G_OPTION_ARG_STRING, &texts->stretch, "How values are shown: linear, sqrt, log or asinh",
      "CURVE" },
    { "steps", 'o', 0, G_OPTION_ARG_STRING, &texts->steps,
      "A case with these steps, such as 'capra:gaussian-blur std-dev-x=4', in place of the list", "STEPS" },
    { "size", 's', 0, G_OPTION_ARG_STRING, &texts->size, "Its size (1920x1080)", "WIDTHxHEIGHT" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &texts->format, "Its format (R'G'B'A u8)", "FORMAT" },
    { "zoom", 'z', 0, G_OPTION_ARG_DOUBLE, &texts->scale, "Its zoom, 0 to fit the image in the view (0)", "ZOOM" },
    { "outlines", 'l', 0, G_OPTION_ARG_NONE, &texts->outlines, "With the outlines of its regions", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *cases = list_cases ();

  g_option_context_set_summary (context, "Measures the time from the move of a slider to the picture in the panel.");
  g_option_context_set_description (context, cases);
  g_option_context_add_main_entries (context, entries, NULL);
  return g_option_context_parse (context, argc, argv, error);
}

static gboolean
parse_size (const char *text, int *width, int *height, GError **error)
{
  if (!text || (sscanf (text, "%dx%d", width, height) == 2 && *width > 0 && *height > 0))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "\"%s\" is not a size, such as 1920x1080", text);
  return FALSE;
}

static void
add_case (PanelOptions *o, const PanelCase *from)
{
  PanelCase copy = *from;

  copy.name = g_strdup (from->name);
  copy.format = g_strdup (from->format);
  copy.steps = g_strdup (from->steps);
  g_array_append_val (o->cases, copy);
}

static void
clear_case (gpointer data)
{
  PanelCase *c = data;

  g_free (c->name);
  g_free (c->format);
  g_free (c->steps);
}

static gboolean
choose_cases (PanelOptions *o, const char *text, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text ? text : "", ",", -1);

  for (guint i = 0; !text && i < G_N_ELEMENTS (known_cases); i++)
    add_case (o, &known_cases[i]);
  for (guint n = 0; names[n]; n++)
    {
      guint i = 0;

      while (i < G_N_ELEMENTS (known_cases) && !g_str_equal (names[n], known_cases[i].name))
        i++;
      if (i == G_N_ELEMENTS (known_cases))
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "unknown case \"%s\"; --help lists the cases",
                       names[n]);
          return FALSE;
        }
      add_case (o, &known_cases[i]);
    }
  return TRUE;
}

static gboolean
make_case (PanelOptions *o, const Texts *texts, GError **error)
{
  PanelCase own = { "steps",      1920,         1080,           texts->format ? texts->format : "R'G'B'A u8",
                    texts->scale, texts->steps, texts->outlines };

  if (!parse_size (texts->size, &own.width, &own.height, error))
    return FALSE;
  if (!babl_format_exists (own.format))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "babl has no format \"%s\"", own.format);
      return FALSE;
    }
  add_case (o, &own);
  return TRUE;
}

static gboolean
interpret (PanelOptions *o, const Texts *texts, GError **error)
{
  if (!parse_size (texts->view, &o->view_width, &o->view_height, error))
    return FALSE;
  if (o->moves < 1 || o->interval < 0 || o->pause < 0)
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           "--moves must be at least 1, --interval and --pause at least 0");
      return FALSE;
    }
  if (texts->stretch && !capra_stretch_curve_from_name (texts->stretch, &o->stretch.curve))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "unknown stretch \"%s\"; use linear, sqrt, log or asinh", texts->stretch);
      return FALSE;
    }
  o->stretch.enabled = texts->stretch != NULL;
  return texts->steps ? make_case (o, texts, error) : choose_cases (o, texts->cases, error);
}

gboolean
panel_options_parse (PanelOptions *options, int *argc, char ***argv, int *status)
{
  g_auto (Texts) texts = { NULL };
  g_autoptr (GError) error = NULL;

  *options = (PanelOptions){ .moves = 40,
                             .pause = 150,
                             .view_width = 1920,
                             .view_height = 1080,
                             .stretch = { .percent = CAPRA_DISPLAY_AUTOMATIC } };
  options->cases = g_array_new (FALSE, FALSE, sizeof (PanelCase));
  g_array_set_clear_func (options->cases, clear_case);
  if (parse_texts (options, &texts, argc, argv, &error) && interpret (options, &texts, &error))
    return TRUE;
  fprintf (stderr, "bench-panel: %s\n", error->message);
  *status = EXIT_FAILURE;
  return FALSE;
}

void
panel_options_clear (PanelOptions *options)
{
  g_array_unref (options->cases);
}
