/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host: the functions of GIMP that the plug-in needs, as far as they are the same in GIMP 2.10 and 3. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/gimp/host-private.h"

/* clang-format off */
G_DEFINE_QUARK (capra-host-error, capra_host_error)
/* clang-format on */

gboolean
capra_host_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, message);
  return FALSE;
}

gboolean
capra_host_refuse_as_gimp (GError **error)
{
  return capra_host_refuse (error, capra_host_get_failure ());
}

gboolean
capra_host_check (int drawable, GError **error)
{
  if (!capra_host_exists (drawable))
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_GONE, _ ("The layer no longer exists"));
  else if (gimp_item_is_group (capra_host_find (drawable)))
    capra_host_refuse (error, _ ("A layer group has no pixels; select one of its layers"));
  else if (gimp_item_get_lock_content (capra_host_find (drawable)))
    capra_host_refuse (error, _ ("The layer's pixels are locked"));
  else
    return TRUE;
  return FALSE;
}

char *
capra_host_describe (int drawable)
{
  CapraHostObject own = capra_host_find (drawable);
  g_autofree char *layer = gimp_item_get_name (own);
  g_autofree char *image = gimp_image_get_name (gimp_item_get_image (own));

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
  CapraHostObject own = capra_host_find (drawable), image = gimp_item_get_image (own);
  gboolean good = TRUE;

  gimp_image_undo_group_start (image);
  if (with_effects)
    good = capra_host_merge_effects (own);
  good = good && gimp_drawable_merge_shadow (own, TRUE)
         && gimp_drawable_update (own, area->x, area->y, area->width, area->height);
  if (!good)
    capra_host_refuse_as_gimp (error);
  gimp_image_undo_group_end (image);
  gimp_displays_flush ();
  return good;
}

GeglBuffer *
capra_host_get_selection (int drawable)
{
  CapraHostObject own = capra_host_find (drawable), image = gimp_item_get_image (own);
  CapraHostObject mask = gimp_image_get_selection (image);
  GeglRectangle place = capra_host_get_place (own), area;
  g_autoptr (GeglBuffer) all = NULL;
  GeglBuffer *selection = NULL;

  if (gimp_selection_is_empty (image) || mask == own)
    return NULL;
  all = gimp_drawable_get_buffer (mask);
  selection = gegl_buffer_new (GEGL_RECTANGLE (0, 0, place.width, place.height), gegl_buffer_get_format (all));
  if (gimp_drawable_mask_intersect (own, &area.x, &area.y, &area.width, &area.height))
    gegl_buffer_copy (all, GEGL_RECTANGLE (area.x + place.x, area.y + place.y, area.width, area.height),
                      GEGL_ABYSS_NONE, selection, &area);
  return selection;
}

/* For images that are not RGB, GIMP fails with a message to the user; their alpha is active by default. */
static gboolean
is_alpha_active (CapraHostObject drawable)
{
  return !gimp_drawable_is_rgb (drawable)
         || gimp_image_get_component_active (gimp_item_get_image (drawable), GIMP_CHANNEL_ALPHA);
}

CapraLayerComponents
capra_host_get_components (int drawable)
{
  static const GimpChannelType colors[] = { GIMP_CHANNEL_RED, GIMP_CHANNEL_GREEN, GIMP_CHANNEL_BLUE };
  CapraHostObject own = capra_host_find (drawable), image = gimp_item_get_image (own);
  CapraLayerComponents components = 0;

  if (!gimp_item_is_layer (own))
    return CAPRA_LAYER_ALL;
  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    {
      GimpChannelType channel = gimp_drawable_is_gray (own)      ? GIMP_CHANNEL_GRAY
                                : gimp_drawable_is_indexed (own) ? GIMP_CHANNEL_INDEXED
                                                                 : colors[i];

      if (gimp_image_get_component_active (image, channel))
        components |= CAPRA_LAYER_RED << i;
    }
  if (is_alpha_active (own) && !gimp_layer_get_lock_alpha (own))
    components |= CAPRA_LAYER_ALPHA;
  return components;
}

char *
capra_host_get_state (int drawable)
{
  CapraHostObject own = capra_host_find (drawable);
  GeglRectangle place = capra_host_get_place (own), area = { 0, 0, 0, 0 };
  GString *text = g_string_new (NULL);

  gimp_drawable_mask_intersect (own, &area.x, &area.y, &area.width, &area.height);
  g_string_printf (text, "%d×%d %d,%d %d×%d %d %u", place.width, place.height, area.x, area.y, area.width, area.height,
                   gimp_selection_is_empty (gimp_item_get_image (own)), capra_host_get_components (drawable));
  capra_host_append_state (text, own);
  return g_string_free (text, FALSE);
}

char *
capra_host_get_kept_steps (int drawable)
{
  GimpParasite *parasite = gimp_item_get_parasite (capra_host_find (drawable), CAPRA_HOST_STEPS);
  char *xml = NULL;

  if (!parasite)
    return NULL;
  xml = capra_host_get_text (parasite);
  gimp_parasite_free (parasite);
  return xml;
}

/* GIMP would add an undo step that cannot be undone. */
void
capra_host_keep_steps (int drawable, const char *xml)
{
  CapraHostObject own = capra_host_find (drawable), image = gimp_item_get_image (own);
  g_autofree char *old = capra_host_get_kept_steps (drawable);

  if (g_strcmp0 (xml, old) == 0)
    return;
  gimp_image_undo_freeze (image);
  if (xml)
    {
      GimpParasite *parasite = gimp_parasite_new (CAPRA_HOST_STEPS, GIMP_PARASITE_PERSISTENT,
                                                  (guint32) strlen (xml) + 1, xml);

      gimp_item_attach_parasite (own, parasite);
      gimp_parasite_free (parasite);
    }
  else
    gimp_item_detach_parasite (own, CAPRA_HOST_STEPS);
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

void
capra_host_show_progress (const char *callback)
{
  g_autofree char *shown = NULL;
  double fraction = 0.0;
  char *text = NULL;

  while (capra_host_call_worker (callback, &fraction, &text))
    {
      gboolean fresh = g_strcmp0 (text, shown) != 0;

      if (!shown)
        capra_host_begin_progress (text);
      capra_host_set_progress (fraction, fresh ? text : NULL);
      g_free (shown);
      shown = text;
    }
}

guint32
capra_host_get_user_time (void)
{
  return gimp_user_time ();
}
