/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region table: measures labeled regions, for capra:measure and capra:measure-save. */
#include "plugin/compute/region-table.h"

#include <glib/gi18n-lib.h>

#include "algorithms/measure/measure.h"
#include "plugin/compute/label-input.h"
#include "plugin/operation.h"
#include "runtime/device/error.h"

static gboolean
get_intensities (CapraJob *job, CapraPixels *pixels, GError **error)
{
  GeglRectangle extent = capra_job_get_extent (job, "aux");
  const Babl *source = gegl_operation_get_source_format (job->operation, "aux");

  if (!capra_operation_get_aux (job->operation) || !capra_job_get_buffer (job, "aux"))
    return TRUE;
  if (!gegl_rectangle_contains (&extent, &job->roi))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("the intensities on the aux pad (%d x %d at %d, %d) do not cover the labels "
                      "(%d x %d at %d, %d)"),
                   extent.width, extent.height, extent.x, extent.y, job->roi.width, job->roi.height, job->roi.x,
                   job->roi.y);
      return FALSE;
    }
  return capra_job_get_pixels (job, "aux", &job->roi, capra_format_working (source, CAPRA_WORK_LUMINANCE),
                               CAPRA_FIT_EXACT, pixels, error);
}

CapraTable *
capra_region_table_new (CapraJob *job, GError **error)
{
  g_auto (CapraPixels) labels = { NULL }, intensities = { NULL };
  g_autoptr (GArray) regions = NULL;

  if (!capra_label_input_get (job, "input", &job->roi, &labels, error) || !get_intensities (job, &intensities, error))
    return NULL;
  regions = capra_measure (labels.array, intensities.array, job->roi.x, job->roi.y, error);
  return regions ? capra_measure_table (regions) : NULL;
}
