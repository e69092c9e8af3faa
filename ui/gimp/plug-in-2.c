/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-in-2: Capra's procedures in GIMP 2.10.
 *
 * The procedures for scripts are installed twice. A new process runs the permanent ones. The extension, a process that
 * GIMP starts and that stays, has temporary procedures of the same names, which GIMP prefers as long as they exist: see
 * extension.h. */
#include <gdk-pixbuf/gdk-pixdata.h>
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <locale.h>

#include "ui/gimp/extension.h"
#include "ui/gimp/host.h"
#include "ui/gimp/panel-module.h"
#include "ui/gimp/run-steps.h"
#include "ui/panel/resources.h"
#include "ui/pipeline/gegl-start.h"

#define PROCEDURE "plug-in-capra"
#define FILE_PROCEDURE "plug-in-capra-file"
#define PANEL_PROCEDURE "plug-in-capra-panel"
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

#define BLURB N_ ("Image operations on OpenCL devices, previewed live")
#define HELP \
  "In interactive mode, opens Capra's panel on the drawable. Otherwise applies the steps to its selected area. The " \
  "XML is that of \"Copy as XML\" in the panel. All operations of GEGL are allowed, except those that write files or " \
  "run other operations."
#define FILE_BLURB "Applies the steps in a file to a drawable"
#define FILE_HELP "Like " PROCEDURE ", with XML from a file."
#define PANEL_BLURB "Opens Capra's panel; for internal use"

static const GimpParamDef arguments[] = {
  { GIMP_PDB_INT32, "run-mode", "The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1) }" },
  { GIMP_PDB_IMAGE, "image", "Input image" },
  { GIMP_PDB_DRAWABLE, "drawable", "Input drawable" },
  { GIMP_PDB_STRING, "xml", "The steps as GEGL XML" },
};
static const GimpParamDef file_arguments[] = {
  { GIMP_PDB_INT32, "run-mode", "The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1) }" },
  { GIMP_PDB_IMAGE, "image", "Input image" },
  { GIMP_PDB_DRAWABLE, "drawable", "Input drawable" },
  { GIMP_PDB_STRING, "path", "A file containing GEGL XML" },
};

static void
install_panel (void)
{
  gimp_install_procedure (PANEL_PROCEDURE, PANEL_BLURB, PANEL_BLURB, "Capra", "Capra", DATE, NULL, "*", GIMP_PLUGIN,
                          G_N_ELEMENTS (arguments), 0, arguments, NULL);
}

static void
install_progress (void)
{
  static const GimpParamDef progress_arguments[] = {
    { GIMP_PDB_STRING, "callback", "A temporary procedure that does a part of the work and returns its progress" },
  };

  gimp_install_procedure (CAPRA_HOST_PROGRESS, CAPRA_HOST_PROGRESS_BLURB, CAPRA_HOST_PROGRESS_BLURB, "Capra", "Capra",
                          DATE, NULL, NULL, GIMP_PLUGIN, G_N_ELEMENTS (progress_arguments), 0, progress_arguments,
                          NULL);
}

static void
query (void)
{
  gimp_plugin_domain_register (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  gimp_install_procedure (PROCEDURE, BLURB, HELP, "Capra", "Capra", DATE, N_ ("_Capra…"), "*", GIMP_PLUGIN,
                          G_N_ELEMENTS (arguments), 0, arguments, NULL);
  gimp_plugin_menu_register (PROCEDURE, "<Image>/Filters");
  register_icon ();
  gimp_install_procedure (FILE_PROCEDURE, FILE_BLURB, FILE_HELP, "Capra", "Capra", DATE, NULL, "*", GIMP_PLUGIN,
                          G_N_ELEMENTS (file_arguments), 0, file_arguments, NULL);
  install_panel ();
  install_progress ();
  gimp_install_procedure (CAPRA_EXTENSION, CAPRA_EXTENSION_BLURB, CAPRA_EXTENSION_BLURB, "Capra", "Capra", DATE, NULL,
                          NULL, GIMP_EXTENSION, 0, 0, NULL, NULL);
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

/* The path of this program. Global because GIMP passes no user data. */
static const char *argv0;

static GimpPDBStatusType
get_status (gboolean good, GError *const *error)
{
  return good ? GIMP_PDB_SUCCESS : *error ? GIMP_PDB_EXECUTION_ERROR : GIMP_PDB_CANCEL;
}

static GimpPDBStatusType
run_panel (int drawable, GError **error)
{
  g_autofree char *xml = get_last ();
  gboolean effects = FALSE, good = capra_panel_module_run (argv0, drawable, &xml, &effects, error);

  if (good)
    gimp_set_data (PROCEDURE, xml, (guint32) strlen (xml));
  return get_status (good, error);
}

static GimpPDBStatusType
run_steps (const char *name, const GimpParam *params, GError **error)
{
  int drawable = params[2].data.d_drawable;
  const char *text = params[3].data.d_string ? params[3].data.d_string : "";
  g_autofree char *last = NULL;

  capra_gegl_start ();
  if (g_str_equal (name, FILE_PROCEDURE))
    return get_status (capra_run_steps_of_file (drawable, text, FALSE, error), error);
  if (params[0].data.d_int32 == GIMP_RUN_NONINTERACTIVE)
    return get_status (capra_run_steps (drawable, text, FALSE, FALSE, error), error);
  last = get_last ();
  return get_status (capra_run_steps (drawable, last, FALSE, TRUE, error), error);
}

/* Calls a procedure that runs in another process. */
static GimpPDBStatusType
call (const char *name, int n_params, const GimpParam *params, GError **error)
{
  int n_values = 0;
  GimpParam *values = gimp_run_procedure2 (name, &n_values, n_params, params);
  GimpPDBStatusType status = n_values > 0 ? values[0].data.d_status : GIMP_PDB_EXECUTION_ERROR;

  if (status != GIMP_PDB_SUCCESS && status != GIMP_PDB_CANCEL)
    g_set_error_literal (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, gimp_get_pdb_error ());
  gimp_destroy_params (values, n_values);
  return status;
}

/* Whether the extension has the procedure at present. */
static gboolean
is_temporary (const char *name)
{
  g_autofree char *blurb = NULL, *help = NULL, *author = NULL, *copyright = NULL, *date = NULL;
  GimpPDBProcType type = GIMP_PLUGIN;
  GimpParamDef *params = NULL, *results = NULL;
  int n_params = 0, n_results = 0;

  if (!gimp_procedural_db_proc_info (name, &blurb, &help, &author, &copyright, &date, &type, &n_params, &n_results,
                                     &params, &results))
    return FALSE;
  gimp_destroy_paramdefs (params, n_params);
  gimp_destroy_paramdefs (results, n_results);
  return type == GIMP_TEMPORARY;
}

static gboolean
is_interactive (const char *name, const GimpParam *params)
{
  return params[0].data.d_int32 == GIMP_RUN_INTERACTIVE && g_str_equal (name, PROCEDURE);
}

/* Runs a permanent procedure, in a process that is only for this call. */
static GimpPDBStatusType
run_permanent (const char *name, int n_params, const GimpParam *params, GError **error)
{
  if (g_str_equal (name, CAPRA_HOST_PROGRESS))
    {
      capra_host_show_progress (params[0].data.d_string);
      return GIMP_PDB_SUCCESS;
    }
  if (g_str_equal (name, PANEL_PROCEDURE) || is_interactive (name, params))
    return run_panel (params[2].data.d_drawable, error);
  if (is_temporary (name))
    return call (name, n_params, params, error);
  return run_steps (name, params, error);
}

static void
give_back (GimpPDBStatusType status, const GError *error, int *n_results, GimpParam **results)
{
  static GimpParam values[2]; /* libgimp does not free them */
  static char *message;

  g_free (message);
  message = g_strdup (error ? error->message : NULL);
  values[0].type = GIMP_PDB_STATUS;
  values[0].data.d_status = status;
  values[1].type = GIMP_PDB_STRING;
  values[1].data.d_string = message;
  *results = values;
  *n_results = error ? 2 : 1;
}

/* GIMP 2.10 takes "_" for "-" in names, but when it removes a temporary procedure, compares the original name with
 * those of the filters used last, and then their menu labels. A temporary procedure has no label: GIMP would crash. */
#define TEMPORARY_PROCEDURE "plug_in_capra"
#define TEMPORARY_FILE_PROCEDURE "plug_in_capra_file"

/* In the extension. The panel runs in a process of its own. */
static void
run_temporary (const char *temporary_name, int n_params, const GimpParam *params, int *n_results, GimpParam **results)
{
  const char *name = g_str_equal (temporary_name, TEMPORARY_PROCEDURE) ? PROCEDURE : FILE_PROCEDURE;
  g_autoptr (GError) error = NULL;
  GimpPDBStatusType status = GIMP_PDB_EXECUTION_ERROR;

  if (capra_extension_begin_call (&error))
    {
      status = is_interactive (name, params) ? call (PANEL_PROCEDURE, n_params, params, &error)
                                             : run_steps (name, params, &error);
      capra_extension_end_call ();
    }
  give_back (status, error, n_results, results);
}

static void
install_temporary (void)
{
  gimp_install_temp_proc (TEMPORARY_PROCEDURE, BLURB, HELP, "Capra", "Capra", DATE, NULL, "*", GIMP_TEMPORARY,
                          G_N_ELEMENTS (arguments), 0, arguments, NULL, run_temporary);
  gimp_install_temp_proc (TEMPORARY_FILE_PROCEDURE, FILE_BLURB, FILE_HELP, "Capra", "Capra", DATE, NULL, "*",
                          GIMP_TEMPORARY, G_N_ELEMENTS (file_arguments), 0, file_arguments, NULL, run_temporary);
}

static void
uninstall_temporary (void)
{
  gimp_uninstall_temp_proc (TEMPORARY_PROCEDURE);
  gimp_uninstall_temp_proc (TEMPORARY_FILE_PROCEDURE);
  gimp_getpid (); /* returns after calls that GIMP had already sent */
}

static void
process (void)
{
  gimp_extension_process (0);
}

static void
run (const char *name, int n_params, const GimpParam *params, int *n_results, GimpParam **results)
{
  static const CapraExtension extension = { install_temporary, uninstall_temporary, process };
  g_autoptr (GError) error = NULL;
  GimpPDBStatusType status = GIMP_PDB_SUCCESS;

  if (g_str_equal (name, CAPRA_EXTENSION))
    {
      capra_extension_start (&extension);
      gimp_extension_ack ();
      capra_extension_run ();
    }
  status = run_permanent (name, n_params, params, &error);
  give_back (status, error, n_results, results);
}

static void
quit (void)
{
  capra_panel_module_quit ();
}

const GimpPlugInInfo PLUG_IN_INFO = { NULL, quit, query, run };

int
main (int argc, char **argv)
{
  argv0 = argv[0];
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  return gimp_main (&PLUG_IN_INFO, argc, argv);
}
