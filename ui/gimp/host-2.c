/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-2: GIMP 2.10. */
#include "host.h"

#include <glib/gi18n-lib.h>
#include <libgimp/gimp.h>

G_DEFINE_QUARK (capra-host-error, capra_host_error)

gboolean
capra_host_check (int drawable, GError **error)
{
  if (!gimp_item_is_valid (drawable) || !gimp_item_is_drawable (drawable))
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_GONE,
                 _("The layer is not there any more"));
  else if (gimp_item_is_group (drawable))
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
                 _("A layer group has no pixels of its own; choose one of its layers"));
  else if (gimp_item_get_lock_content (drawable))
    g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
                 _("The layer's pixels are locked"));
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
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
               _("Nothing of the layer is selected"));
  return FALSE;
}

gboolean
capra_host_merge (int drawable, const GeglRectangle *area, GError **error)
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

gboolean
capra_host_has_effects (void)
{
  return FALSE;
}

gboolean
capra_host_add_effects (int drawable, GPtrArray *steps, GError **error)
{
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
               _("Layers have effects from GIMP 3 on"));
  return FALSE;
}

void
capra_host_begin_progress (const char *text)
{
  gimp_progress_init (text);
}

void
capra_host_set_progress (double fraction)
{
  gimp_progress_update (fraction);
}

void
capra_host_end_progress (void)
{
  gimp_progress_end ();
}

guint32
capra_host_get_user_time (void)
{
  return gimp_user_time ();
}
