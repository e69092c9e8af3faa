/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-3: GIMP 3. */
#include "ui/gimp/host.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>
#include <string.h>

#include "ui/gimp/host-3-private.h"

/* clang-format off */
G_DEFINE_QUARK (capra-host-error, capra_host_error)
/* clang-format on */

GimpDrawable *
capra_host_find (int drawable)
{
  return gimp_drawable_get_by_id (drawable);
}

gboolean
capra_host_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, message);
  return FALSE;
}

gboolean
capra_host_refuse_as_gimp (GError **error)
{
  return capra_host_refuse (error, gimp_pdb_get_last_error (gimp_get_pdb ()));
}

gboolean
capra_host_check (int drawable, GError **error)
{
  if (!gimp_item_id_is_valid (drawable) || !gimp_item_id_is_drawable (drawable))
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_GONE, _ ("The layer no longer exists"));
  else if (gimp_item_is_group (GIMP_ITEM (capra_host_find (drawable))))
    capra_host_refuse (error, _ ("A layer group has no pixels; select one of its layers"));
  else if (gimp_item_get_lock_content (GIMP_ITEM (capra_host_find (drawable))))
    capra_host_refuse (error, _ ("The layer's pixels are locked"));
  else
    return TRUE;
  return FALSE;
}

char *
capra_host_describe (int drawable)
{
  GimpItem *item = GIMP_ITEM (capra_host_find (drawable));
  g_autofree char *layer = gimp_item_get_name (item);
  g_autofree char *image = gimp_image_get_name (gimp_item_get_image (item));

  return g_strdup_printf ("%s (%s)", layer, image);
}

GeglBuffer *
capra_host_get_pixels (int drawable)
{
  return gimp_drawable_get_buffer (capra_host_find (drawable));
}

GeglBuffer *
capra_host_get_shadow (int drawable)
{
  return gimp_drawable_get_shadow_buffer (capra_host_find (drawable));
}

gboolean
capra_host_get_area (int drawable, GeglRectangle *area, GError **error)
{
  return gimp_drawable_mask_intersect (capra_host_find (drawable), &area->x, &area->y, &area->width, &area->height)
         || capra_host_refuse (error, _ ("The selection does not intersect the layer"));
}

gboolean
capra_host_merge (int drawable, const GeglRectangle *area, gboolean with_effects, GError **error)
{
  GimpImage *image = gimp_item_get_image (GIMP_ITEM (capra_host_find (drawable)));
  gboolean good = TRUE;

  gimp_image_undo_group_start (image);
  if (with_effects)
    good = capra_host_merge_effects (capra_host_find (drawable));
  good = good && gimp_drawable_merge_shadow (capra_host_find (drawable), TRUE)
         && gimp_drawable_update (capra_host_find (drawable), area->x, area->y, area->width, area->height);
  if (!good)
    capra_host_refuse_as_gimp (error);
  gimp_image_undo_group_end (image);
  gimp_displays_flush ();
  return good;
}

GeglBuffer *
capra_host_get_selection (int drawable)
{
  GimpDrawable *own = capra_host_find (drawable);
  GimpImage *image = gimp_item_get_image (GIMP_ITEM (own));
  GimpDrawable *mask = GIMP_DRAWABLE (gimp_image_get_selection (image));
  GeglRectangle extent = { 0, 0, gimp_drawable_get_width (own), gimp_drawable_get_height (own) }, area;
  g_autoptr (GeglBuffer) all = NULL;
  GeglBuffer *selection = NULL;
  int x = 0, y = 0;

  if (gimp_selection_is_empty (image) || mask == own)
    return NULL;
  all = gimp_drawable_get_buffer (mask);
  selection = gegl_buffer_new (&extent, gegl_buffer_get_format (all));
  gimp_drawable_get_offsets (own, &x, &y);
  if (gimp_drawable_mask_intersect (own, &area.x, &area.y, &area.width, &area.height))
    gegl_buffer_copy (all, GEGL_RECTANGLE (area.x + x, area.y + y, area.width, area.height), GEGL_ABYSS_NONE, selection,
                      &area);
  return selection;
}

CapraLayerComponents
capra_host_get_components (int drawable)
{
  static const GimpChannelType colors[] = { GIMP_CHANNEL_RED, GIMP_CHANNEL_GREEN, GIMP_CHANNEL_BLUE };
  GimpDrawable *own = capra_host_find (drawable);
  GimpImage *image = gimp_item_get_image (GIMP_ITEM (own));
  CapraLayerComponents components = 0;

  if (!GIMP_IS_LAYER (own))
    return CAPRA_LAYER_ALL;
  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    {
      GimpChannelType channel = gimp_drawable_is_gray (own)      ? GIMP_CHANNEL_GRAY
                                : gimp_drawable_is_indexed (own) ? GIMP_CHANNEL_INDEXED
                                                                 : colors[i];

      if (gimp_image_get_component_active (image, channel))
        components |= CAPRA_LAYER_RED << i;
    }
  if (gimp_image_get_component_active (image, GIMP_CHANNEL_ALPHA) && !gimp_layer_get_lock_alpha (GIMP_LAYER (own)))
    components |= CAPRA_LAYER_ALPHA;
  return components;
}

/* Values of the effects, which can be changed in GIMP at any time. */
static void
append_effect (GString *text, GimpDrawableFilter *filter)
{
  g_autofree char *operation = gimp_drawable_filter_get_operation_name (filter);
  GObject *config = G_OBJECT (gimp_drawable_filter_get_config (filter));
  guint count;
  g_autofree GParamSpec **list = g_object_class_list_properties (G_OBJECT_GET_CLASS (config), &count);

  g_string_append_printf (text, " %d %s %d %g %d", gimp_drawable_filter_get_id (filter), operation,
                          gimp_drawable_filter_get_visible (filter), gimp_drawable_filter_get_opacity (filter),
                          gimp_drawable_filter_get_blend_mode (filter));
  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      g_autofree char *shown = NULL;

      g_object_get_property (config, list[i]->name, &value);
      if (G_VALUE_HOLDS_OBJECT (&value) || G_VALUE_HOLDS_BOXED (&value))
        continue; /* their texts are addresses */
      shown = g_strdup_value_contents (&value);
      g_string_append_printf (text, " %s", shown);
    }
}

char *
capra_host_get_state (int drawable)
{
  GimpDrawable *own = capra_host_find (drawable);
  g_autofree GimpDrawableFilter **filters = gimp_drawable_get_filters (own);
  GeglRectangle area = { 0, 0, 0, 0 };
  GString *text = g_string_new (NULL);

  gimp_drawable_mask_intersect (own, &area.x, &area.y, &area.width, &area.height);
  g_string_printf (text, "%d×%d %d,%d %d×%d %d %u", gimp_drawable_get_width (own), gimp_drawable_get_height (own),
                   area.x, area.y, area.width, area.height,
                   gimp_selection_is_empty (gimp_item_get_image (GIMP_ITEM (own))),
                   capra_host_get_components (drawable));
  for (guint i = 0; filters && filters[i]; i++)
    append_effect (text, filters[i]);
  return g_string_free (text, FALSE);
}

char *
capra_host_get_kept_steps (int drawable)
{
  GimpParasite *parasite = gimp_item_get_parasite (GIMP_ITEM (capra_host_find (drawable)), CAPRA_HOST_STEPS);
  const char *data = NULL;
  guint32 size = 0;
  char *xml = NULL;

  if (!parasite)
    return NULL;
  data = gimp_parasite_get_data (parasite, &size);
  xml = g_strndup (data, size);
  gimp_parasite_free (parasite);
  return xml;
}

/* GIMP would add an undo step that cannot be undone. */
void
capra_host_keep_steps (int drawable, const char *xml)
{
  GimpItem *item = GIMP_ITEM (capra_host_find (drawable));
  GimpImage *image = gimp_item_get_image (item);
  g_autofree char *old = capra_host_get_kept_steps (drawable);

  if (g_strcmp0 (xml, old) == 0)
    return;
  gimp_image_undo_freeze (image);
  if (xml)
    {
      GimpParasite *parasite = gimp_parasite_new (CAPRA_HOST_STEPS, GIMP_PARASITE_PERSISTENT,
                                                  (guint32) strlen (xml) + 1, xml);

      gimp_item_attach_parasite (item, parasite);
      gimp_parasite_free (parasite);
    }
  else
    gimp_item_detach_parasite (item, CAPRA_HOST_STEPS);
  gimp_image_undo_thaw (image);
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

typedef struct {
  CapraHostFunc func;
  gpointer data;
} Worker;

static GimpValueArray *
run_worker (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer data)
{
  const Worker *worker = data;
  GimpValueArray *values = gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
  double fraction = 0.0;
  const char *text = "";
  gboolean more = worker->func (&fraction, &text, worker->data);

  GIMP_VALUES_SET_BOOLEAN (values, 1, more);
  GIMP_VALUES_SET_DOUBLE (values, 2, fraction);
  GIMP_VALUES_SET_STRING (values, 3, text);
  return values;
}

gboolean
capra_host_run (CapraHostFunc func, gpointer data)
{
  Worker worker = { func, data };
  g_autofree char *callback = gimp_pdb_temp_procedure_name (gimp_get_pdb ());
  GimpProcedure *procedure = gimp_procedure_new (gimp_get_plug_in (), callback, GIMP_PDB_PROC_TYPE_TEMPORARY,
                                                 run_worker, &worker, NULL);
  GimpProcedure *display = gimp_pdb_lookup_procedure (gimp_get_pdb (), CAPRA_HOST_PROGRESS);
  gboolean canceled = FALSE;

  gimp_procedure_add_boolean_return_value (procedure, "more", "More", "Whether there is more to do", FALSE,
                                           G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "fraction", "Fraction", "The progress", 0.0, 1.0, 0.0,
                                          G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "text", "Text", "The current activity", "", G_PARAM_READWRITE);
  gimp_procedure_set_documentation (procedure, CAPRA_HOST_PROGRESS_BLURB, CAPRA_HOST_PROGRESS_BLURB, NULL);
  gimp_plug_in_add_temp_procedure (gimp_get_plug_in (), procedure);
  if (display)
    {
      GimpValueArray *values = gimp_procedure_run (display, "callback", callback, NULL);

      canceled = GIMP_VALUES_GET_ENUM (values, 0) == GIMP_PDB_CANCEL;
      gimp_value_array_unref (values);
    }
  gimp_plug_in_remove_temp_procedure (gimp_get_plug_in (), callback);
  g_object_unref (procedure);
  return !canceled;
}

void
capra_host_show_progress (const char *callback)
{
  GimpProcedure *procedure = gimp_pdb_lookup_procedure (gimp_get_pdb (), callback);
  g_autofree char *shown = NULL;
  gboolean more = procedure != NULL;

  while (more)
    {
      GimpValueArray *values = gimp_procedure_run (procedure, NULL, NULL);

      more = GIMP_VALUES_GET_ENUM (values, 0) == GIMP_PDB_SUCCESS && GIMP_VALUES_GET_BOOLEAN (values, 1);
      if (more)
        {
          const char *text = GIMP_VALUES_GET_STRING (values, 3);
          gboolean fresh = g_strcmp0 (text, shown) != 0;

          if (!shown)
            capra_host_begin_progress (text);
          capra_host_set_progress (GIMP_VALUES_GET_DOUBLE (values, 2), fresh ? text : NULL);
          g_free (shown);
          shown = g_strdup (text);
        }
      gimp_value_array_unref (values);
    }
}

guint32
capra_host_get_user_time (void)
{
  return gimp_user_time ();
}
