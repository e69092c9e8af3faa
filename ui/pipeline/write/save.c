/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Save: writes the result of a pipeline to a file. */
#include "ui/pipeline/write/save-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/gegl-threads.h"
#include "ui/pipeline/graph/display.h"
#include "runtime/base/write-text.h"

#define BAND_BYTES (16u << 20)
#define READ_FORMAT_KEY "capra:read-format" /* of nodes; Capra's operations read it */

/* See save-private.h for the duties of a writer. */
static const struct {
  const char *suffix;
  CapraWriter write;     /* NULL: stores only raw values */
  const char *operation; /* of GEGL that @write needs, NULL for none */
  CapraWriter write_raw; /* for raw values; NULL if the format does not store them */
  gboolean numbers;      /* whether labels are stored as numbers, not as colors */
} writers[] = {
  { "png", capra_write_png, NULL, capra_write_raw_png, TRUE },
  { "tif", capra_write_tiff, NULL, capra_write_raw_tiff, TRUE },
  { "tiff", capra_write_tiff, NULL, capra_write_raw_tiff, TRUE },
  { "npy", NULL, NULL, capra_write_raw_npy },
  { "jpg", capra_write_jpeg, NULL, NULL },
  { "jpeg", capra_write_jpeg, NULL, NULL },
  { "webp", capra_write_by_gegl, "gegl:webp-save", NULL },
  { "exr", capra_write_by_gegl, "gegl:exr-save", NULL },
  { "hdr", capra_write_hdr, NULL, NULL },
  { "ppm", capra_write_ppm, NULL, NULL },
  { "pgm", capra_write_pgm, NULL, NULL, TRUE },
  { "gegl", capra_write_buffer, NULL, NULL, TRUE },
};

/* The arguments of capra_save() for a thread. */
typedef struct {
  GFile *file;
  GeglBuffer *image;
  GPtrArray *steps;
  int bits;
  CapraSaveProgress *progress;
} Job;

const char *const *
capra_save_get_suffixes (gboolean raw)
{
  static const char *suffixes[2][G_N_ELEMENTS (writers) + 1];
  static gsize filled;

  if (g_once_init_enter (&filled))
    {
      guint counts[2] = { 0, 0 };

      for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
        {
          if (writers[i].write)
            suffixes[0][counts[0]++] = writers[i].suffix;
          if (writers[(i + 1) % G_N_ELEMENTS (writers)].write_raw) /* TIFF before PNG: it stores all sample types */
            suffixes[1][counts[1]++] = writers[(i + 1) % G_N_ELEMENTS (writers)].suffix;
        }
      g_once_init_leave (&filled, 1);
    }
  return suffixes[!!raw];
}

gboolean
capra_saving_refuse (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, message);
  return FALSE;
}

void
capra_saving_set_progress (CapraSaving *saving, double fraction)
{
  if (saving->progress)
    g_atomic_int_set (&saving->progress->per_mille, (int) (fraction * 1000.0));
}

int
capra_saving_choose_rows (CapraSaving *saving, gsize row_bytes)
{
  return (int) CLAMP (BAND_BYTES / row_bytes, 1, (gsize) saving->bounds.height);
}

/* Labels as they are displayed. */
static void
render_colors (CapraSaving *saving, const GeglRectangle *band, const Babl *format, gpointer pixels, int stride)
{
  int width = band->width, bytes = width * babl_format_get_bytes_per_pixel (format);
  g_autofree guint32 *colors = g_new (guint32, (gsize) width * (gsize) band->height);

  capra_display_render (saving->graph, band, 0, NULL, CAPRA_CHECK_SIDE, colors, width * 4);
  babl_process_rows (babl_fish (babl_format ("cairo-RGB24"), format), colors, width * 4, pixels,
                     stride == GEGL_AUTO_ROWSTRIDE ? bytes : stride, width, band->height);
}

void
capra_saving_set_format (CapraSaving *saving, const Babl *format)
{
  if (format && capra_format_is_labels (capra_graph_get_format (saving->graph)))
    return; /* the display converts them */
  g_object_set_data (G_OBJECT (capra_graph_get_output (saving->graph)), READ_FORMAT_KEY, (gpointer) format);
}

gboolean
capra_saving_render (CapraSaving *saving, int y, int rows, const Babl *format, gpointer pixels, int stride,
                     GError **error)
{
  GeglRectangle band = { saving->bounds.x, saving->bounds.y + y, saving->bounds.width, rows };

  if (g_cancellable_set_error_if_cancelled (saving->cancellable, error))
    return FALSE;
  capra_saving_set_progress (saving, (double) y / saving->bounds.height);
  if (capra_format_is_labels (capra_graph_get_format (saving->graph)) && !capra_format_is_labels (format))
    render_colors (saving, &band, format, pixels, stride);
  else
    capra_graph_render (saving->graph, &band, format, pixels, stride);
  return capra_graph_check (saving->graph, error);
}

gboolean
capra_saving_render_labels (CapraSaving *saving, int y, int rows, guint16 *labels, GError **error)
{
  gsize count = (gsize) saving->bounds.width * (gsize) rows;
  g_autofree guint32 *values = g_new (guint32, count);

  if (!capra_saving_render (saving, y, rows, capra_graph_get_format (saving->graph), values, GEGL_AUTO_ROWSTRIDE,
                            error))
    return FALSE;
  for (gsize i = 0; i < count; i++)
    {
      if (values[i] > G_MAXUINT16)
        return capra_saving_refuse (error, _ ("PNG and PGM store labels up to 65535, but the result has more. "
                                              "Save as TIFF instead"));
      labels[i] = (guint16) values[i];
    }
  return TRUE;
}

static int
find_writer (const char *path)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *suffix = dot ? g_ascii_strdown (dot + 1, -1) : NULL;

  for (guint i = 0; suffix && i < G_N_ELEMENTS (writers); i++)
    if (strcmp (suffix, writers[i].suffix) == 0 && (!writers[i].operation || gegl_has_operation (writers[i].operation)))
      return (int) i;
  return -1;
}

gboolean
capra_save_stores_numbers (const char *path, int bits)
{
  int writer = find_writer (path);
  gboolean colors = bits == CAPRA_SAVE_COLORS && writer >= 0 && writers[writer].write == capra_write_png;

  return writer >= 0 && writers[writer].numbers && !colors;
}

/* The function that writes such a file, or %NULL with @error set. */
static CapraWriter
choose_writer (const char *path, int writer, gboolean raw, GError **error)
{
  CapraWriter write = writer < 0 ? NULL : raw ? writers[writer].write_raw : writers[writer].write;

  if (!write && raw)
    capra_saving_refuse (error, _ ("Raw values can only be saved as .tif, .png or .npy"));
  else if (!write && writer >= 0)
    capra_saving_refuse (
      error,
      _ (".npy files contain raw values: open the image with \"--data\" or \"Raw Pixel Values\", or save it as .png "
         "or .tif"));
  else if (!write)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                 _ ("Cannot write \"%s\": unsupported file name extension; use .png, .tif, .jpg, .webp or .exr"), path);
  return write;
}

gboolean
capra_save_graph (GFile *file, CapraGraph *graph, GPtrArray *steps, int bits, CapraSaveProgress *progress,
                  GCancellable *cancellable, GError **error)
{
  CapraSaving saving = { .graph = graph,
                         .steps = steps,
                         .bits = bits == CAPRA_SAVE_COLORS ? 8 : bits,
                         .progress = progress,
                         .cancellable = cancellable };
  g_autoptr (CapraTimelineScope) scope = capra_timeline_scope_new ();
  CapraTimelineScope *previous = NULL;
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (CapraOutputFile) output = NULL;
  int writer = path ? find_writer (path) : -1;
  CapraWriter write;
  gboolean written;

  if (!path)
    return capra_saving_refuse (error, _ ("Only local files can be written"));
  if (capra_graph_is_empty (graph))
    return capra_saving_refuse (error, _ ("The result is empty"));
  write = choose_writer (path, writer, capra_graph_get_raw_values (graph) != NULL, error);
  if (!write)
    return FALSE;
  output = capra_output_file_open (path, error);
  if (!output)
    return FALSE;
  saving.bounds = capra_graph_get_bounds (graph);
  saving.operation = writers[writer].operation;
  saving.colors = !capra_save_stores_numbers (path, bits);
  if (saving.operation && capra_format_is_labels (capra_graph_get_format (graph)))
    return capra_saving_refuse (error, _ ("This format does not store the numbers of regions. Save as PNG or TIFF "
                                          "instead"));
  saving.scope = scope;
  saving.started = g_get_monotonic_time ();
  previous = capra_timeline_scope_enter (scope);
  written = write (&saving, output, error);
  capra_timeline_scope_enter (previous);
  capra_saving_set_format (&saving, NULL); /* others read the graph's result, too */
  if (progress)
    progress->numbers = !saving.colors && capra_format_is_labels (capra_graph_get_format (graph))
                        && !capra_graph_get_raw_values (graph);
  return written && !g_cancellable_set_error_if_cancelled (cancellable, error)
         && capra_output_file_commit (output, error);
}

gboolean
capra_save (GFile *file, GeglBuffer *image, GPtrArray *steps, int bits, CapraSaveProgress *progress,
            GCancellable *cancellable, GError **error)
{
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, FALSE);

  capra_graph_update (graph, steps);
  return capra_save_graph (file, graph, steps, bits, progress, cancellable, error);
}

gboolean
capra_save_text (GFile *file, const char *text, GError **error)
{
  g_autofree char *path = g_file_get_path (file);

  return path ? capra_write_text (path, text, error)
              : g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, error);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->file);
  g_object_unref (job->image);
  g_ptr_array_unref (job->steps);
  g_free (job);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* Idle callbacks of the operations must not run in the main thread while they process. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Job *job = data;
  GError *error = NULL;

  if (capra_save (job->file, job->image, job->steps, job->bits, job->progress, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  capra_gegl_threads_remove ();
}

void
capra_save_async (GFile *file, GeglBuffer *image, GPtrArray *steps, int bits, CapraSaveProgress *progress,
                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Job *job = g_new0 (Job, 1);

  job->file = g_object_ref (file);
  job->image = g_object_ref (image);
  job->steps = g_ptr_array_ref (steps);
  job->bits = bits;
  job->progress = progress;
  g_task_set_task_data (task, job, job_free);
  capra_gegl_threads_add ();
  g_task_run_in_thread (task, run);
}

gboolean
capra_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
