/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-in-2: Capra's procedures in GIMP 2.10. */
#include <gdk-pixbuf/gdk-pixdata.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <locale.h>

#include "ui/gimp/host.h"
#include "ui/panel/preview/preview.h"
#include "ui/panel/resources.h"
#include "ui/gimp/session.h"
#include "ui/pipeline/gegl-start.h"
#include "ui/panel/window/window.h"

#define PROCEDURE "plug-in-capra"
#define FILE_PROCEDURE "plug-in-capra-file"
#define DATE "2026"
#define ICON_SIZE 16   /* of menus */
#define ICON_HEADER 24 /* bytes */

/* The icon as a GdkPixdata: GIMP's themes look for named icons only in GIMP's own folders. */
static guint8 *
read_icon (void)
{
  g_autoptr (GdkPixbuf) icon = gdk_pixbuf_new_from_resource_at_scale (CAPRA_PANEL_RESOURCE "gimp/icon.svg", ICON_SIZE,
                                                                      ICON_SIZE, TRUE, NULL);
  gsize row = 4 * ICON_SIZE, size = ICON_HEADER + row * ICON_SIZE;
  const guint32 header[] = { GDK_PIXBUF_MAGIC_NUMBER,
                             (guint32) size,
                             GDK_PIXDATA_COLOR_TYPE_RGBA | GDK_PIXDATA_SAMPLE_WIDTH_8 | GDK_PIXDATA_ENCODING_RAW,
                             (guint32) row,
                             ICON_SIZE,
                             ICON_SIZE };
  guint8 *data = NULL;

  if (!icon || gdk_pixbuf_get_n_channels (icon) != 4 || gdk_pixbuf_get_width (icon) != ICON_SIZE
      || gdk_pixbuf_get_height (icon) != ICON_SIZE)
    return NULL; /* GdkPixbuf has no SVG loader */
  data = g_malloc (size);
  for (guint i = 0; i < G_N_ELEMENTS (header); i++)
    {
      guint32 number = GUINT32_TO_BE (header[i]);

      memcpy (data + i * sizeof number, &number, sizeof number);
    }
  for (int y = 0; y < ICON_SIZE; y++)
    memcpy (data + ICON_HEADER + row * (gsize) y, gdk_pixbuf_read_pixels (icon) + gdk_pixbuf_get_rowstride (icon) * y,
            row);
  return data;
}

static void
register_icon (void)
{
  g_autofree guint8 *icon = read_icon ();

  if (icon)
    gimp_plugin_icon_register (PROCEDURE, GIMP_ICON_TYPE_INLINE_PIXBUF, icon);
  else
    gimp_plugin_icon_register (PROCEDURE, GIMP_ICON_TYPE_ICON_NAME, (const guint8 *) CAPRA_PANEL_ID);
}

static void
query (void)
{
  static const GimpParamDef arguments[] = {
    { GIMP_PDB_INT32, "run-mode", "The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1) }" },
    { GIMP_PDB_IMAGE, "image", "Input image" },
    { GIMP_PDB_DRAWABLE, "drawable", "Input drawable" },
    { GIMP_PDB_STRING, "xml", "The steps as GEGL XML" },
  };
  GimpParamDef file_arguments[] = {
    arguments[0], arguments[1], arguments[2], { GIMP_PDB_STRING, "path", "A file containing GEGL XML" }
  };
  static const GimpParamDef progress_arguments[] = {
    { GIMP_PDB_STRING, "callback", "A temporary procedure that does a part of the work and returns its progress" },
  };

  gimp_plugin_domain_register (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  gimp_install_procedure (
    PROCEDURE, N_ ("Image operations on OpenCL devices, previewed live"),
    "In interactive mode, opens Capra's panel on the drawable. Otherwise applies the steps to its selected area. The "
    "XML is that of \"Copy as XML\" in the panel. All operations of GEGL are allowed, except those that write files or "
    "run "
    "other operations.",
    "Capra", "Capra", DATE, N_ ("_Capra…"), "*", GIMP_PLUGIN, G_N_ELEMENTS (arguments), 0, arguments, NULL);
  gimp_plugin_menu_register (PROCEDURE, "<Image>/Filters");
  register_icon ();
  gimp_install_procedure (FILE_PROCEDURE, "Applies the steps in a file to a drawable",
                          "Like " PROCEDURE ", with XML from a file.", "Capra", "Capra", DATE, NULL, "*", GIMP_PLUGIN,
                          G_N_ELEMENTS (file_arguments), 0, file_arguments, NULL);
  gimp_install_procedure (CAPRA_HOST_PROGRESS, CAPRA_HOST_PROGRESS_BLURB, CAPRA_HOST_PROGRESS_BLURB, "Capra", "Capra",
                          DATE, NULL, NULL, GIMP_PLUGIN, G_N_ELEMENTS (progress_arguments), 0, progress_arguments,
                          NULL);
}

/* The last applied steps, "" at first. */
static char *
get_last (void)
{
  int size = gimp_get_data_size (PROCEDURE);
  char *xml = g_malloc0 ((gsize) size + 1);

  if (size > 0)
    gimp_get_data (PROCEDURE, xml);
  return xml;
}

static gboolean
run_procedure (const char *name, const GimpParam *params, GError **error)
{
  int drawable = params[2].data.d_drawable;
  const char *text = params[3].data.d_string ? params[3].data.d_string : "";
  GimpRunMode mode = (GimpRunMode) params[0].data.d_int32;
  g_autofree char *last = NULL;
  gboolean effects = FALSE;

  if (g_str_equal (name, FILE_PROCEDURE))
    return capra_session_run_file (drawable, text, effects, error);
  if (mode == GIMP_RUN_NONINTERACTIVE)
    return capra_session_run_steps (drawable, text, effects, FALSE, error);
  last = get_last ();
  if (mode == GIMP_RUN_WITH_LAST_VALS)
    return capra_session_run_steps (drawable, last, effects, TRUE, error);
  if (!capra_session_run_panel (drawable, &last, &effects, error))
    return FALSE;
  gimp_set_data (PROCEDURE, last, (guint32) strlen (last));
  return TRUE;
}

static void
run (const char *name, int n_params, const GimpParam *params, int *n_results, GimpParam **results)
{
  static GimpParam values[2];
  g_autoptr (GError) error = NULL;

  *results = values;
  *n_results = 1;
  values[0].type = GIMP_PDB_STATUS;
  if (g_str_equal (name, CAPRA_HOST_PROGRESS))
    {
      capra_host_show_progress (params[0].data.d_string);
      values[0].data.d_status = GIMP_PDB_SUCCESS;
      return;
    }
  capra_gegl_start ();
  if (run_procedure (name, params, &error))
    values[0].data.d_status = GIMP_PDB_SUCCESS;
  else if (!error)
    values[0].data.d_status = GIMP_PDB_CANCEL;
  else
    {
      *n_results = 2;
      values[0].data.d_status = GIMP_PDB_EXECUTION_ERROR;
      values[1].type = GIMP_PDB_STRING;
      values[1].data.d_string = g_strdup (error->message);
    }
}

/* GEGL must not be shut down while a worker uses it. */
static void
quit (void)
{
  capra_preview_wait_for_workers ();
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, quit, query, run };

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  return gimp_main (&PLUG_IN_INFO, argc, argv);
}
