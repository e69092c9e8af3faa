/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-2: what differs in GIMP 2.10. It has no effects. */
#include <glib/gi18n-lib.h>

#include "ui/gimp/host-private.h"

gboolean
capra_host_exists (int drawable)
{
  return gimp_item_is_valid (drawable) && gimp_item_is_drawable (drawable);
}

CapraHostObject
capra_host_find (int drawable)
{
  return drawable;
}

GeglRectangle
capra_host_get_place (CapraHostObject drawable)
{
  GeglRectangle place = { 0, 0, gimp_drawable_width (drawable), gimp_drawable_height (drawable) };

  gimp_drawable_offsets (drawable, &place.x, &place.y);
  return place;
}

char *
capra_host_get_text (const GimpParasite *parasite)
{
  return g_strndup (gimp_parasite_data (parasite), (gsize) gimp_parasite_data_size (parasite));
}

void
capra_host_append_state (GString *text, CapraHostObject drawable)
{
  g_autofree guint8 *colors = NULL;
  g_autofree char *palette = NULL;
  int count = 0;

  if (!gimp_drawable_is_indexed (drawable))
    return;
  colors = gimp_image_get_colormap (gimp_item_get_image (drawable), &count);
  palette = g_compute_checksum_for_data (G_CHECKSUM_MD5, colors, 3 * (gsize) count);
  g_string_append_printf (text, " %s", palette);
}

const char *
capra_host_get_failure (void)
{
  return gimp_get_pdb_error ();
}

gboolean
capra_host_has_effects (void)
{
  return FALSE;
}

guint
capra_host_count_effects (int drawable)
{
  return 0;
}

gboolean
capra_host_merge_effects (CapraHostObject drawable)
{
  return TRUE;
}

int
capra_host_render_effects (int drawable, GError **error)
{
  capra_host_refuse (error, _ ("Layer effects require GIMP 3"));
  return -1;
}

void
capra_host_delete_rendered (int rendered)
{
}

gboolean
capra_host_add_effects (int drawable, GPtrArray *steps, GError **error)
{
  return capra_host_refuse (error, _ ("Layer effects require GIMP 3"));
}

/* The function for the temporary procedure. Global because GIMP passes no user data. */
static struct {
  CapraHostFunc func;
  gpointer data;
} worker;

static void
run_worker (const char *name, int n_params, const GimpParam *params, int *n_results, GimpParam **results)
{
  static GimpParam values[4];
  double fraction = 0.0;
  const char *text = "";
  gboolean more = worker.func (&fraction, &text, worker.data);

  values[0].type = GIMP_PDB_STATUS;
  values[0].data.d_status = GIMP_PDB_SUCCESS;
  values[1].type = GIMP_PDB_INT32;
  values[1].data.d_int32 = more;
  values[2].type = GIMP_PDB_FLOAT;
  values[2].data.d_float = fraction;
  values[3].type = GIMP_PDB_STRING;
  values[3].data.d_string = (char *) text;
  *n_results = G_N_ELEMENTS (values);
  *results = values;
}

gboolean
capra_host_run (CapraHostFunc func, gpointer data)
{
  static const GimpParamDef results[] = {
    { GIMP_PDB_INT32, "more", "Whether there is more to do" },
    { GIMP_PDB_FLOAT, "fraction", "The progress, from 0 to 1" },
    { GIMP_PDB_STRING, "text", "The current activity" },
  };
  g_autofree char *callback = gimp_procedural_db_temp_name ();
  GimpParam name = { .type = GIMP_PDB_STRING, .data.d_string = callback };
  GimpParam *values = NULL;
  int n_values = 0;
  gboolean canceled = FALSE;

  worker.func = func;
  worker.data = data;
  gimp_install_temp_proc (callback, CAPRA_HOST_PROGRESS_BLURB, "", "Capra", "Capra", "2026", NULL, NULL, GIMP_TEMPORARY,
                          0, G_N_ELEMENTS (results), NULL, results, run_worker);
  values = gimp_run_procedure2 (CAPRA_HOST_PROGRESS, &n_values, 1, &name);
  canceled = n_values > 0 && values[0].data.d_status == GIMP_PDB_CANCEL;
  gimp_destroy_params (values, n_values);
  gimp_uninstall_temp_proc (callback);
  return !canceled;
}

gboolean
capra_host_call_worker (const char *callback, double *fraction, char **text)
{
  int n_values = 0;
  GimpParam *values = gimp_run_procedure2 (callback, &n_values, 0, NULL);
  gboolean more = n_values == 4 && values[0].data.d_status == GIMP_PDB_SUCCESS && values[1].data.d_int32;

  if (more)
    {
      *fraction = values[2].data.d_float;
      *text = g_strdup (values[3].data.d_string);
    }
  gimp_destroy_params (values, n_values);
  return more;
}
