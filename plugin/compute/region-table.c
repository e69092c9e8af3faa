/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region table: measures labeled regions, for capra:measure and capra:measure-save. */
#include "plugin/compute/region-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/measure/measure.h"
#include "plugin/compute/label-input.h"
#include "plugin/compute/whole-bands.h"
#include "plugin/image-header.h"
#include "plugin/operation.h"
#include "runtime/base/error.h"

static gboolean
has_intensities (CapraJob *job)
{
  return capra_operation_get_aux (job->operation) && capra_job_get_buffer (job, "aux");
}

static gboolean
check_intensities (CapraJob *job, GError **error)
{
  GeglRectangle extent = capra_job_get_extent (job, "aux");

  if (has_intensities (job) && !gegl_rectangle_contains (&extent, &job->roi))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("the intensities on the aux pad (%d x %d at %d, %d) do not cover the labels "
                      "(%d x %d at %d, %d)"),
                   extent.width, extent.height, extent.x, extent.y, job->roi.width, job->roi.height, job->roi.x,
                   job->roi.y);
      return FALSE;
    }
  return TRUE;
}

static const Babl *
intensity_format (CapraJob *job)
{
  return capra_format_working (gegl_operation_get_source_format (job->operation, "aux"), CAPRA_WORK_LUMINANCE);
}

/* CapraWholeRead functions. */

static gboolean
get_labels (CapraJob *job, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  return capra_label_input_get (job, "input", rect, pixels, error);
}

static gboolean
get_intensities (CapraJob *job, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  return capra_job_get_pixels (job, "aux", rect, intensity_format (job), CAPRA_FIT_EXACT, pixels, error);
}

static GArray *
measure_in_bands (CapraJob *job, GError **error)
{
  g_auto (CapraWholeBands) labels;
  g_auto (CapraWholeBands) intensities;
  CapraBandSource label_source, value_source;
  CapraShape shape;

  capra_whole_bands_init (&labels, job, get_labels);
  capra_whole_bands_init (&intensities, job, get_intensities);
  label_source = capra_whole_bands_get_source (&labels, 1, CAPRA_U32);
  if (!has_intensities (job))
    return capra_measure_bands (&label_source, NULL, job->roi.x, job->roi.y, error);
  if (!capra_format_get_shape (intensity_format (job), 1, 1, &shape))
    g_return_val_if_reached (NULL);
  value_source = capra_whole_bands_get_source (&intensities, shape.channels, shape.type);
  return capra_measure_bands (&label_source, &value_source, job->roi.x, job->roi.y, error);
}

/* The labeled regions (element-type CapraRegion) by rising label. */
static GArray *
measure (CapraJob *job, GError **error)
{
  g_auto (CapraPixels) labels = { NULL }, intensities = { NULL };

  if (!check_intensities (job, error))
    return NULL;
  if (job->band_rows > 0)
    return measure_in_bands (job, error);
  if (!get_labels (job, &job->roi, &labels, error)
      || (has_intensities (job) && !get_intensities (job, &job->roi, &intensities, error)))
    return NULL;
  return capra_measure (labels.array, intensities.array, job->roi.x, job->roi.y, error);
}

static int
compare_brightness (gconstpointer a, gconstpointer b)
{
  const CapraRegion *first = a, *second = b;
  int nan = isnan (first->sum) - isnan (second->sum), order = (first->sum < second->sum) - (first->sum > second->sum);

  return nan ? nan : order ? order : (first->label > second->label) - (first->label < second->label);
}

/* The world coordinates of the image on the aux pad, or else of that on the input pad, if there are any. */
static gboolean
find_coordinates (CapraJob *job, CapraSourceInfo *info)
{
  if (capra_operation_get_aux (job->operation) && capra_image_header_find (job->operation, "aux", info)
      && info->coordinates)
    return TRUE;
  capra_source_info_clear (info);
  return capra_image_header_find (job->operation, "input", info) && info->coordinates;
}

/* @table with two columns more. */
static CapraTable *
add_coordinates (CapraTable *table, const GArray *regions, CapraWorldCoordinates *coordinates)
{
  guint n = capra_table_get_columns (table);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree double *row = g_new (double, n + 2);
  CapraTable *result = NULL;

  for (guint c = 0; c < n; c++)
    g_ptr_array_add (names, g_strdup (capra_table_get_name (table, c)));
  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (names, g_ascii_strdown (capra_world_coordinates_get_name (coordinates, i), -1));
  g_ptr_array_add (names, NULL);
  result = capra_table_new ((const char *const *) names->pdata);
  for (guint r = 0; r < regions->len; r++)
    {
      const CapraRegion *region = &g_array_index (regions, CapraRegion, r);
      gboolean weighted = isfinite (region->weighted_centroid_x);

      for (guint c = 0; c < n; c++)
        row[c] = capra_table_get (table, r, c);
      capra_world_coordinates_from_pixel (coordinates, weighted ? region->weighted_centroid_x : region->centroid_x,
                                          weighted ? region->weighted_centroid_y : region->centroid_y, row + n);
      capra_table_add_row (result, row);
    }
  return result;
}

CapraTable *
capra_region_table_new (CapraJob *job, CapraRegionSort sort, GError **error)
{
  g_auto (CapraSourceInfo) info = { 0 };
  g_autoptr (GArray) regions = measure (job, error);
  g_autoptr (CapraTable) table = NULL;

  if (!regions)
    return NULL;
  if (sort == CAPRA_REGION_SORT_BRIGHTNESS)
    g_array_sort (regions, compare_brightness);
  table = capra_measure_table (regions, has_intensities (job));
  return find_coordinates (job, &info) ? add_coordinates (table, regions, info.coordinates) : g_steal_pointer (&table);
}
