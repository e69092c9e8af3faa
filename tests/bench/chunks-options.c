/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bench-chunks. */
#include "tests/bench/chunks-options.h"

#include <stdio.h>

#define ALL_SHAPES "64x64,128x128,256x256,512x512,1024x512,64x64-shuffled,256x256-shuffled"

/* The selection of --short. */
#define SHORT_OPERATIONS "gaussian-2,gaussian-50,threshold,chain"
#define SHORT_FORMATS "Y' u8,R'G'B'A u16,RGBA float"
#define SHORT_SHAPES "256x256-shuffled"

/* The options as text. */
typedef struct {
  char *operations, *formats, *shapes, *size;
  gboolean brief;
} Texts;

static void
texts_clear (Texts *texts)
{
  g_free (texts->operations);
  g_free (texts->formats);
  g_free (texts->shapes);
  g_free (texts->size);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Texts, texts_clear)

static gboolean
parse_texts (ChunksOptions *o, Texts *texts, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "operations", 'o', 0, G_OPTION_ARG_STRING, &texts->operations, "Operations, such as 'gaussian-2,threshold'",
      "NAMES" },
    { "formats", 'f', 0, G_OPTION_ARG_STRING, &texts->formats, "Formats, such as \"Y' u8,RGBA float\"", "FORMATS" },
    { "shapes", 'c', 0, G_OPTION_ARG_STRING, &texts->shapes,
      "Chunks, such as '256x256,64x64-shuffled' (in rows from the top, or in random order)", "SHAPES" },
    { "size", 's', 0, G_OPTION_ARG_STRING, &texts->size, "Size of the image (2400x1600)", "WIDTHxHEIGHT" },
    { "device", 'd', 0, G_OPTION_ARG_STRING, &o->device, "Device of Capra's operations", "DEVICE" },
    { "repeats", 'r', 0, G_OPTION_ARG_INT, &o->repeats, "How often each is measured (5; with --short 3)", "N" },
    { "limit", 'l', 0, G_OPTION_ARG_INT, &o->seconds,
      "Seconds after which a rendering in chunks ends; its time is extrapolated and marked ~ (10)", "SECONDS" },
    { "median", 'm', 0, G_OPTION_ARG_NONE, &o->median, "Print medians, not the best times", NULL },
    { "short", 0, 0, G_OPTION_ARG_NONE, &texts->brief, "A selection that takes less than two minutes on two cores",
      NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (g_option_context_parse (context, argc, argv, &error))
    return TRUE;
  fprintf (stderr, "%s\n", error->message);
  return FALSE;
}

/* Splits @text; each part must be one of @known. */
static gboolean
parse_names (const char *text, const char *const *known, char ***names)
{
  *names = text ? g_strsplit (text, ",", -1) : NULL;
  for (guint i = 0; *names && (*names)[i]; i++)
    if (!g_strv_contains (known, (*names)[i]))
      {
        g_autofree char *list = g_strjoinv (", ", (char **) known);

        fprintf (stderr, "unknown name \"%s\"; use one of: %s\n", (*names)[i], list);
        return FALSE;
      }
  return TRUE;
}

static gboolean
parse_shapes (ChunksOptions *o, const char *text)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  o->shapes = g_new0 (ChunksShape, g_strv_length (names) + 1);
  for (guint i = 0; names[i]; i++)
    {
      ChunksShape *shape = &o->shapes[o->n_shapes++];

      shape->name = g_strdup (names[i]);
      shape->shuffled = g_str_has_suffix (names[i], "-shuffled");
      if (sscanf (names[i], "%dx%d", &shape->width, &shape->height) != 2 || MIN (shape->width, shape->height) < 1)
        {
          fprintf (stderr, "unknown shape \"%s\"; a shape is such as 256x256 or 64x64-shuffled\n", names[i]);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
parse_size (ChunksOptions *o, const char *text)
{
  const int least = 64;

  if (sscanf (text, "%dx%d", &o->width, &o->height) == 2 && MIN (o->width, o->height) >= least)
    return TRUE;
  fprintf (stderr, "unknown size \"%s\"; a size is such as 2400x1600, and at least %dx%d\n", text, least, least);
  return FALSE;
}

gboolean
chunks_options_parse (ChunksOptions *options, const char *const *operations, const char *const *formats, int *argc,
                      char ***argv)
{
  g_auto (Texts) texts = { NULL };

  options->seconds = 10;
  if (!parse_texts (options, &texts, argc, argv))
    return FALSE;
  if (texts.brief && !texts.operations)
    texts.operations = g_strdup (SHORT_OPERATIONS);
  if (texts.brief && !texts.formats)
    texts.formats = g_strdup (SHORT_FORMATS);
  if (!texts.shapes)
    texts.shapes = g_strdup (texts.brief ? SHORT_SHAPES : ALL_SHAPES);
  if (options->repeats == 0)
    options->repeats = texts.brief ? 3 : 5;
  if (MIN (options->repeats, options->seconds) < 1)
    {
      fprintf (stderr, "repeats and limit must be at least 1\n");
      return FALSE;
    }
  return parse_names (texts.operations, operations, &options->operations)
         && parse_names (texts.formats, formats, &options->formats) && parse_shapes (options, texts.shapes)
         && parse_size (options, texts.size ? texts.size : "2400x1600");
}

void
chunks_options_clear (ChunksOptions *options)
{
  for (guint i = 0; i < options->n_shapes; i++)
    g_free (options->shapes[i].name);
  g_free (options->shapes);
  g_strfreev (options->operations);
  g_strfreev (options->formats);
  g_free (options->device);
}
