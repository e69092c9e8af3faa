/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell-command: a whole command line that applies steps to a file. */
#include "ui/pipeline/text/shell-command.h"

#include <string.h>

#include "ui/pipeline/graph/graph-numbers.h"
#include "ui/pipeline/steps/step-source.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/raw-mark.h"
#include "ui/pipeline/text/shell-quote.h"

#define NOTHING "gegl:nop" /* for steps that are all disabled */

/* The formats that the program gegl reads and writes without changing values. It puts the name of the input into XML
 * without quoting it. */
static gboolean
is_usual (GeglBuffer *image, const char *input)
{
  static const char *const endings[] = { ".png", ".jpg", ".jpeg" };
  const Babl *format = gegl_buffer_get_format (image), *type = babl_format_get_type (format, 0);
  g_autofree char *lower = g_ascii_strdown (input, -1);
  gboolean known = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    known |= g_str_has_suffix (lower, endings[i]);
  return known && !strpbrk (input, "'&<") && g_utf8_validate (input, -1, NULL)
         && (type == babl_type ("u8") || type == babl_type ("u16"))
         && babl_format_get_space (format) == babl_space ("sRGB");
}

static void
append_word (GString *line, const char *option, const char *word)
{
  g_autofree char *quoted = capra_shell_quote (word);

  g_string_append_printf (line, " %s%s", option, quoted);
}

char *
capra_steps_to_shell_command (GPtrArray *steps, GeglBuffer *image, gboolean labels, const CapraCommandFiles *files)
{
  gboolean raw = capra_steps_have_raw_values (steps), table = capra_steps_have_table (steps);
  gboolean gegl = !raw && !table && !labels && files->frame < 0 && is_usual (image, files->input);
  gboolean source = capra_steps_have_source (steps);
  g_autofree char *chain = capra_steps_to_chain (steps);
  GString *line = g_string_new (gegl ? "gegl" : "capra run");

  if (raw)
    g_string_append (line, " " CAPRA_RAW_OPTION);
  if (files->dataset && !source)
    append_word (line, "--dataset=", files->dataset);
  if (files->frame >= 0 && !source)
    g_string_append_printf (line, " --frames=%" G_GINT64_FORMAT, files->frame);
  if (!source)
    append_word (line, "", files->input);
  append_word (line, "-o ", files->output);
  if (table)
    append_word (line, "--tables=", files->tables);
  g_string_append_printf (line, " -- %s", *chain ? chain : NOTHING);
  /* The size of the preview, where the result of the first step may have no end. */
  if (source)
    g_string_append_printf (line, " gegl:crop x=%d y=%d width=%d height=%d", gegl_buffer_get_x (image),
                            gegl_buffer_get_y (image), gegl_buffer_get_width (image), gegl_buffer_get_height (image));
  return g_string_free (line, FALSE);
}
