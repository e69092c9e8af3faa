/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-in-3: Capra's procedures in GIMP 3. The procedures for scripts exist twice, see extension.h. */
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

#define CAPRA_TYPE_PLUG_IN (capra_plug_in_get_type ())
G_DECLARE_FINAL_TYPE (CapraPlugIn, capra_plug_in, CAPRA, PLUG_IN, GimpPlugIn)

struct _CapraPlugIn {
  GimpPlugIn parent_instance;
};

G_DEFINE_FINAL_TYPE (CapraPlugIn, capra_plug_in, GIMP_TYPE_PLUG_IN)

/* The path of this program. Global for the functions that a procedure of GIMP runs. */
static const char *argv0;

static GList *
query_procedures (GimpPlugIn *plug_in)
{
  static const char *const names[] = { PROCEDURE, FILE_PROCEDURE, PANEL_PROCEDURE, CAPRA_HOST_PROGRESS,
                                       CAPRA_EXTENSION };
  GList *list = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    list = g_list_append (list, g_strdup (names[i]));
  return list;
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

static GimpValueArray *
run_panel (GimpProcedure *procedure, GimpRunMode mode, GimpImage *image, GimpDrawable **drawables,
           GimpProcedureConfig *config, gpointer data)
{
  GError *error = NULL;
  int drawable = get_drawable (drawables, &error);
  gboolean effects = FALSE, good = FALSE;
  GimpValueArray *values = NULL;
  g_autofree char *xml = NULL;

  g_object_get (config, "xml", &xml, NULL);
  if (!xml)
    xml = g_strdup ("");
  good = drawable >= 0 && capra_panel_module_run (argv0, drawable, &xml, &effects, &error);
  values = give_back (procedure, good, error);
  if (good)
    {
      GIMP_VALUES_SET_STRING (values, 1, xml);
      GIMP_VALUES_SET_BOOLEAN (values, 2, effects);
    }
  return values;
}

/* Runs the panel in a process of its own. */
static gboolean
call_panel (GimpImage *image, GimpDrawable **drawables, char **xml, gboolean *effects, GError **error)
{
  GimpProcedure *panel = gimp_pdb_lookup_procedure (gimp_get_pdb (), PANEL_PROCEDURE);
  GimpValueArray *values = NULL;
  GimpPDBStatusType status = GIMP_PDB_CANCEL;

  values = gimp_procedure_run (panel, "run-mode", GIMP_RUN_NONINTERACTIVE, "image", image, "drawables", drawables,
                               "xml", *xml, NULL);
  status = GIMP_VALUES_GET_ENUM (values, 0);
  if (status == GIMP_PDB_SUCCESS)
    {
      g_free (*xml);
      *xml = GIMP_VALUES_DUP_STRING (values, 1);
      *effects = GIMP_VALUES_GET_BOOLEAN (values, 2);
    }
  else if (status != GIMP_PDB_CANCEL)
    g_set_error_literal (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, gimp_pdb_get_last_error (gimp_get_pdb ()));
  gimp_value_array_unref (values);
  return status == GIMP_PDB_SUCCESS;
}

/* @config initially contains the steps that the user applied last. */
static gboolean
run_interactively (GimpProcedure *procedure, GimpImage *image, GimpDrawable **drawables, GimpProcedureConfig *config,
                   GError **error)
{
  int drawable = get_drawable (drawables, error);
  gboolean effects = FALSE, good = FALSE;
  g_autofree char *xml = NULL;

  g_object_get (config, "xml", &xml, NULL);
  if (!xml)
    xml = g_strdup ("");
  if (drawable < 0)
    return FALSE;
  if (gimp_procedure_get_proc_type (procedure) == GIMP_PDB_PROC_TYPE_TEMPORARY)
    good = call_panel (image, drawables, &xml, &effects, error);
  else
    good = capra_panel_module_run (argv0, drawable, &xml, &effects, error);
  if (good)
    g_object_set (config, "xml", xml, "effects", effects, NULL);
  return good;
}

static gboolean
run_steps (GimpRunMode mode, GimpDrawable **drawables, GimpProcedureConfig *config, GError **error)
{
  int drawable = get_drawable (drawables, error);
  gboolean effects = FALSE;
  g_autofree char *xml = NULL;

  g_object_get (config, "xml", &xml, "effects", &effects, NULL);
  capra_gegl_start ();
  return drawable >= 0 && capra_run_steps (drawable, xml ? xml : "", effects, mode == GIMP_RUN_WITH_LAST_VALS, error);
}

static gboolean
run_steps_of_file (GimpDrawable **drawables, GimpProcedureConfig *config, GError **error)
{
  int drawable = get_drawable (drawables, error);
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  gboolean effects = FALSE;

  g_object_get (config, "file", &file, "effects", &effects, NULL);
  path = file ? g_file_get_path (file) : NULL;
  capra_gegl_start ();
  return drawable >= 0 && capra_run_steps_of_file (drawable, path ? path : "", effects, error);
}

static gboolean
run_any (GimpProcedure *procedure, GimpRunMode mode, GimpImage *image, GimpDrawable **drawables,
         GimpProcedureConfig *config, GError **error)
{
  if (g_str_equal (gimp_procedure_get_name (procedure), FILE_PROCEDURE))
    return run_steps_of_file (drawables, config, error);
  if (mode == GIMP_RUN_INTERACTIVE)
    return run_interactively (procedure, image, drawables, config, error);
  return run_steps (mode, drawables, config, error);
}

/* Runs in the extension. */
static GimpValueArray *
run_temporary (GimpProcedure *procedure, GimpRunMode mode, GimpImage *image, GimpDrawable **drawables,
               GimpProcedureConfig *config, gpointer data)
{
  GError *error = NULL;
  gboolean good = FALSE;

  if (capra_extension_begin_call (&error))
    {
      good = run_any (procedure, mode, image, drawables, config, &error);
      capra_extension_end_call ();
    }
  return give_back (procedure, good, error);
}

/* Calls the extension's procedure of the same name with the steps applied last. NULL if it does not exist. */
static GimpValueArray *
repeat_in_extension (GimpProcedure *procedure, GimpImage *image, GimpDrawable **drawables, GimpProcedureConfig *config)
{
  GimpProcedure *found = gimp_pdb_lookup_procedure (gimp_get_pdb (), gimp_procedure_get_name (procedure));
  g_autofree char *xml = NULL;
  gboolean effects = FALSE;

  if (!found || gimp_procedure_get_proc_type (found) != GIMP_PDB_PROC_TYPE_TEMPORARY)
    return NULL;
  g_object_get (config, "xml", &xml, "effects", &effects, NULL);
  return gimp_procedure_run (found, "run-mode", GIMP_RUN_WITH_LAST_VALS, "image", image, "drawables", drawables, "xml",
                             xml, "effects", effects, NULL);
}

/* Runs in a process that is only for this call. */
static GimpValueArray *
run_permanent (GimpProcedure *procedure, GimpRunMode mode, GimpImage *image, GimpDrawable **drawables,
               GimpProcedureConfig *config, gpointer data)
{
  GimpValueArray *values = NULL;
  GError *error = NULL;
  gboolean good = FALSE;

  if (mode == GIMP_RUN_WITH_LAST_VALS)
    values = repeat_in_extension (procedure, image, drawables, config);
  if (values)
    return values;
  good = run_any (procedure, mode, image, drawables, config, &error);
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

static GimpRunImageFunc
choose_function (GimpPDBProcType type)
{
  return type == GIMP_PDB_PROC_TYPE_TEMPORARY ? run_temporary : run_permanent;
}

static GimpProcedure *
create_file_procedure (GimpPlugIn *plug_in, GimpPDBProcType type)
{
  GimpProcedure *procedure = gimp_image_procedure_new (plug_in, FILE_PROCEDURE, type, choose_function (type), NULL,
                                                       NULL);

  document (procedure, "Applies the steps in a file to a drawable", "Like " PROCEDURE ", with XML from a file.");
  gimp_procedure_add_file_argument (procedure, "file", "File", "A file containing GEGL XML",
                                    GIMP_FILE_CHOOSER_ACTION_OPEN, FALSE, NULL, G_PARAM_READWRITE);
  add_effects_argument (procedure);
  return procedure;
}

/* Only the permanent procedure is in the menu: GIMP knows a menu item by its procedure's name. */
static GimpProcedure *
create_main_procedure (GimpPlugIn *plug_in, GimpPDBProcType type)
{
  GimpProcedure *procedure = gimp_image_procedure_new (plug_in, PROCEDURE, type, choose_function (type), NULL, NULL);

  document (procedure, _ ("Image operations on OpenCL devices, previewed live"),
            "In interactive mode, opens Capra's panel on the drawable. Otherwise applies the steps to its "
            "selected area. The XML is that of \"Copy as XML\" in the panel. All operations of GEGL are "
            "allowed, except those that write files or run other operations.");
  if (type != GIMP_PDB_PROC_TYPE_TEMPORARY)
    {
      gimp_procedure_set_menu_label (procedure, _ ("_Capra…"));
      gimp_procedure_add_menu_path (procedure, "<Image>/Filters");
      gimp_procedure_set_icon_name (procedure, CAPRA_PANEL_ID);
    }
  gimp_procedure_add_string_argument (procedure, "xml", "XML", "The steps as GEGL XML", "", G_PARAM_READWRITE);
  add_effects_argument (procedure);
  return procedure;
}

static GimpProcedure *
create_panel (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure = gimp_image_procedure_new (plug_in, PANEL_PROCEDURE, GIMP_PDB_PROC_TYPE_PLUGIN, run_panel,
                                                       NULL, NULL);

  document (procedure, "Opens Capra's panel; for internal use", "Opens Capra's panel; for internal use");
  gimp_procedure_add_string_argument (procedure, "xml", "XML", "The steps as GEGL XML", "", G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "applied", "Applied", "The applied steps", "", G_PARAM_READWRITE);
  gimp_procedure_add_boolean_return_value (procedure, "effects", "As effects", "Whether they were added as effects",
                                           FALSE, G_PARAM_READWRITE);
  return procedure;
}

/* The procedures are never freed: libgimp keeps pointers to all that have run. */
static void
install_temporary (void)
{
  static GimpProcedure *procedures[2];
  GimpPlugIn *plug_in = gimp_get_plug_in ();

  if (!procedures[0])
    {
      procedures[0] = create_main_procedure (plug_in, GIMP_PDB_PROC_TYPE_TEMPORARY);
      procedures[1] = create_file_procedure (plug_in, GIMP_PDB_PROC_TYPE_TEMPORARY);
    }
  for (guint i = 0; i < G_N_ELEMENTS (procedures); i++)
    gimp_plug_in_add_temp_procedure (plug_in, procedures[i]);
}

static void
uninstall_temporary (void)
{
  gimp_plug_in_remove_temp_procedure (gimp_get_plug_in (), PROCEDURE);
  gimp_plug_in_remove_temp_procedure (gimp_get_plug_in (), FILE_PROCEDURE);
  gimp_getpid (); /* returns after calls that GIMP had already sent */
}

static void
process (void)
{
  gimp_plug_in_persistent_process (gimp_get_plug_in (), 0);
}

static GimpValueArray *
run_extension (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer data)
{
  static const CapraExtension extension = { install_temporary, uninstall_temporary, process };

  capra_extension_start (&extension);
  gimp_procedure_persistent_ready (procedure);
  capra_extension_run ();
}

static GimpProcedure *
create_extension (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure = gimp_procedure_new (plug_in, CAPRA_EXTENSION, GIMP_PDB_PROC_TYPE_PERSISTENT, run_extension,
                                                 NULL, NULL);

  gimp_procedure_set_documentation (procedure, CAPRA_EXTENSION_BLURB, CAPRA_EXTENSION_BLURB, NULL);
  gimp_procedure_set_attribution (procedure, "Capra", "Capra", DATE);
  return procedure;
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const char *name)
{
  if (g_str_equal (name, CAPRA_HOST_PROGRESS))
    return create_progress (plug_in);
  if (g_str_equal (name, CAPRA_EXTENSION))
    return create_extension (plug_in);
  if (g_str_equal (name, PANEL_PROCEDURE))
    return create_panel (plug_in);
  if (g_str_equal (name, FILE_PROCEDURE))
    return create_file_procedure (plug_in, GIMP_PDB_PROC_TYPE_PLUGIN);
  return create_main_procedure (plug_in, GIMP_PDB_PROC_TYPE_PLUGIN);
}

static void
quit (GimpPlugIn *plug_in)
{
  capra_panel_module_quit ();
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
  argv0 = argv[0];
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  return gimp_main (CAPRA_TYPE_PLUG_IN, argc, argv);
}
