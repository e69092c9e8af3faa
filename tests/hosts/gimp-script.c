/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts for GIMP's Script-Fu that call the plug-in on an image file. */
#include "tests/hosts/gimp-script.h"

#include <string.h>

#include <glib/gstdio.h>

char *
gimp_script_make (const char *input, const char *output, const char *body)
{
  g_remove (output);
  if (gimp_is_3 ())
    return g_strdup_printf ("(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE \"%s\")))"
                            "       (layer (vector-ref (car (gimp-image-get-layers image)) 0)))"
                            "  (catch #f %s"
                            "    (gimp-selection-none image)"
                            "    (file-tiff-export #:run-mode RUN-NONINTERACTIVE #:image image #:file \"%s\"))"
                            "  (gimp-image-delete image))",
                            input, body, output);
  return g_strdup_printf ("(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE \"%s\" \"%s\")))"
                          "       (layer (car (gimp-image-get-active-drawable image))))"
                          "  %s"
                          "  (gimp-selection-none image)"
                          "  (file-tiff-save RUN-NONINTERACTIVE image layer \"%s\" \"%s\" 0))",
                          input, input, body, output, output);
}

char *
gimp_script_run_log (const char *input, const char *output, const char *body)
{
  g_autofree char *script = gimp_script_make (input, output, body);
  g_autoptr (GPtrArray) scripts = g_ptr_array_new ();
  g_autoptr (HostsRun) run = NULL;

  g_ptr_array_add (scripts, script);
  run = gimp_run_scripts (NULL, scripts);
  if (!gimp_succeeded (run) || strstr (run->err, "GEGL-capra") || !g_file_test (output, G_FILE_TEST_IS_REGULAR))
    g_error ("GIMP: status %d\n%s%s", run->status, run->out, run->err);
  return g_steal_pointer (&run->err);
}

void
gimp_script_run (const char *input, const char *output, const char *body)
{
  g_autofree char *log = gimp_script_run_log (input, output, body);
}

const char *
gimp_script_get_panel (void)
{
  return gimp_is_3 () ? "(plug-in-capra #:run-mode RUN-INTERACTIVE #:image image #:drawables (vector layer))"
                      : "(plug-in-capra RUN-INTERACTIVE image layer \"\")";
}

char *
gimp_script_apply (const char *xml)
{
  return g_strdup_printf (gimp_is_3 () ? "(plug-in-capra #:run-mode RUN-NONINTERACTIVE #:image image"
                                         " #:drawables (vector layer) #:xml \"%s\")"
                                       : "(plug-in-capra RUN-NONINTERACTIVE image layer \"%s\")",
                          xml);
}
