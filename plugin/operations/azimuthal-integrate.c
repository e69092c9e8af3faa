/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:azimuthal-integrate: the mean intensity of a diffraction frame over rings, on an OpenCL device. */
#ifdef GEGL_PROPERTIES
/* clang-format off */

enum_start (capra_azimuthal_unit_choice)
  enum_value (CAPRA_UNIT_Q_NM, "q-nm", N_ ("q in 1/nm"))
  enum_value (CAPRA_UNIT_2TH_DEG, "2th-deg", N_ ("2theta in degrees"))
  enum_value (CAPRA_UNIT_R_MM, "r-mm", N_ ("r in mm"))
enum_end (CapraAzimuthalUnitChoice)

enum_start (capra_azimuthal_splitting_choice)
  enum_value (CAPRA_SPLITTING_NONE, "none", N_ ("None"))
  enum_value (CAPRA_SPLITTING_BBOX, "bbox", N_ ("Bounding box"))
  enum_value (CAPRA_SPLITTING_FULL, "full", N_ ("Full"))
enum_end (CapraAzimuthalSplittingChoice)

enum_start (capra_azimuthal_error_choice)
  enum_value (CAPRA_ERRORS_NONE, "none", N_ ("None"))
  enum_value (CAPRA_ERRORS_POISSON, "poisson", N_ ("Poisson"))
  enum_value (CAPRA_ERRORS_VARIANCE, "variance", N_ ("Variance image"))
  enum_value (CAPRA_ERRORS_AZIMUTHAL, "azimuthal", N_ ("Azimuthal"))
  enum_value (CAPRA_ERRORS_HYBRID, "hybrid", N_ ("Hybrid"))
enum_end (CapraAzimuthalErrorChoice)

property_file_path (poni, _ ("Geometry"), "")
  description (_ ("The PONI file with the geometry, as pyFAI writes it"))

property_enum (unit, _ ("Unit"), CapraAzimuthalUnitChoice, capra_azimuthal_unit_choice, CAPRA_UNIT_Q_NM)
  description (_ ("The radial axis"))

property_int (bins, _ ("Bins"), 1000)
  description (_ ("Bins of the radial axis: columns of the result"))
  value_range (1, 65536) ui_range (1, 5000)

property_int (azimuthal_bins, _ ("Azimuthal bins"), 1)
  description (_ ("Bins of the azimuth: rows of the result, which has the intensities alone. With 1, the four rows of "
                  "the result are intensity, standard deviation, standard error of the mean, and count"))
  value_range (1, 4096) ui_range (1, 720)

property_enum (splitting, _ ("Splitting"), CapraAzimuthalSplittingChoice, capra_azimuthal_splitting_choice,
               CAPRA_SPLITTING_FULL)
  description (_ ("How a pixel is divided among bins: not at all, by its bounding box, or by its area"))

property_boolean (solid_angle, _ ("Solid angle"), TRUE)
  description (_ ("Divide by the solid angle of the pixel"))

property_double (polarization, _ ("Polarization"), -2.0)
  description (_ ("The polarization factor, from -1 (vertical) to 1 (horizontal); -2 for no correction"))
  value_range (-2.0, 1.0)

property_enum (error_model, _ ("Error model"), CapraAzimuthalErrorChoice, capra_azimuthal_error_choice,
               CAPRA_ERRORS_NONE)
  description (_ ("Where variances come from: nowhere, the counts (Poisson), an image, or the values of a bin "
                  "(azimuthal); hybrid clips with the latter and reports those of the counts"))

property_boolean (detector_mask, _ ("Mask of the detector"), TRUE)
  description (_ ("Leave out the gaps between the modules of a known detector"))

property_file_path (dark, _ ("Dark image"), "")
  description (_ ("An image that is subtracted from the frame"))

property_file_path (flat, _ ("Flat-field image"), "")
  description (_ ("An image that the frame is divided by"))

property_file_path (variance, _ ("Variance image"), "")
  description (_ ("An image with the variances of the frame's values. It requires the error model \"variance\", which "
                  "it also replaces \"none\" by"))

property_file_path (matrix, _ ("Matrix file"), "")
  description (_ ("A file that keeps the sparse matrix, which takes time to build. It is written if it does not exist, "
                  "is damaged, or belongs to other settings; it is not used if the matrix does not fit on the device"))

property_boolean (use_dummy, _ ("Dummy"), FALSE)
  description (_ ("Leave out the pixels with the value below"))

property_double (dummy, _ ("Dummy value"), 0.0)
  description (_ ("The value of pixels that do not count"))
  value_range (-1e12, 1e12)

property_double (delta_dummy, _ ("Dummy range"), 0.0)
  description (_ ("How far values may be from the dummy value to be left out, too"))
  value_range (0.0, 1e12)

property_double (empty, _ ("Empty bins"), 0.0)
  description (_ ("The result of bins without pixels"))
  value_range (-1e12, 1e12)

property_boolean (sigma_clip, _ ("Sigma clipping"), FALSE)
  description (_ ("Leave out values that are far from the mean of their bin; requires an error model"))

property_double (threshold, _ ("Threshold"), 5.0)
  description (_ ("How far, in standard deviations"))
  value_range (0.0, 1e6) ui_range (1.0, 10.0)

property_int (iterations, _ ("Iterations"), 5)
  description (_ ("The largest number of repetitions of the clipping"))
  value_range (0, 1000) ui_range (1, 20)

/* clang-format on */
#else

#define GEGL_OP_NAME azimuthal_integrate
#define GEGL_OP_C_FILE "azimuthal-integrate.c"
#include "plugin/capra-op.h"

#include <math.h>

#include "algorithms/common/fill.h"
#include "formats/curves/curves-file.h"
#include "plugin/compute/azimuthal-bands.h"
#include "plugin/compute/table-output.h"
#include "runtime/memory/array-copy.h"
#include "runtime/memory/array-transfer.h"

G_STATIC_ASSERT ((int) CAPRA_UNIT_R_MM == (int) CAPRA_AZIMUTHAL_R_MM);
G_STATIC_ASSERT ((int) CAPRA_SPLITTING_FULL == (int) CAPRA_AZIMUTHAL_SPLIT_FULL);
G_STATIC_ASSERT ((int) CAPRA_ERRORS_HYBRID == (int) CAPRA_AZIMUTHAL_ERROR_HYBRID);

static CapraAzimuthalSource
get_source (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);
  CapraAzimuthalSource source = { .poni = o->poni ? o->poni : "",
                                  .dark = o->dark ? o->dark : "",
                                  .flat = o->flat ? o->flat : "",
                                  .variance = o->variance ? o->variance : "" };
  CapraAzimuthalSettings *settings = &source.settings;

  capra_azimuthal_settings_init (settings);
  settings->unit = (CapraAzimuthalUnit) o->unit;
  settings->bins = (guint) o->bins;
  settings->azimuthal_bins = (guint) o->azimuthal_bins;
  settings->splitting = (CapraAzimuthalSplitting) o->splitting;
  settings->error = (CapraAzimuthalError) o->error_model;
  if (*source.variance && settings->error == CAPRA_AZIMUTHAL_ERROR_NONE)
    settings->error = CAPRA_AZIMUTHAL_ERROR_VARIANCE;
  settings->solid_angle = o->solid_angle;
  settings->polarization = o->polarization < -1 ? NAN : o->polarization;
  settings->detector_mask = o->detector_mask;
  settings->matrix_path = o->matrix && *o->matrix ? o->matrix : NULL;
  settings->has_dummy = o->use_dummy;
  settings->dummy = o->dummy;
  settings->delta_dummy = o->delta_dummy;
  settings->empty = o->empty;
  settings->clip = o->sigma_clip;
  settings->clip_threshold = o->threshold;
  settings->clip_iterations = (guint) o->iterations;
  return source;
}

static guint
get_state (GeglOperation *operation)
{
  CapraAzimuthalSource source = get_source (operation);

  return capra_azimuthal_source_get_state (&source);
}

static gint
get_rows (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);

  return o->azimuthal_bins > 1 ? o->azimuthal_bins : CAPRA_AZIMUTHAL_N_PLANES;
}

static GeglRectangle
get_bounding_box (GeglOperation *operation)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");

  if (!extent || gegl_rectangle_is_empty (extent))
    return (GeglRectangle){ 0, 0, 0, 0 };
  return (GeglRectangle){ 0, 0, GEGL_PROPERTIES (operation)->bins, get_rows (operation) };
}

static void
prepare (GeglOperation *operation)
{
  const Babl *source = gegl_operation_get_source_format (operation, "input");
  const Babl *format = babl_format_with_space ("Y float", source ? babl_format_get_space (source) : NULL);

  gegl_operation_set_format (operation, "input", format);
  gegl_operation_set_format (operation, "output", format);
}

/* The counts of gray integers are read unchanged, whatever the color curve of their format. */
static const Babl *
input_format (CapraJob *job)
{
  static const char *const grays[] = { "Y u8", "Y' u8", "Y u16", "Y' u16", "Y u32", "Y' u32" };
  const Babl *format = gegl_buffer_get_format (capra_job_get_buffer (job, "input"));

  for (guint i = 0; i < G_N_ELEMENTS (grays); i++)
    if (format == babl_format_with_space (grays[i], babl_format_get_space (format)))
      return format;
  return gegl_operation_get_format (job->operation, "input");
}

static CapraTable *
make_table (CapraAzimuthal *azimuthal, const float *values, guint bins)
{
  static const char *const columns[] = { "radial", "intensity", "std", "sem", "count", NULL };
  CapraTable *table = capra_table_new (columns);
  const double *radial = capra_azimuthal_get_radial (azimuthal);

  for (guint b = 0; b < bins; b++)
    capra_table_add_row (
      table, (double[]){ radial[b], values[b], values[bins + b], values[2 * bins + b], values[3 * bins + b] });
  return table;
}

/* A row for each bin of both axes. */
static CapraTable *
make_cake_table (CapraAzimuthal *azimuthal, const float *values, guint bins, guint azimuths)
{
  static const char *const columns[] = { "radial", "azimuth", "intensity", "std", "sem", "count", NULL };
  CapraTable *table = capra_table_new (columns);
  const double *radial = capra_azimuthal_get_radial (azimuthal), *azimuth = capra_azimuthal_get_azimuths (azimuthal);
  gsize plane = (gsize) bins * azimuths;

  for (gsize b = 0; b < plane; b++)
    capra_table_add_row (table, (double[]){ radial[b % bins], azimuth[b / bins], values[b], values[plane + b],
                                            values[2 * plane + b], values[3 * plane + b] });
  return table;
}

/* The planes of the result one below the other. */
static CapraArray *
integrate (CapraAzimuthal *azimuthal, CapraArray *frame, const CapraAzimuthalSettings *settings, GError **error)
{
  CapraShape shape = { settings->bins, (gsize) settings->azimuthal_bins * CAPRA_AZIMUTHAL_N_PLANES, 1, 1, CAPRA_F32 };
  g_autoptr (CapraArray) results = capra_array_new (capra_array_get_device (frame), &shape, error);

  if (!results || !capra_azimuthal_integrate (azimuthal, frame, 1, NULL, results, error))
    return NULL;
  return g_steal_pointer (&results);
}

/* The intensities of two dimensions without the other planes. */
static CapraArray *
get_intensities (CapraArray *results, guint rows, GError **error)
{
  CapraShape shape = *capra_array_get_shape (results);
  g_autoptr (CapraArray) image = NULL;

  shape.height = rows;
  image = capra_array_new (capra_array_get_device (results), &shape, error);
  if (!image || !capra_array_copy_rows (image, 0, results, 0, rows, error))
    return NULL;
  return g_steal_pointer (&image);
}

/* The curve, or one for each azimuth, as `capra integrate` writes them. */
static gboolean
write_curves (const char *path, const CapraAzimuthalSettings *settings, CapraAzimuthal *azimuthal, const float *values,
              GError **error)
{
  static const char *const units[] = { "q_nm^-1", "2th_deg", "r_mm" };
  gsize bins = settings->bins, azimuths = settings->azimuthal_bins;
  CapraCurvesInfo info = { .source = "a frame",
                           .data_set = "",
                           .header = capra_azimuthal_get_text (azimuthal),
                           .unit = units[settings->unit],
                           .n = settings->azimuthal_bins,
                           .bins = settings->bins,
                           .radial = capra_azimuthal_get_radial (azimuthal),
                           .azimuths = azimuths > 1 ? capra_azimuthal_get_azimuths (azimuthal) : NULL };
  g_autoptr (CapraCurvesFile) file = capra_curves_file_new (path, &info, error);

  return file && capra_curves_file_append (file, info.n, values, bins * azimuths, bins, NULL, error)
         && capra_curves_file_finish (file, error);
}

/* Writes the result to the file of the graph: as curves if the name ends as their files do, otherwise as a table. */
static gboolean
write_table (CapraJob *job, const CapraAzimuthalSettings *settings, CapraAzimuthal *azimuthal, const float *values,
             GError **error)
{
  g_autofree char *path = capra_table_output_get_path (job->operation);
  g_autoptr (CapraTable) table = NULL;
  guint bins = settings->bins, azimuths = settings->azimuthal_bins;

  if (path && capra_curves_file_knows (path))
    return capra_table_output_check (job->operation, error) && write_curves (path, settings, azimuthal, values, error);
  table = azimuths > 1 ? make_cake_table (azimuthal, values, bins, azimuths) : make_table (azimuthal, values, bins);
  return capra_table_output_write (job->operation, table, error);
}

static gboolean
compute_at_once (CapraJob *job, CapraAzimuthalSource *source, GError **error)
{
  GeglRectangle frame = capra_job_get_extent (job, "input");
  guint azimuths = source->settings.azimuthal_bins;
  g_auto (CapraPixels) input = { NULL };
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_source_get (source, job, error);
  g_autoptr (CapraArray) results = NULL, image = NULL;
  g_autofree float *values = NULL;
  CapraRect rect = capra_rect (&job->roi);

  if (!azimuthal || !capra_job_get_pixels (job, "input", &frame, input_format (job), CAPRA_FIT_EXACT, &input, error))
    return FALSE;
  results = integrate (azimuthal, input.array, &source->settings, error);
  if (!results)
    return FALSE;
  values = g_malloc (capra_shape_bytes (capra_array_get_shape (results)));
  if (!capra_array_download (results, values, error) || !write_table (job, &source->settings, azimuthal, values, error))
    return FALSE;
  image = azimuths > 1 ? get_intensities (results, azimuths, error) : capra_array_ref (results);
  if (!image)
    return FALSE;
  capra_job_set_result (job, g_steal_pointer (&image), &rect);
  return TRUE;
}

static gboolean
compute_in_bands (CapraJob *job, CapraAzimuthalSource *source, GError **error)
{
  g_autofree float *values = NULL;
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_bands_integrate (source, job, input_format (job), &values,
                                                                          error);

  /* The first of the planes has the intensities. */
  return azimuthal && capra_azimuthal_bands_store (job, values, error)
         && write_table (job, &source->settings, azimuthal, values, error);
}

static gboolean
compute (CapraJob *job, GError **error)
{
  g_auto (CapraAzimuthalSource) source = get_source (job->operation);
  GeglRectangle frame = capra_job_get_extent (job, "input");

  if (!capra_operation_require_bounds (&frame, error))
    return FALSE;
  return job->band_rows > 0 ? compute_in_bands (job, &source, error) : compute_at_once (job, &source, error);
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraOperationClass *capra_class = CAPRA_OPERATION_CLASS (klass);

  operation_class->prepare = prepare;
  operation_class->get_bounding_box = get_bounding_box;
  capra_class->needs_whole = capra_operation_always;
  capra_class->in_bands = capra_operation_always;
  capra_class->one_device = TRUE;
  capra_class->fails_to_zeros = capra_operation_always;
  capra_class->get_state = get_state;
  capra_class->compute = compute;

  capra_operation_class_set_aux (operation_class, _ ("Mask"), _ ("Pixels that are not 0 are left out"));
  gegl_operation_class_set_keys (
    operation_class, "name", "capra:azimuthal-integrate", "title", _ ("Azimuthal Integration (Capra)"), "categories",
    "measure", "capra:table", "true", "description",
    _ ("The mean intensity of a diffraction frame over rings around the beam, as pyFAI computes it, on an OpenCL "
       "device. The result is written to the file that CAPRA_TABLES names: as NeXus (.h5, .nxs), as text with a header "
       "(.dat, .txt), or as a table"),
    "gimp:menu-label", _ ("_Azimuthal Integration..."), NULL);
}

#endif
