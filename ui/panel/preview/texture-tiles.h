/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patches: the rendered parts of one image, as textures at several scales. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A level is a power of two: at level n one pixel of a patch covers 2^n pixels of the image along each
 * axis; at level -n a pixel of the image covers 2^n of the patch's. */
#define CAPRA_LEVEL_MIN (-6)
double capra_level_get_scale (int level); /* pixels of the level for one of the image */

typedef enum {
  CAPRA_QUALITY_DRAFT, /* computed from a smaller source */
  CAPRA_QUALITY_FINAL, /* computed from the image itself */
} CapraQuality;

/* Filled by a worker, drawn by the interface; locks itself. */
typedef struct _CapraPatches CapraPatches;

CapraPatches *capra_patches_new (void);
void capra_patches_free (CapraPatches *patches);

/* @pixels: opaque, as cairo's ARGB32, @rect's width times 4 bytes a row (transfer full). */
void capra_patches_add (CapraPatches *patches, int level, const GeglRectangle *rect, guint generation,
                        CapraQuality quality, GBytes *pixels);

/* What of @rect is not there in that generation at that level in that quality or better
 * (cairo_region_destroy). */
cairo_region_t *capra_patches_get_missing (CapraPatches *patches, int level, const GeglRectangle *rect,
                                           guint generation, CapraQuality quality);

/* Forgets what is older than @generation. */
void capra_patches_drop_older (CapraPatches *patches, guint generation);
/* Forgets the oldest patches that do not touch @keep (of the image) while they take too much memory. */
void capra_patches_limit (CapraPatches *patches, const GeglRectangle *keep);

/* Draws what touches @visible (of the image): older below newer, coarse below fine. */
void capra_patches_snapshot (CapraPatches *patches, GtkSnapshot *snapshot, const graphene_rect_t *visible, double scale,
                             double x, double y);

G_END_DECLS
