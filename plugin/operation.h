/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CapraOperation: what all filters of ours are derived from.
 *
 * A subclass says which region it needs, and computes arrays from arrays in its `compute`. The base
 * keeps images on the device from one operation to the next, computes whole-image results once, and
 * turns failures into messages and harmless pixels. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/compute/job.h"
#include "plugin/properties.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_OPERATION (capra_operation_get_type ())
GType capra_operation_get_type (void);
G_DECLARE_DERIVABLE_TYPE (CapraOperation, capra_operation, CAPRA, OPERATION, GeglOperationFilter)
void capra_operation_register (GTypeModule *module);

/**
 * CapraOperationClass:
 * @compute: from the job's pads to its output: capra_job_get_pixels(), an algorithm, capra_job_set_result()
 * @needs_whole: (nullable): whether, under the present properties, every result depends on the whole
 *   input: then the job's region is the whole result, and it is kept
 * @fails_to_zeros: (nullable): whether a failure gives zeros, because the input cannot stand for the
 *   result
 */
struct _CapraOperationClass {
  GeglOperationFilterClass parent_class;
  gboolean (*compute) (CapraJob *job, GError **error);
  gboolean (*needs_whole) (GeglOperation *operation);
  gboolean (*fails_to_zeros) (GeglOperation *operation);
};

/* For a class's `prepare`: linear light in as many channels as the source has, alpha associated, so that
 * pixels may be averaged. Without a `prepare` both pads have the source's own format: pixels pass
 * through. */
void capra_operation_prepare_average (GeglOperation *operation);

/* For the answers of a class that does not depend on properties. */
gboolean capra_operation_always (GeglOperation *operation);

/* For operations that need the whole input: what to answer to get_required_for_output. Nothing while
 * the result is kept. */
GeglRectangle capra_operation_get_required_whole (GeglOperation *operation, const char *pad, const GeglRectangle *roi);

/* The extent of the image on the aux pad, or NULL without one. That the pad is connected says little:
 * GIMP always connects it, to a source without an image where the user has chosen none. */
const GeglRectangle *capra_operation_get_aux (GeglOperation *operation);

/* Fails if @extent, the input's, is unbounded. */
gboolean capra_operation_require_bounds (const GeglRectangle *extent, GError **error);

/* Gives an operation an aux pad. @title and @description say what the image on it is for; they become the keys
 * "capra:aux-title" and "capra:aux-description", which hosts show. */
void capra_operation_class_set_aux (GeglOperationClass *klass, const char *title, const char *description);

/* Creates the aux pad, if the class has one; for the attach() of operations that are not a CapraOperation. */
void capra_operation_create_aux_pad (GeglOperation *operation);

/* Puts an operation with the key "gimp:menu-label" into GIMP's menu Filters > Capra. */
void capra_operation_class_set_menu (GeglOperationClass *klass);

G_END_DECLS
