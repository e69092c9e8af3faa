/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:convolve: convolution or correlation with any matrix, whole or at a stride. */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* In the order of CapraExtent. */
enum_start (capra_convolve_size) enum_value (CAPRA_CONVOLVE_SIZE_SAME, "same", N_ ("Same"))
  enum_value (CAPRA_CONVOLVE_SIZE_FULL, "full", N_ ("Full"))
    enum_value (CAPRA_CONVOLVE_SIZE_VALID, "valid", N_ ("Valid")) enum_end (CapraConvolveSize)

  /* In the order of CapraBorder. */
  enum_start (capra_convolve_border) enum_value (CAPRA_CONVOLVE_BORDER_NONE, "none", N_ ("None"))
    enum_value (CAPRA_CONVOLVE_BORDER_CLAMP, "clamp", N_ ("Clamp"))
      enum_value (CAPRA_CONVOLVE_BORDER_MIRROR, "mirror", N_ ("Mirror"))
        enum_value (CAPRA_CONVOLVE_BORDER_WRAP, "wrap", N_ ("Wrap")) enum_end (CapraConvolveBorder)

          property_string (matrix, _ ("Matrix"), "0.0625 0.125 0.0625\n0.125 0.25 0.125\n0.0625 0.125 0.0625")
            description (_ ("The weights: rows separated by line ends or semicolons, numbers by blanks or "
                            "commas")) ui_meta ("multiline", "true")

              property_boolean (correlate, _ ("Correlate"), FALSE)
                description (_ ("Correlation: the matrix is not turned by 180 degrees"))

                  property_double (divisor, _ ("Divisor"), 1.0)
                    description (_ ("The sum is divided by this; 0 stands for the sum of the matrix"))
                      value_range (-1e9, 1e9) ui_range (0.0, 100.0)

                        property_double (offset, _ ("Offset"), 0.0) description (_ ("Added after the division"))
                          value_range (-1e9, 1e9) ui_range (-1.0, 1.0)

                            property_enum (extent, _ ("Extent"), CapraConvolveSize, capra_convolve_size,
                                           CAPRA_CONVOLVE_SIZE_SAME)
                              description (
                                _ ("How much of the result to keep: as large as the image, wherever the matrix touches "
                                   "it, or only where the matrix lies within it"))

                                property_enum (border, _ ("Border"), CapraConvolveBorder, capra_convolve_border,
                                               CAPRA_CONVOLVE_BORDER_CLAMP)
                                  description (_ ("What lies beyond the image"))

                                    property_int (stride_x, _ ("Stride X"), 1)
                                      description (_ ("Keep every so manieth column")) value_range (1, 1000)
                                        ui_range (1, 16) ui_meta ("axis", "x")

                                          property_int (stride_y, _ ("Stride Y"), 1)
                                            description (_ ("Keep every so manieth row")) value_range (1, 1000)
                                              ui_range (1, 16) ui_meta ("axis", "y")

#else

#define GEGL_OP_NAME convolve
#define GEGL_OP_C_FILE "convolve.c"

#include "plugin/compute/matrix-source.h"
#include "plugin/capra-op.h"
#include "runtime/device/error.h"

static CapraConvolveOptions
get_options (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);

  return (CapraConvolveOptions){ o->correlate, o->divisor, o->offset, (CapraExtent) o->extent, (CapraBorder) o->border,
                                 o->stride_x,  o->stride_y };
}

static CapraMatrix *
get_matrix (GeglOperation *operation, GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);
  g_autofree char *path = capra_common_dup_path (operation);
  CapraMatrixSource source = { o->matrix, path, capra_operation_get_aux (operation) };

  return capra_matrix_cache_get (o->user_data, &source, error);
}

/* For regions: a matrix that cannot be read counts as one weight, until compute() says what is wrong. */
static CapraMatrix *
get_matrix_or_unit (GeglOperation *operation)
{
  CapraMatrix *matrix = get_matrix (operation, NULL);

  return matrix ? matrix : capra_matrix_new (1, 1);
}

/* Said here, as nobody asks for the pixels of an empty result. */
static void
report_nothing_left (GeglOperation *operation, const CapraMatrix *matrix, const GeglRectangle *extent)
{
  g_autoptr (GError) error = g_error_new (
    CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
    "the matrix of %d x %d does not fit into the image of %d x %d, so nothing is left of it; set extent "
    "to same or full",
    matrix->width, matrix->height, extent->width, extent->height);

  capra_error_report_set (capra_common_get (operation)->report, error);
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
    report_nothing_left (operation, matrix, extent);
  return capra_rect_to_gegl (&result);
}

static GeglRectangle
get_required_for_output (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, pad);
  CapraConvolveOptions options = get_options (operation);
  g_autoptr (CapraMatrix) matrix = get_matrix_or_unit (operation);
  CapraRect image, result = capra_rect (roi), source;

  if (!extent || gegl_rectangle_is_empty (extent))
    return (GeglRectangle){ 0, 0, 0, 0 };
  if (gegl_rectangle_is_infinite_plane (extent))
    return *roi; /* compute() will refuse it */
  if (g_str_equal (pad, "aux"))
    return *extent;
  image = capra_rect (extent);
  source = capra_convolve_source (&image, &result, matrix, &options);
  return capra_rect_to_gegl (&source);
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

static gboolean
take_input (CapraJob *job, const CapraMatrix *matrix, const CapraConvolveOptions *options, CapraPixels *pixels,
            CapraWindow *window, GError **error)
{
  GeglRectangle extent = capra_job_get_extent (job, "input"), part;

  if (gegl_rectangle_is_infinite_plane (&extent))
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           _ ("the input has no bounds; gegl:crop before this operation gives it "
                              "some"));
      return FALSE;
    }
  window->extent = capra_rect (&extent);
  window->result = capra_rect (&job->roi);
  window->source = capra_convolve_source (&window->extent, &window->result, matrix, options);
  part = capra_rect_to_gegl (&window->source);
  if (gegl_rectangle_is_empty (&part))
    part = (GeglRectangle){ extent.x, extent.y, 1, 1 };
  if (!capra_job_get_pixels (job, "input", &part, gegl_operation_get_format (job->operation, "input"), CAPRA_FIT_LOOSE,
                             pixels, error))
    return FALSE;
  window->source = pixels->rect;
  return TRUE;
}

static gboolean
compute (CapraJob *job, GError **error)
{
  const GeglRectangle *aux = capra_operation_get_aux (job->operation);
  CapraConvolveOptions options = get_options (job->operation);
  g_autoptr (CapraMatrix) matrix = get_matrix (job->operation, error);
  g_auto (CapraPixels) input = { NULL };
  CapraArray *result = NULL;
  CapraWindow window;

  if (!matrix)
    return FALSE;
  if (aux && capra_job_get_buffer (job, "aux"))
    capra_matrix_read (matrix, capra_job_get_buffer (job, "aux"), aux);
  if (!take_input (job, matrix, &options, &input, &window, error))
    return FALSE;
  result = capra_convolve (input.array, matrix, &options, &window, error);
  if (!result)
    return FALSE;
  capra_job_set_result (job, result, &window.result);
  return TRUE;
}

/* Where places of the result are not those of the image, the image cannot stand for it. */
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
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraOperationClass *capra_class = CAPRA_OPERATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  operation_class->prepare = capra_operation_prepare_average;
  operation_class->get_bounding_box = get_bounding_box;
  operation_class->get_required_for_output = get_required_for_output;
  operation_class->get_invalidated_by_change = get_invalidated_by_change;
  capra_class->aux = _ ("An image that is the matrix");
  capra_class->compute = compute;
  capra_class->fails_to_zeros = fails_to_zeros;

  gegl_operation_class_set_keys (
    operation_class, "name", "capra:convolve", "title", _ ("Convolve (Capra)"), "categories", "generic", "description",
    _ ("Convolution or correlation with a matrix of up to 255x255, whole or at a "
       "stride, on an OpenCL device"),
    "gimp:menu-path", "<Image>/Filters/Capra", "gimp:menu-label", _ ("_Convolve..."), NULL);
  capra_common_install (operation_class);
  capra_common_install_path (operation_class, _ ("Matrix file"),
                             _ ("A text file with the matrix, used instead of the matrix given as text"));
}

#endif
