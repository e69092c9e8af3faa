/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:convolve: convolution or correlation with any matrix, at every pixel or every n-th, on an OpenCL device. */
#ifdef GEGL_PROPERTIES
/* clang-format off */

enum_start (capra_convolve_extent)
  enum_value (CAPRA_CONVOLVE_EXTENT_SAME, "same", N_ ("Same"))
  enum_value (CAPRA_CONVOLVE_EXTENT_FULL, "full", N_ ("Full"))
  enum_value (CAPRA_CONVOLVE_EXTENT_VALID, "valid", N_ ("Valid"))
enum_end (CapraConvolveExtent)

property_string (matrix, _ ("Matrix"), "0.0625 0.125 0.0625\n0.125 0.25 0.125\n0.0625 0.125 0.0625")
  description (_ ("The weights: rows separated by newlines or semicolons, numbers by spaces or commas"))
  ui_meta ("multiline", "true")

property_boolean (correlate, _ ("Correlate"), FALSE)
  description (_ ("Compute the correlation: do not rotate the matrix by 180 degrees"))

property_double (divisor, _ ("Divisor"), 1.0)
  description (_ ("The sum is divided by this value; 0 means the sum of the matrix"))
  value_range (-1e9, 1e9) ui_range (0.0, 100.0)

property_double (offset, _ ("Offset"), 0.0)
  description (_ ("Added after the division"))
  value_range (-1e9, 1e9) ui_range (-1.0, 1.0)

property_enum (extent, _ ("Extent"), CapraConvolveExtent, capra_convolve_extent, CAPRA_CONVOLVE_EXTENT_SAME)
  description (_ ("Same: as large as the image; Full: every pixel where the matrix overlaps the image; Valid: only "
                  "pixels where the matrix is inside the image"))

property_enum (border, _ ("Border"), CapraBorder, capra_border, CAPRA_BORDER_CLAMP)
  description (_ ("How image edges are handled"))

property_int (stride_x, _ ("Stride X"), 1)
  description (_ ("Compute every n-th column"))
  value_range (1, 1000) ui_range (1, 16) ui_meta ("axis", "x")

property_int (stride_y, _ ("Stride Y"), 1)
  description (_ ("Compute every n-th row"))
  value_range (1, 1000) ui_range (1, 16) ui_meta ("axis", "y")

/* clang-format on */
#else

#define GEGL_OP_NAME convolve
#define GEGL_OP_C_FILE "convolve.c"
#include "plugin/capra-op.h"

#include "plugin/compute/matrix-source.h"
#include "runtime/base/error.h"

G_STATIC_ASSERT ((int) CAPRA_CONVOLVE_EXTENT_SAME == (int) CAPRA_EXTENT_SAME);
G_STATIC_ASSERT ((int) CAPRA_CONVOLVE_EXTENT_FULL == (int) CAPRA_EXTENT_FULL);
G_STATIC_ASSERT ((int) CAPRA_CONVOLVE_EXTENT_VALID == (int) CAPRA_EXTENT_VALID);

static CapraConvolveOptions
get_options (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);

  return (CapraConvolveOptions){ o->correlate, o->divisor,  o->offset,  (CapraExtent) o->extent,
                                 o->border,    o->stride_x, o->stride_y };
}

static CapraMatrix *
get_matrix (GeglOperation *operation, GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);
  g_autofree char *path = capra_properties_dup_path (operation);
  CapraMatrixSource source = { o->matrix, path, capra_operation_get_aux (operation) };

  return capra_matrix_cache_get (o->user_data, &source, error);
}

static guint
get_state (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);
  g_autofree char *path = capra_properties_dup_path (operation);
  CapraMatrixSource source = { o->matrix, path, capra_operation_get_aux (operation) };

  return capra_matrix_cache_get_state (o->user_data, &source);
}

/* For regions: a single weight if the matrix cannot be read; compute() reports the error. */
static CapraMatrix *
get_matrix_or_unit (GeglOperation *operation)
{
  CapraMatrix *matrix = get_matrix (operation, NULL);

  return matrix ? matrix : capra_matrix_new (1, 1);
}

/* Reported with the bounding box, since nothing requests pixels of an empty result. */
static void
report_empty_result (GeglOperation *operation, const CapraMatrix *matrix, const GeglRectangle *extent)
{
  g_autoptr (GError) error = g_error_new (
    CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
    _ (
      "the result is empty, since the matrix (%d x %d) is larger than the image (%d x %d); set extent to same or full"),
    matrix->width, matrix->height, extent->width, extent->height);

  capra_error_report_set (capra_properties_get (operation)->report, error, NULL);
}

static GeglRectangle
get_bounding_box (GeglOperation *operation)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");
  CapraConvolveOptions options = get_options (operation);
  g_autoptr (CapraMatrix) matrix = get_matrix_or_unit (operation);
  CapraRect image, result;

  if (!extent || gegl_rectangle_is_empty (extent))
    return (GeglRectangle){ 0, 0, 0, 0 };
  if (gegl_rectangle_is_infinite_plane (extent))
    return *extent;
  image = capra_rect (extent);
  result = capra_convolve_extent (&image, matrix, &options);
  if (result.width == 0 || result.height == 0)
    report_empty_result (operation, matrix, extent);
  return capra_rect_to_gegl (&result);
}

/* The part of @image that @roi of the result is computed from. */
static GeglRectangle
get_source (GeglOperation *operation, const CapraMatrix *matrix, const GeglRectangle *image, const GeglRectangle *roi)
{
  CapraConvolveOptions options = get_options (operation);
  CapraRect extent = capra_rect (image), result = capra_rect (roi);
  CapraRect source = capra_convolve_source (&extent, &result, matrix, &options);

  return capra_rect_to_gegl (&source);
}

static GeglRectangle
get_required (GeglOperation *operation, const char *pad, const GeglRectangle *roi)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, pad);
  g_autoptr (CapraMatrix) matrix = get_matrix_or_unit (operation);

  if (!extent || gegl_rectangle_is_empty (extent))
    return (GeglRectangle){ 0, 0, 0, 0 };
  if (gegl_rectangle_is_infinite_plane (extent))
    return *roi; /* compute() fails */
  if (g_str_equal (pad, "aux"))
    return *extent;
  return get_source (operation, matrix, extent, roi);
}

static GeglRectangle
get_invalidated_by_change (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  CapraConvolveOptions options = get_options (operation);
  g_autoptr (CapraMatrix) matrix = get_matrix_or_unit (operation);
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");
  gboolean local = options.stride_x == 1 && options.stride_y == 1
                   && (options.border == CAPRA_BORDER_NONE || options.border == CAPRA_BORDER_CLAMP);
  CapraRect image, changed;

  if (g_str_equal (pad, "aux") || !local || !extent || gegl_rectangle_is_infinite_plane (roi)
      || gegl_rectangle_is_infinite_plane (extent) || gegl_rectangle_is_empty (roi))
    return gegl_operation_get_bounding_box (operation);
  image = capra_rect (extent);
  changed = capra_rect (roi);
  changed = capra_convolve_affected (&image, &changed, matrix, &options);
  return capra_rect_to_gegl (&changed);
}

static CapraArray *
filter (CapraJob *job, CapraArray *input, const CapraWindow *window, GError **error)
{
  const GeglRectangle *aux = capra_operation_get_aux (job->operation);
  CapraConvolveOptions options = get_options (job->operation);
  g_autoptr (CapraMatrix) matrix = get_matrix (job->operation, error);

  if (!matrix)
    return NULL;
  if (aux && capra_job_get_buffer (job, "aux"))
    capra_matrix_read (matrix, capra_job_get_buffer (job, "aux"), aux);
  return capra_convolve (input, matrix, &options, window, error);
}

static gboolean
compute (CapraJob *job, GError **error)
{
  GeglRectangle image = capra_job_get_extent (job, "input"), source;
  g_autoptr (CapraMatrix) matrix = get_matrix (job->operation, error);

  if (!matrix || !capra_operation_require_bounds (&image, error))
    return FALSE;
  source = get_source (job->operation, matrix, &image, &job->roi);
  return capra_area_filter_compute (job, &image, &source, filter, error);
}

/* A result whose pixels are not at the positions of the image's cannot be replaced by the image. */
static gboolean
fails_to_zeros (GeglOperation *operation)
{
  CapraConvolveOptions options = get_options (operation);

  return options.extent != CAPRA_EXTENT_SAME || options.stride_x > 1 || options.stride_y > 1;
}

static void
constructed (GObject *object)
{
  GEGL_PROPERTIES (object)->user_data = capra_matrix_cache_new ();
  G_OBJECT_CLASS (gegl_op_parent_class)->constructed (object);
}

static void
finalize (GObject *object)
{
  capra_matrix_cache_free (GEGL_PROPERTIES (object)->user_data);
  G_OBJECT_CLASS (gegl_op_parent_class)->finalize (object);
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraOperationClass *capra_class = CAPRA_OPERATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  operation_class->prepare = capra_operation_prepare_average;
  operation_class->get_bounding_box = get_bounding_box;
  CAPRA_OPERATION_CLASS (klass)->get_required = get_required;
  CAPRA_OPERATION_CLASS (klass)->get_state = get_state;
  operation_class->get_invalidated_by_change = get_invalidated_by_change;
  capra_class->compute = compute;
  capra_class->fails_to_zeros = fails_to_zeros;

  capra_operation_class_set_aux (operation_class, _ ("Matrix image"),
                                 _ ("The image to convolve with, instead of the matrix below"));
  gegl_operation_class_set_keys (
    operation_class, "name", "capra:convolve", "title", _ ("Convolve (Capra)"), "categories", "generic", "description",
    _ ("Convolution or correlation with a matrix of up to 255x255, at every pixel or every n-th, on an OpenCL device"),
    "gimp:menu-label", _ ("_Convolve..."), NULL);
  capra_properties_install_path (operation_class, _ ("Matrix file"),
                                 _ ("A text file that contains the matrix; it overrides the matrix given as text"));
}

#endif
