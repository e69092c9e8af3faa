/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Script-fu: steps as a script for GIMP's Script-Fu. */
#include "ui/pipeline/text/script-fu.h"

#include "ui/pipeline/text/pipeline-xml.h"

/* Of GIMP 2 and 3. */
typedef struct {
  const char *open_image, *open_layer; /* of the image that was opened last */
  const char *file_layer;
  const char *call; /* with the XML */
} Procedures;

static const Procedures gimp_2 = {
  .open_image = "(vector-ref (cadr (gimp-image-list)) 0)",
  .open_layer = "(car (gimp-image-get-active-drawable image))",
  .file_layer = "(car (gimp-image-get-active-drawable image))",
  .call = "  (plug-in-capra RUN-NONINTERACTIVE image layer\n    %s)\n",
};

static const Procedures gimp_3 = {
  .open_image = "(vector-ref (car (gimp-get-images)) 0)",
  .open_layer = "(vector-ref (car (gimp-image-get-selected-drawables image)) 0)",
  .file_layer = "(vector-ref (car (gimp-image-get-layers image)) 0)",
  .call = "  (plug-in-capra #:run-mode RUN-NONINTERACTIVE #:image image #:drawables (vector layer)\n    #:xml %s)\n",
};

/* GIMP's Scheme reads strings of at most 1023 bytes. */
#define MAX_STRING 500

/* As a string of Scheme; a character of UTF-8 is not divided. Returns: what is left of @text */
static const char *
append_string (GString *quoted, const char *text)
{
  const char *end = text + MAX_STRING;
  char last = '\0';

  g_string_append_c (quoted, '"');
  for (; *text && last != '\n' && (text < end || ((guchar) *text & 0xc0) == 0x80); text++)
    {
      last = *text;
      if (last == '\n')
        g_string_append (quoted, "\\n");
      else if (last == '"' || last == '\\')
        g_string_append_printf (quoted, "\\%c", last);
      else
        g_string_append_c (quoted, last);
    }
  g_string_append_c (quoted, '"');
  return text;
}

/* An expression of Scheme: a string, or several that are joined, one for each line. */
static char *
quote (const char *text)
{
  GString *quoted = g_string_new (NULL);

  text = append_string (quoted, text);
  if (!*text)
    return g_string_free (quoted, FALSE);
  g_string_prepend (quoted, "(string-append\n      ");
  while (*text)
    {
      g_string_append (quoted, "\n      ");
      text = append_string (quoted, text);
    }
  g_string_append_c (quoted, ')');
  return g_string_free (quoted, FALSE);
}

static char *
quote_path (const char *path)
{
  g_autofree char *text = g_utf8_validate (path, -1, NULL) ? g_strdup (path) : g_filename_display_name (path);

  return quote (text);
}

/* Both versions know the image as `image` and what is changed as `layer`. */
static void
append_end (GString *script, const char *output, CapraGimpVersion version)
{
  g_autofree char *path = quote_path (output);

  if (version == CAPRA_GIMP_3)
    g_string_append_printf (script, "  (file-png-export #:run-mode RUN-NONINTERACTIVE #:image image #:file %s)\n",
                            path);
  else
    g_string_append_printf (script, "  (gimp-file-save RUN-NONINTERACTIVE image layer %s %s)\n", path, path);
  g_string_append (script, "  (gimp-image-delete image))\n");
}

char *
capra_steps_to_script_fu (GPtrArray *steps, const char *input, const char *output, CapraGimpVersion version)
{
  const Procedures *procedures = version == CAPRA_GIMP_3 ? &gimp_3 : &gimp_2;
  g_autofree char *xml = capra_steps_to_xml (steps), *quoted = quote (xml);
  g_autofree char *path = input ? quote_path (input) : NULL;
  GString *script = g_string_new ("(let* ((image ");

  if (!input)
    g_string_append (script, procedures->open_image);
  else if (version == CAPRA_GIMP_3)
    g_string_append_printf (script, "(car (gimp-file-load RUN-NONINTERACTIVE %s))", path);
  else
    g_string_append_printf (script, "(car (gimp-file-load RUN-NONINTERACTIVE %s %s))", path, path);
  g_string_append_printf (script, ")\n       (layer %s))\n", input ? procedures->file_layer : procedures->open_layer);
  g_string_append_printf (script, procedures->call, quoted);
  if (input)
    append_end (script, output, version);
  else
    g_string_append (script, "  (gimp-displays-flush))\n");
  return g_string_free (script, FALSE);
}
