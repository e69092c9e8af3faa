/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-in-3: Capra's procedures in GIMP 3. */
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

#define CAPRA_TYPE_PLUG_IN (capra_plug_in_get_type ())
G_DECLARE_FINAL_TYPE (CapraPlugIn, capra_plug_in, CAPRA, PLUG_IN, GimpPlugIn)

struct _CapraPlugIn {
  GimpPlugIn parent_instance;
};

G_DEFINE_FINAL_TYPE (CapraPlugIn, capra_plug_in, GIMP_TYPE_PLUG_IN)

static GList *
query_procedures (GimpPlugIn *plug_in)
{
  GList *names = g_list_append (g_list_append (NULL, g_strdup (PROCEDURE)), g_strdup (FILE_PROCEDURE));

  return g_list_append (names, g_strdup (CAPRA_HOST_PROGRESS));
}

/* The id of the only drawable; -1 with @error set if there are several. */
static int
get_drawable (GimpDrawable **drawables, GError **error)
{
  if (gimp_core_object_array_get_length ((GObject **) drawables) == 1)
    return gimp_item_get_id (GIMP_ITEM (drawables[0]));
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("Select a single layer"));
  return -1;
}

static GimpValueArray *
give_back (GimpProcedure *procedure, gboolean good, GError *error)
{
  GimpPDBStatusType status = good ? GIMP_PDB_SUCCESS : error ? GIMP_PDB_EXECUTION_ERROR : GIMP_PDB_CANCEL;

  return gimp_procedure_new_return_values (procedure, status, error);
}

/* @config initially contains the steps that the user applied last. */
static gboolean
run_panel (int drawable, GimpProcedureConfig *config, GError **error)
{
  g_autofree char *xml = NULL;
  gboolean effects = FALSE;

  g_object_get (config, "xml", &xml, NULL);
  if (!xml)
    xml = g_strdup ("");
  if (!capra_session_run_panel (drawable, &xml, &effects, error))
    return FALSE;
  g_object_set (config, "xml", xml, "effects", effects, NULL);
  return TRUE;
}

static GimpValueArray *
run (GimpProcedure *procedure, GimpRunMode mode, GimpImage *image, GimpDrawable **drawables,
     GimpProcedureConfig *config, gpointer data)
{
  g_autofree char *xml = NULL;
  GError *error = NULL;
  int drawable = get_drawable (drawables, &error);
  gboolean effects = FALSE, good = FALSE;

  capra_gegl_start ();
  g_object_get (config, "xml", &xml, "effects", &effects, NULL);
  if (drawable >= 0 && mode == GIMP_RUN_INTERACTIVE)
    good = run_panel (drawable, config, &error);
  else if (drawable >= 0)
    good = capra_session_run_steps (drawable, xml ? xml : "", effects, mode == GIMP_RUN_WITH_LAST_VALS, &error);
  return give_back (procedure, good, error);
}

static GimpValueArray *
run_file (GimpProcedure *procedure, GimpRunMode mode, GimpImage *image, GimpDrawable **drawables,
          GimpProcedureConfig *config, gpointer data)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  GError *error = NULL;
  int drawable = get_drawable (drawables, &error);
  gboolean effects = FALSE, good = FALSE;

  capra_gegl_start ();
  g_object_get (config, "file", &file, "effects", &effects, NULL);
  path = file ? g_file_get_path (file) : NULL;
  if (drawable >= 0)
    good = capra_session_run_file (drawable, path ? path : "", effects, &error);
  return give_back (procedure, good, error);
}

static GimpValueArray *
run_progress (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer data)
{
  g_autofree char *callback = NULL;

  g_object_get (config, "callback", &callback, NULL);
  capra_host_show_progress (callback ? callback : "");
  return give_back (procedure, TRUE, NULL);
}

static GimpProcedure *
create_progress (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure = gimp_procedure_new (plug_in, CAPRA_HOST_PROGRESS, GIMP_PDB_PROC_TYPE_PLUGIN, run_progress,
                                                 NULL, NULL);

  gimp_procedure_set_documentation (procedure, CAPRA_HOST_PROGRESS_BLURB, CAPRA_HOST_PROGRESS_BLURB, NULL);
  gimp_procedure_set_attribution (procedure, "Capra", "Capra", DATE);
  gimp_procedure_add_string_argument (procedure, "callback", "Callback",
                                      "A temporary procedure that does a part of the work and returns its progress", "",
                                      G_PARAM_READWRITE);
  return procedure;
}

static void
document (GimpProcedure *procedure, const char *blurb, const char *help)
{
  gimp_procedure_set_image_types (procedure, "*");
  gimp_procedure_set_sensitivity_mask (procedure, GIMP_PROCEDURE_SENSITIVE_DRAWABLE);
  gimp_procedure_set_documentation (procedure, blurb, help, NULL);
  gimp_procedure_set_attribution (procedure, "Capra", "Capra", DATE);
}

static void
add_effects_argument (GimpProcedure *procedure)
{
  gimp_procedure_add_boolean_argument (procedure, "effects", "As effects",
                                       "Add the steps as effects of the layer, instead of changing "
                                       "its pixels",
                                       FALSE, G_PARAM_READWRITE);
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const char *name)
{
  gboolean from_file = g_str_equal (name, FILE_PROCEDURE);
  GimpProcedure *procedure = NULL;

  if (g_str_equal (name, CAPRA_HOST_PROGRESS))
    return create_progress (plug_in);
  procedure = gimp_image_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN, from_file ? run_file : run, NULL,
                                        NULL);
  if (from_file)
    {
      document (procedure, "Applies the steps in a file to a drawable", "Like " PROCEDURE ", with XML from a file.");
      gimp_procedure_add_file_argument (procedure, "file", "File", "A file containing GEGL XML",
                                        GIMP_FILE_CHOOSER_ACTION_OPEN, FALSE, NULL, G_PARAM_READWRITE);
    }
  else
    {
      document (procedure, _ ("Image operations on OpenCL devices, previewed live"),
                "In interactive mode, opens Capra's panel on the drawable. Otherwise applies the steps to its "
                "selected area. The XML is that of \"Copy as XML\" in the panel. All operations of GEGL are "
                "allowed, except those that write files or run other operations.");
      gimp_procedure_set_menu_label (procedure, _ ("_Capra…"));
      gimp_procedure_add_menu_path (procedure, "<Image>/Filters");
      gimp_procedure_set_icon_name (procedure, CAPRA_PANEL_ID);
      gimp_procedure_add_string_argument (procedure, "xml", "XML", "The steps as GEGL XML", "", G_PARAM_READWRITE);
    }
  add_effects_argument (procedure);
  return procedure;
}

/* GEGL must not be shut down while a worker uses it. */
static void
quit (GimpPlugIn *plug_in)
{
  capra_preview_wait_for_workers ();
}

static void
capra_plug_in_class_init (CapraPlugInClass *klass)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (klass);

  plug_in_class->query_procedures = query_procedures;
  plug_in_class->create_procedure = create_procedure;
  plug_in_class->quit = quit;
  plug_in_class->set_i18n = NULL; /* main() has set it up */
}

static void
capra_plug_in_init (CapraPlugIn *self)
{
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  return gimp_main (CAPRA_TYPE_PLUG_IN, argc, argv);
}
