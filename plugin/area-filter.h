/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CapraAreaFilter: the base class of operations that read a fixed number of pixels to each side of a pixel.
 *
 * Like GeglOperationAreaFilter, it derives all regions from the reach. A subclass has its properties, get_reach() and
 * filter() or converting_filter(); operations/box-blur.c is an example. */
#pragma once

#include "plugin/operation.h"

G_BEGIN_DECLS

/**
 * CapraReach:
 * @x: how many pixels to the left and right of a pixel the filter reads
 * @y: how many rows above and below
 * @border: what it reads beyond the edges of the image
 */
typedef struct {
  int x, y;
  CapraBorder border;
} CapraReach;

/* The type of properties whose value is a CapraBorder. */
GType capra_border_get_type (void);

/* The property `abyss-policy`, for an operation's list of properties. */
#define property_abyss_policy() \
  property_enum (abyss_policy, _ ("Abyss policy"), CapraBorder, capra_border, CAPRA_BORDER_CLAMP) \
    description (_ ("How image edges are handled"))

#define CAPRA_TYPE_AREA_FILTER (capra_area_filter_get_type ())
GType capra_area_filter_get_type (void);
G_DECLARE_DERIVABLE_TYPE (CapraAreaFilter, capra_area_filter, CAPRA, AREA_FILTER, CapraOperation)
void capra_area_filter_register (GTypeModule *module);

/**
 * CapraFilterFunc:
 * @job: what is computed: its operation has the properties
 * @input: the pixels of @window->source
 *
 * Returns: (transfer full): the pixels of @window->result, or %NULL with @error set. May run in several threads at
 * once.
 */
typedef CapraArray *(*CapraFilterFunc) (CapraJob *job, CapraArray *input, const CapraWindow *window, GError **error);

/**
 * CapraConvertingFilterFunc:
 * @job: what is computed
 * @input: (transfer full): the pixels of @window->source in the type and encoding of the source
 * @conversions: what @input and the result are to be converted by
 *
 * As #CapraFilterFunc, for kernels that convert pixels while they load and store them, which saves converted copies of
 * the image.
 */
typedef CapraArray *(*CapraConvertingFilterFunc) (CapraJob *job, CapraArray *input, const CapraConversions *conversions,
                                                  const CapraWindow *window, GError **error);

/**
 * CapraAreaFilterClass:
 * @get_reach: how far the filter reads with the present values of its properties
 * @get_visible_reach: (nullable): how far a changed pixel visibly changes the result, where that is less than the reach
 * @filter: computes the result; not called where @converting_filter is set
 * @converting_filter: (nullable): computes the result from unconverted pixels, and converts it
 *
 * The pixels, once converted, are in linear light, in as many channels as the source has, with alpha associated, unless
 * the subclass has its own prepare().
 */
struct _CapraAreaFilterClass {
  CapraOperationClass parent_class;
  CapraReach (*get_reach) (GeglOperation *operation);
  CapraReach (*get_visible_reach) (GeglOperation *operation);
  CapraFilterFunc filter;
  CapraConvertingFilterFunc converting_filter;
};

/* The extent of the input, enlarged by the visible reach: a bounding box for results that are not clipped. */
GeglRectangle capra_area_filter_get_enlarged_extent (GeglOperation *operation);

/* Computes the job's region with @filter from @source, the part of @image on the input pad that @filter reads. For
 * operations that compute these regions themselves. */
gboolean capra_area_filter_compute (CapraJob *job, const GeglRectangle *image, const GeglRectangle *source,
                                    CapraFilterFunc filter, GError **error);

G_END_DECLS
