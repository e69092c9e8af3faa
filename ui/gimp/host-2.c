/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-2: GIMP 2.10. */
#include "ui/gimp/host.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>

/* clang-format off */
G_DEFINE_QUARK (capra-host-error, capra_host_error)
/* clang-format on */

gboolean
capra_host_check (int drawable, GError **error)
{
  if (!gimp_item_is_valid (drawable) || !gimp_item_is_drawable (drawable))
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_GONE, _ ("The layer no longer exists"));
  else if (gimp_item_is_group (drawable))
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
                 _ ("A layer group has no pixels; select one of its layers"));
  else if (gimp_item_get_lock_content (drawable))
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("The layer's pixels are locked"));
  else
    return TRUE;
  return FALSE;
}

char *
capra_host_describe (int drawable)
{
  g_autofree char *layer = gimp_item_get_name (drawable);
  g_autofree char *image = gimp_image_get_name (gimp_item_get_image (drawable));

  return g_strdup_printf ("%s (%s)", layer, image);
}

GeglBuffer *
capra_host_get_pixels (int drawable)
{
  return gimp_drawable_get_buffer (drawable);
}

GeglBuffer *
capra_host_get_shadow (int drawable)
{
  return gimp_drawable_get_shadow_buffer (drawable);
}

gboolean
capra_host_get_area (int drawable, GeglRectangle *area, GError **error)
{
  if (gimp_drawable_mask_intersect (drawable, &area->x, &area->y, &area->width, &area->height))
    return TRUE;
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("The selection does not intersect the layer"));
  return FALSE;
}

gboolean
capra_host_merge (int drawable, const GeglRectangle *area, gboolean with_effects, GError **error)
{
  if (!gimp_drawable_merge_shadow (drawable, TRUE)
      || !gimp_drawable_update (drawable, area->x, area->y, area->width, area->height))
    {
      g_set_error_literal (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, gimp_get_pdb_error ());
      return FALSE;
    }
  gimp_displays_flush ();
  return TRUE;
}

GeglBuffer *
capra_host_get_selection (int drawable)
{
  int image = gimp_item_get_image (drawable), mask = gimp_image_get_selection (image);
  GeglRectangle extent = { 0, 0, gimp_drawable_width (drawable), gimp_drawable_height (drawable) }, area;
  g_autoptr (GeglBuffer) all = NULL;
  GeglBuffer *selection = NULL;
  int x = 0, y = 0;

  if (gimp_selection_is_empty (image) || mask == drawable)
    return NULL;
  all = gimp_drawable_get_buffer (mask);
  selection = gegl_buffer_new (&extent, gegl_buffer_get_format (all));
  gimp_drawable_offsets (drawable, &x, &y);
  if (gimp_drawable_mask_intersect (drawable, &area.x, &area.y, &area.width, &area.height))
    gegl_buffer_copy (all, GEGL_RECTANGLE (area.x + x, area.y + y, area.width, area.height), GEGL_ABYSS_NONE, selection,
                      &area);
  return selection;
}

CapraLayerComponents
capra_host_get_components (int drawable)
{
  static const GimpChannelType colors[] = { GIMP_CHANNEL_RED, GIMP_CHANNEL_GREEN, GIMP_CHANNEL_BLUE };
  int image = gimp_item_get_image (drawable);
  CapraLayerComponents components = 0;

  if (!gimp_item_is_layer (drawable))
    return CAPRA_LAYER_ALL;
  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    {
      GimpChannelType channel = gimp_drawable_is_gray (drawable)      ? GIMP_CHANNEL_GRAY
                                : gimp_drawable_is_indexed (drawable) ? GIMP_CHANNEL_INDEXED
                                                                      : colors[i];

      if (gimp_image_get_component_active (image, channel))
        components |= CAPRA_LAYER_RED << i;
    }
  if (gimp_image_get_component_active (image, GIMP_CHANNEL_ALPHA) && !gimp_layer_get_lock_alpha (drawable))
    components |= CAPRA_LAYER_ALPHA;
  return components;
}

/* (nullable) */
static char *
get_palette (int drawable)
{
  int count = 0;
  g_autofree guint8 *colors = NULL;

  if (!gimp_drawable_is_indexed (drawable))
    return NULL;
  colors = gimp_image_get_colormap (gimp_item_get_image (drawable), &count);
  return g_compute_checksum_for_data (G_CHECKSUM_MD5, colors, 3 * (gsize) count);
}

char *
capra_host_get_state (int drawable)
{
  GeglRectangle area = { 0, 0, 0, 0 };
  g_autofree char *palette = get_palette (drawable);

  gimp_drawable_mask_intersect (drawable, &area.x, &area.y, &area.width, &area.height);
  return g_strdup_printf ("%d×%d %d,%d %d×%d %d %u %s", gimp_drawable_width (drawable), gimp_drawable_height (drawable),
                          area.x, area.y, area.width, area.height,
                          gimp_selection_is_empty (gimp_item_get_image (drawable)),
                          capra_host_get_components (drawable), palette ? palette : "");
}

char *
capra_host_get_kept_steps (int drawable)
{
  GimpParasite *parasite = gimp_item_get_parasite (drawable, CAPRA_HOST_STEPS);
  char *xml = NULL;

  if (!parasite)
    return NULL;
  xml = g_strndup (gimp_parasite_data (parasite), (gsize) gimp_parasite_data_size (parasite));
  gimp_parasite_free (parasite);
  return xml;
}

/* GIMP would add an undo step that cannot be undone. */
void
capra_host_keep_steps (int drawable, const char *xml)
{
  int image = gimp_item_get_image (drawable);
  g_autofree char *old = capra_host_get_kept_steps (drawable);

  if (g_strcmp0 (xml, old) == 0)
    return;
  gimp_image_undo_freeze (image);
  if (xml)
    {
      GimpParasite *parasite = gimp_parasite_new (CAPRA_HOST_STEPS, GIMP_PARASITE_PERSISTENT,
                                                  (guint32) strlen (xml) + 1, xml);

      gimp_item_attach_parasite (drawable, parasite);
      gimp_parasite_free (parasite);
    }
  else
    gimp_item_detach_parasite (drawable, CAPRA_HOST_STEPS);
  gimp_image_undo_thaw (image);
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

int
capra_host_render_effects (int drawable, GError **error)
{
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("Layer effects require GIMP 3"));
  return -1;
}

void
capra_host_delete_rendered (int rendered)
{
}

gboolean
capra_host_add_effects (int drawable, GPtrArray *steps, GError **error)
{
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("Layer effects require GIMP 3"));
  return FALSE;
}

gboolean
capra_host_has_display (void)
{
  const char *name = gimp_display_name ();

  return name && *name;
}

void
capra_host_begin_progress (const char *text)
{
  gimp_progress_init (text);
}

void
capra_host_set_progress (double fraction, const char *text)
{
  if (text)
    gimp_progress_set_text (text);
  gimp_progress_update (fraction);
}

void
capra_host_end_progress (void)
{
  gimp_progress_end ();
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

void
capra_host_show_progress (const char *callback)
{
  g_autofree char *shown = NULL;
  gboolean more = TRUE;

  while (more)
    {
      int n_values = 0;
      GimpParam *values = gimp_run_procedure2 (callback, &n_values, 0, NULL);

      more = n_values == 4 && values[0].data.d_status == GIMP_PDB_SUCCESS && values[1].data.d_int32;
      if (more)
        {
          const char *text = values[3].data.d_string;
          gboolean fresh = g_strcmp0 (text, shown) != 0;

          if (!shown)
            capra_host_begin_progress (text);
          capra_host_set_progress (values[2].data.d_float, fresh ? text : NULL);
          g_free (shown);
          shown = g_strdup (text);
        }
      gimp_destroy_params (values, n_values);
    }
}

guint32
capra_host_get_user_time (void)
{
  return gimp_user_time ();
}
