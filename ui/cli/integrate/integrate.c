/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra integrate: azimuthal integration of all frames of an HDF5 file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/batch/ranks.h"
#include "ui/cli/command.h"
#include "ui/cli/integrate/detector-image.h"
#include "ui/cli/integrate/frames-stream.h"
#include "ui/cli/overwrite-check.h"

static char *data_set, *poni, *output, *device_name, *matrix, *mask_file, *dark_file, *flat_file, *variance_file;
static char *unit = "q_nm^-1", *splitting = "full", *errors;
static int bins = 1000, first, count, batch, ring, readers, rank = -1, n_ranks;
static CapraRanks ranks;
static double polarization = NAN, dummy = NAN;
static gboolean no_solid_angle, profile, quiet, stop_on_error;

static const GOptionEntry entries[] = {
  { "dataset", 0, 0, G_OPTION_ARG_STRING, &data_set, "Data set with the frames (default: as NeXus' attributes say)",
    "PATH" },
  { "poni", 'p', 0, G_OPTION_ARG_FILENAME, &poni, "Geometry, as pyFAI calibrates it", "FILE" },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
    "Write the curves to FILE: NeXus (.h5, .hdf5, .nxs), or text (.dat, .xy, .txt)", "FILE" },
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device_name, "Device, as listed by `capra devices`", "NAME" },
  { "bins", 'n', 0, G_OPTION_ARG_INT, &bins, "Points of a curve (default: 1000)", "COUNT" },
  { "unit", 'u', 0, G_OPTION_ARG_STRING, &unit, "Radial axis: q_nm^-1 (default), 2th_deg or r_mm", "UNIT" },
  { "splitting", 0, 0, G_OPTION_ARG_STRING, &splitting, "Splitting of pixels: none, bbox or full (default)", "METHOD" },
  { "errors", 0, 0, G_OPTION_ARG_STRING, &errors,
    "Error model: none, poisson (default), azimuthal or variance (with --variance)", "MODEL" },
  { "polarization", 0, 0, G_OPTION_ARG_DOUBLE, &polarization, "Polarization factor, -1 to 1 (default: no correction)",
    "FACTOR" },
  { "no-solid-angle", 0, 0, G_OPTION_ARG_NONE, &no_solid_angle, "Do not divide by the solid angle of pixels", NULL },
  { "dummy", 0, 0, G_OPTION_ARG_DOUBLE, &dummy, "Leave out pixels with this value", "VALUE" },
  { "matrix", 0, 0, G_OPTION_ARG_FILENAME, &matrix,
    "Read the sparse matrix from FILE; build and save it if FILE does not fit", "FILE" },
  { "mask", 'm', 0, G_OPTION_ARG_FILENAME, &mask_file,
    "Leave out the pixels that are not 0 in an image: FITS, or HDF5 (FILE::DATASET if it has several)", "FILE" },
  { "dark", 0, 0, G_OPTION_ARG_FILENAME, &dark_file, "Subtract an image from each frame", "FILE" },
  { "flat", 0, 0, G_OPTION_ARG_FILENAME, &flat_file, "Divide each frame by an image", "FILE" },
  { "variance", 0, 0, G_OPTION_ARG_FILENAME, &variance_file,
    "Compute errors from an image of variances, for all frames", "FILE" },
  { "first", 0, 0, G_OPTION_ARG_INT, &first, "First frame (default: 0)", "FRAME" },
  { "count", 0, 0, G_OPTION_ARG_INT, &count, "Number of frames (default: all)", "COUNT" },
  { "rank", 0, 0, G_OPTION_ARG_INT, &rank,
    "The number of this process, from 0, among --ranks processes that share the frames (default: as mpirun, srun or a "
    "Slurm array sets it)",
    "N" },
  { "ranks", 0, 0, G_OPTION_ARG_INT, &n_ranks, "The number of processes that share the frames", "COUNT" },
  { "batch", 0, 0, G_OPTION_ARG_INT, &batch, "Frames that are uploaded together (default: 16, CPU: 8)", "COUNT" },
  { "ring", 0, 0, G_OPTION_ARG_INT, &ring, "Batches in flight, which limits the memory (default: 8, CPU: 3)", "COUNT" },
  { "readers", 0, 0, G_OPTION_ARG_INT, &readers, "Threads that read (default: three for four processors, 2 to 16)",
    "COUNT" },
  { "stop-on-error", 0, 0, G_OPTION_ARG_NONE, &stop_on_error, "Stop at a frame that cannot be read", NULL },
  { "profile", 0, 0, G_OPTION_ARG_NONE, &profile, "Print the times of each transfer and kernel", NULL },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Print errors only", NULL },
  { NULL },
};

/* The position of @name in @names; -1 with @error set. */
static int
choose (const char *option, const char *name, const char *const *names, GError **error)
{
  g_autofree char *list = NULL;

  for (int i = 0; names[i]; i++)
    if (g_str_equal (name, names[i]))
      return i;
  list = g_strjoinv (", ", (char **) names);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s: unknown value \"%s\"; known are %s", option,
               name, list);
  return -1;
}

static gboolean
set_up (const FramesIndex *index, CapraAzimuthalSettings *settings, GError **error)
{
  static const char *const units[] = { "q_nm^-1", "2th_deg", "r_mm", NULL };
  static const char *const splittings[] = { "none", "bbox", "full", NULL };
  static const char *const models[] = { "none", "poisson", "variance", "azimuthal", NULL };
  const char *model = errors ? errors : variance_file ? "variance" : "poisson";
  int u = choose ("unit", unit, units, error), s = u < 0 ? -1 : choose ("splitting", splitting, splittings, error);
  int m = s < 0 ? -1 : choose ("errors", model, models, error);

  if (m < 0)
    return FALSE;
  if ((m == CAPRA_AZIMUTHAL_ERROR_VARIANCE) != (variance_file != NULL))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   variance_file ? "--variance has no effect with --errors=%s" : "--errors=%s requires --variance=FILE",
                   model);
      return FALSE;
    }
  capra_azimuthal_settings_init (settings);
  if (!capra_poni_load (poni, &settings->poni, error))
    return FALSE;
  settings->width = index->width;
  settings->height = index->height;
  settings->unit = (CapraAzimuthalUnit) u;
  settings->bins = (guint) bins;
  settings->splitting = (CapraAzimuthalSplitting) s;
  settings->error = (CapraAzimuthalError) m;
  settings->solid_angle = !no_solid_angle;
  settings->polarization = polarization;
  settings->matrix_path = matrix;
  settings->has_dummy = !isnan (dummy);
  settings->dummy = isnan (dummy) ? 0 : dummy;
  return TRUE;
}

/* The images of the detector; each is NULL without its option. */
typedef struct {
  float *dark, *flat, *variance;
  guint8 *mask;
} DetectorImages;

static void
detector_images_clear (DetectorImages *images)
{
  g_free (images->dark);
  g_free (images->flat);
  g_free (images->variance);
  g_free (images->mask);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DetectorImages, detector_images_clear)

/* Reads the images, to which @settings then refers. */
static gboolean
read_images (DetectorImages *images, CapraAzimuthalSettings *settings, GError **error)
{
  guint width = settings->width, height = settings->height;
  gsize n = (gsize) width * height;
  g_autofree float *mask = NULL;

  if ((dark_file && !(images->dark = detector_image_read (dark_file, width, height, error)))
      || (flat_file && !(images->flat = detector_image_read (flat_file, width, height, error)))
      || (variance_file && !(images->variance = detector_image_read (variance_file, width, height, error)))
      || (mask_file && !(mask = detector_image_read (mask_file, width, height, error))))
    return FALSE;
  images->mask = mask ? g_new (guint8, n) : NULL;
  for (gsize i = 0; mask && i < n; i++)
    images->mask[i] = mask[i] != 0;
  settings->dark = images->dark;
  settings->flat = images->flat;
  settings->variance = images->variance;
  settings->mask = images->mask;
  return TRUE;
}

static gboolean
append (guint from, guint n, const float *values, const gboolean *good, gpointer data, GError **error)
{
  return capra_curves_file_append (data, n, values, (gsize) bins, (gsize) bins * CAPRA_AZIMUTHAL_N_PLANES, good, error);
}

static void
print_profile (void)
{
  g_autofree char *table = capra_timeline_to_text ();

  printf ("\n%s", table);
}

static void
print_report (const FramesStream *stream, const FramesReport *report, double set_up_seconds)
{
  guint n = report->good + report->bad;
  double ms = 1e3 / MAX (n, 1);

  printf ("%u frames of %u x %u in %.3f s: %.1f frames/s, %.4f ms a frame (set-up before that %.2f s)\n", n,
          stream->index->width, stream->index->height, report->seconds, n / report->seconds, report->seconds * ms,
          set_up_seconds);
  printf ("%s; batches of %u frames, %u in flight, %u readers; at most %.0f MB of the host, %.0f MB of the device\n",
          capra_device_get_info (stream->device)->name, stream->batch, stream->ring, stream->readers,
          report->host_bytes * 1e-6, report->device_bytes * 1e-6);
  printf ("a frame: %.3f MB read; readers: %.4f ms to read, %.4f ms to find blocks; waited %.4f ms for readers\n",
          report->bytes * 1e-6 / MAX (report->good, 1), report->read_seconds * ms, report->scan_seconds * ms,
          report->wait_read_seconds * ms);
  if (report->bad > 0)
    printf ("%u frames were left out\n", report->bad);
}

static gboolean
ignore (guint from, guint n, const float *values, const gboolean *good, gpointer data, GError **error)
{
  return TRUE;
}

/* Integrates as many frames as are in flight at a time, so that kernels and memory are ready. Bad frames are reported
 * when their turn comes. */
static gboolean
warm_up (FramesStream stream, GError **error)
{
  FramesReport report;

  stream.n = MIN (stream.n, stream.batch * stream.ring);
  stream.results = ignore;
  stream.silent = TRUE;
  stream.stop_on_error = FALSE;
  return frames_stream_run (&stream, &report, error);
}

/* Sets the frames of this process, and the number of those of all processes. This process has none if there are more
 * processes than frames. */
static gboolean
choose_frames (const FramesIndex *index, FramesStream *stream, guint *batch_n, GError **error)
{
  guint64 from = 0, end = 0;

  if (first < 0 || count < 0 || (guint) first >= index->n || (guint) count > index->n - (guint) first)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s has %u frames", index->path, index->n);
      return FALSE;
    }
  *batch_n = count > 0 ? (guint) count : index->n - (guint) first;
  capra_ranks_share (&ranks, *batch_n, &from, &end);
  stream->first = (guint) first + (guint) from;
  stream->n = (guint) (end - from);
  return TRUE;
}

static void
set_defaults (FramesStream *stream)
{
  gboolean cpu = capra_device_get_info (stream->device)->type == CAPRA_DEVICE_CPU;

  stream->n_bins = (gsize) bins;
  stream->batch = batch > 0 ? (guint) batch : cpu ? 8 : 16;
  stream->ring = ring > 0 ? (guint) ring : cpu ? 3 : 8;
  stream->readers = readers > 0 ? (guint) readers : CLAMP (g_get_num_processors () * 3 / 4, 2, 16);
  stream->stop_on_error = stop_on_error;
}

/* Integrates the frames of @stream, and writes the file of this process. */
static gboolean
write_curves (FramesStream *stream, guint batch_n, gint64 start, GError **error)
{
  const FramesIndex *index = stream->index;
  g_autofree char *path = capra_ranks_name_part (&ranks, output);
  const CapraCurvesInfo info = { .source = index->path,
                                 .data_set = index->data_set,
                                 .header = capra_azimuthal_get_text (stream->azimuthal),
                                 .unit = unit,
                                 .first = stream->first,
                                 .n = stream->n,
                                 .batch_first = (guint) first,
                                 .batch_n = batch_n,
                                 .bins = (guint) bins,
                                 .radial = capra_azimuthal_get_radial (stream->azimuthal) };
  g_autoptr (CapraCurvesFile) file = capra_curves_file_new (path, &info, error);
  FramesReport report;
  double set_up_seconds = 0;

  if (!file || !warm_up (*stream, error))
    return FALSE;
  stream->results = append;
  stream->data = file;
  capra_timeline_reset ();
  set_up_seconds = (double) (g_get_monotonic_time () - start) * 1e-6;
  if (!frames_stream_run (stream, &report, error) || !capra_curves_file_finish (file, error))
    return FALSE;
  if (!quiet)
    print_report (stream, &report, set_up_seconds);
  if (profile)
    print_profile ();
  if (report.bad > 0)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, "%u of %u frames were left out", report.bad, stream->n);
  return report.bad == 0;
}

/* Adds the file of a detector image, which a data set may follow. */
static void
add_image (GPtrArray *files, const char *image)
{
  const char *end = image ? strstr (image, DETECTOR_IMAGE_SEPARATOR) : NULL;

  if (image)
    g_ptr_array_add (files, end ? g_strndup (image, (gsize) (end - image)) : g_strdup (image));
}

/* Frames may be in other files than that of the data set. */
static gboolean
check_overwriting (const FramesIndex *index, GError **error)
{
  g_autoptr (GPtrArray) read = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *part = capra_ranks_name_part (&ranks, output);
  char *written[] = { part, matrix, NULL };
  const char *last = NULL;

  g_ptr_array_add (read, g_strdup (index->path));
  g_ptr_array_add (read, g_strdup (poni));
  add_image (read, mask_file);
  add_image (read, dark_file);
  add_image (read, flat_file);
  add_image (read, variance_file);
  for (guint i = 0; i < index->n; i++)
    {
      const char *path = index->chunks[i].path;

      if (path && path != last)
        g_ptr_array_add (read, g_strdup (path));
      last = path;
    }
  return overwrite_check_twice (written, "", error) && overwrite_check (read, written, "", error);
}

static gboolean
integrate (const char *path, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  CapraDevice *device = capra_device_select (device_name, error);
  g_autoptr (FramesIndex) index = device ? frames_index_open (path, data_set ? data_set : "", device, error) : NULL;
  FramesStream stream = { .index = index, .device = device };
  CapraAzimuthalSettings settings;
  g_auto (DetectorImages) images = { NULL };
  g_autoptr (CapraAzimuthal) azimuthal = NULL;
  guint batch_n = 0;

  if (!index || !check_overwriting (index, error) || !set_up (index, &settings, error)
      || !choose_frames (index, &stream, &batch_n, error) || !read_images (&images, &settings, error))
    return FALSE;
  if (stream.n == 0)
    {
      if (!quiet)
        printf ("process %u of %u has no frames\n", ranks.rank + 1, ranks.count);
      return TRUE;
    }
  azimuthal = capra_azimuthal_new (device, &settings, error);
  if (!azimuthal)
    return FALSE;
  stream.azimuthal = azimuthal;
  set_defaults (&stream);
  return write_curves (&stream, batch_n, start, error);
}

int
capra_command_integrate (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE - integrate diffraction frames azimuthally");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_summary (context,
                                "Reads the frames of an HDF5 data set, decodes them on the device, and writes the mean "
                                "intensity of each\nframe as a function of the scattering angle.");
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "capra integrate: %s\n", error->message);
      return 2;
    }
  if (argc != 2 || !poni || !output || bins < 1)
    {
      fprintf (stderr, "Usage: capra integrate FILE.h5 --poni FILE -o FILE [OPTION…]; see --help\n");
      return 2;
    }
  if (!capra_curves_file_knows (output))
    {
      fprintf (
        stderr,
        "capra integrate: --output: \"%s\" ends with none of .h5, .hdf5, .nxs, .nx5 (NeXus), .dat, .xy and .txt\n",
        output);
      return 2;
    }
  if (!capra_ranks_find (rank, n_ranks, &ranks, &error) || !integrate (argv[1], &error))
    {
      fprintf (stderr, "capra integrate: %s\n", error->message);
      return error->domain == G_OPTION_ERROR ? 2 : 1;
    }
  return 0;
}
