/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects-3: the effects of layers in GIMP 3. */
#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

#include "ui/gimp/host-private.h"
#include "ui/pipeline/steps/step.h"

/* Writes @values into the selection, which is none. A channel would store them with other precision. */
static gboolean
restore_selection (GimpDrawable *selection, GeglBuffer *values)
{
  GeglBuffer *shadow = gimp_drawable_get_shadow_buffer (selection);

  gegl_buffer_copy (values, NULL, GEGL_ABYSS_NONE, shadow, NULL);
  gegl_buffer_flush (shadow);
  g_object_unref (shadow); /* before it is merged */
  return gimp_drawable_merge_shadow (selection, TRUE)
         && gimp_drawable_update (selection, 0, 0, gimp_drawable_get_width (selection),
                                  gimp_drawable_get_height (selection));
}

/* GIMP would merge effects in proportion to the selection, which is therefore none meanwhile. */
gboolean
capra_host_merge_effects (CapraHostObject drawable)
{
  GimpImage *image = gimp_item_get_image (drawable);
  GimpDrawable *selection = GIMP_DRAWABLE (gimp_image_get_selection (image));
  g_autoptr (GeglBuffer) all = NULL;
  g_autoptr (GeglBuffer) values = NULL;
  gboolean good = FALSE;

  if (gimp_selection_is_empty (image))
    return gimp_drawable_merge_filters (drawable);
  all = gimp_drawable_get_buffer (selection);
  values = gegl_buffer_new (gegl_buffer_get_extent (all), gegl_buffer_get_format (all));
  gegl_buffer_copy (all, NULL, GEGL_ABYSS_NONE, values, NULL);
  gimp_selection_none (image);
  good = gimp_drawable_merge_filters (drawable);
  return restore_selection (selection, values) && good;
}

guint
capra_host_count_effects (int drawable)
{
  g_autofree GimpDrawableFilter **filters = gimp_drawable_get_filters (capra_host_find (drawable));
  guint count = 0;

  for (guint i = 0; filters && filters[i]; i++)
    count += gimp_drawable_filter_get_visible (filters[i]) ? 1 : 0;
  return count;
}

/* A copy of the image has the same colors, palette and precision, and shares its pixels. */
int
capra_host_render_effects (int drawable, GError **error)
{
  GimpItem *item = capra_host_find (drawable);
  GimpImage *copy = gimp_image_duplicate (gimp_item_get_image (item));
  GimpLayer *layer = copy ? gimp_image_get_layer_by_tattoo (copy, gimp_item_get_tattoo (item)) : NULL;

  if (layer && capra_host_merge_effects (layer))
    return gimp_item_get_id (GIMP_ITEM (layer));
  capra_host_refuse_as_gimp (error);
  if (copy)
    gimp_image_delete (copy);
  return -1;
}

void
capra_host_delete_rendered (int rendered)
{
  gimp_image_delete (gimp_item_get_image (capra_host_find (rendered)));
}

gboolean
capra_host_has_effects (void)
{
  return TRUE;
}

/* In GIMP's configuration enums are strings, and some numbers have other types. */
static gboolean
set_value (GObject *config, const char *name, const GValue *value)
{
  GParamSpec *property = g_object_class_find_property (G_OBJECT_GET_CLASS (config), name);
  g_auto (GValue) own = G_VALUE_INIT;

  if (!property)
    return FALSE;
  if (G_VALUE_HOLDS_ENUM (value) && property->value_type == G_TYPE_STRING)
    {
      g_autoptr (GEnumClass) klass = g_type_class_ref (G_VALUE_TYPE (value));
      GEnumValue *entry = g_enum_get_value (klass, g_value_get_enum (value));

      g_object_set (config, name, entry ? entry->value_nick : NULL, NULL);
      return entry != NULL;
    }
  g_value_init (&own, property->value_type);
  if (!g_value_transform (value, &own))
    return FALSE;
  g_object_set_property (config, name, &own);
  return TRUE;
}

static gboolean
set_values (GimpDrawableFilter *filter, CapraStep *step, GError **error)
{
  GObject *config = G_OBJECT (gimp_drawable_filter_get_config (filter));
  const char *operation = capra_step_get_operation (step);
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if (capra_step_is_default (step, list[i]))
        continue;
      capra_step_get (step, list[i], &value);
      if (set_value (config, list[i]->name, &value))
        continue;
      g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("GIMP effects do not support \"%s\" of %s"),
                   g_param_spec_get_nick (list[i]), operation);
      return FALSE;
    }
  return TRUE;
}

/* Creates an effect without adding it to the drawable. */
static GimpDrawableFilter *
make_filter (int drawable, CapraStep *step, GError **error)
{
  const char *operation = capra_step_get_operation (step);
  g_autofree char *title = capra_operation_get_title (operation);
  GimpDrawableFilter *filter = NULL;

  if (capra_operation_has_aux (operation))
    {
      g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
                   _ ("GIMP effects do not support the second input of \"%s\"; apply the steps to the pixels instead"),
                   title);
      return NULL;
    }
  filter = gimp_drawable_filter_new (capra_host_find (drawable), operation, title);
  if (!filter) /* GIMP's own message names a procedure of its program */
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
                 _ ("GIMP does not have the effect \"%s\": restart GIMP; if that does not help, GEGL_PATH must name "
                    "the folder of Capra's module where GIMP is started"),
                 title);
  else if (set_values (filter, step, error))
    return filter;
  else
    gimp_drawable_filter_delete (filter);
  return NULL;
}

gboolean
capra_host_add_effects (int drawable, GPtrArray *steps, GError **error)
{
  g_autoptr (GPtrArray) filters = g_ptr_array_new ();
  GimpImage *image = NULL;
  gboolean good = TRUE;

  if (!capra_host_check (drawable, error))
    return FALSE;
  for (guint i = 0; i < steps->len; i++)
    {
      GimpDrawableFilter *filter = NULL;

      if (!capra_step_get_enabled (steps->pdata[i]))
        continue;
      if ((filter = make_filter (drawable, steps->pdata[i], error)))
        g_ptr_array_add (filters, filter);
      else
        {
          for (guint j = 0; j < filters->len; j++)
            gimp_drawable_filter_delete (filters->pdata[j]);
          return FALSE;
        }
    }
  image = gimp_item_get_image (capra_host_find (drawable));
  gimp_image_undo_group_start (image);
  for (guint i = 0; i < filters->len && good; i++)
    {
      gimp_drawable_append_filter (capra_host_find (drawable), filters->pdata[i]);
      good = gimp_pdb_get_last_status (gimp_get_pdb ()) == GIMP_PDB_SUCCESS || capra_host_refuse_as_gimp (error);
    }
  gimp_image_undo_group_end (image);
  gimp_displays_flush ();
  return good;
}
