/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CapraOperation: the base class of all operations but capra:measure-save, which is a sink.
 *
 * A subclass computes arrays from arrays in compute(), and returns the region that it needs. The base class keeps
 * images on the device between operations, stores results until their input or a property changes, computes more than
 * a host requests in chunks (compute/compute-ahead.h), and handles failures: it reports the error and outputs the input
 * or zeros. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/compute/hidden-reach.h"
#include "plugin/compute/job.h"
#include "plugin/properties.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_OPERATION (capra_operation_get_type ())
GType capra_operation_get_type (void);
G_DECLARE_DERIVABLE_TYPE (CapraOperation, capra_operation, CAPRA, OPERATION, GeglOperationFilter)
void capra_operation_register (GTypeModule *module);

/**
 * CapraOperationClass:
 * @compute: computes the job's region: capra_job_get_pixels(), an algorithm, capra_job_set_result()
 * @get_required: the region of the input on a pad that a region of the result depends on; that region itself unless
 * the subclass sets it. Replaces get_required_for_output(), which asks for more: the base class computes ahead
 * @get_state: (nullable): a number that differs if the result differs for another reason than GEGL knows: a file whose
 * name is a property, or an image that appears on the aux pad
 * @get_hidden_reach: (nullable): how far beyond get_invalidated_by_change() a change of the input may alter the last
 * digits of the result, along x and y
 * @converts: (nullable): whether compute() converts the result to CapraJob.array_format
 * @needs_whole: (nullable): whether, with the present values of the properties, every pixel of the result depends on
 * the whole input; the job's region is then the whole result, which is cached
 * @in_bands: (nullable): whether an operation that needs the whole input can compute in bands (compute/whole-bands.h)
 * @one_device: whether it does so on one device only
 * @fails_to_zeros: (nullable): whether the output is zeros after a failure, since the input cannot replace the result
 */
struct _CapraOperationClass {
  GeglOperationFilterClass parent_class;
  gboolean (*compute) (CapraJob *job, GError **error);
  CapraRequiredFunc get_required;
  guint (*get_state) (GeglOperation *operation);
  CapraHiddenReachFunc get_hidden_reach;
  gboolean (*converts) (GeglOperation *operation);
  gboolean (*needs_whole) (GeglOperation *operation);
  gboolean (*in_bands) (GeglOperation *operation);
  gboolean one_device;
  gboolean (*fails_to_zeros) (GeglOperation *operation);
};

/* A prepare() for filters that average pixels: linear light, as many channels as the source has, associated alpha.
 * Without a prepare(), both pads have the format of the source. */
void capra_operation_prepare_average (GeglOperation *operation);

/* Returns TRUE: a needs_whole(), in_bands() or fails_to_zeros() that does not depend on properties. */
gboolean capra_operation_always (GeglOperation *operation);

/* The extent of the image on the aux pad, or NULL if there is none. GIMP always connects the pad, to a source without
 * an image if the user has chosen none. */
const GeglRectangle *capra_operation_get_aux (GeglOperation *operation);

/* Fails if @extent, the extent of the input, is unbounded. */
gboolean capra_operation_require_bounds (const GeglRectangle *extent, GError **error);

/* Gives an operation an aux pad. @title and @description explain the image on it; hosts find them in the keys
 * "capra:aux-title" and "capra:aux-description". */
void capra_operation_class_set_aux (GeglOperationClass *klass, const char *title, const char *description);

/* Creates the aux pad, if the class has one; for the attach() of operations that are not a CapraOperation. */
void capra_operation_create_aux_pad (GeglOperation *operation);

/* Puts an operation with the key "gimp:menu-label" into GIMP's menu Filters > Capra. */
void capra_operation_class_set_menu (GeglOperationClass *klass);

G_END_DECLS
