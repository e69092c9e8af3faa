/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: the pages of TIFF files, the frames of HDF5 data sets and of animations, and the planes of FITS files. */
#include "ui/pipeline/read/frames.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "capra.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/read/gif-frames.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/read/resolution.h"
#include "ui/pipeline/read/tiff-reader.h"
#include "ui/pipeline/read/webp-frames.h"
#include "ui/pipeline/regular-file.h"

/* A format whose files contain several images. */
typedef struct {
  const char *start; /* the first bytes */
  gsize length;
  const char *operation, *property; /* of GEGL: the loader, and the number of the frame */
  int first;                        /* the number of the first frame */
  guint64 (*count) (const char *path, const char *dataset, GError **error);
  CapraFramesKind kind;
} Format;

static guint64
count_pages (const char *path, const char *dataset, GError **error)
{
  return capra_tiff_count_pages (path, error);
}

static guint64
count_planes (const char *path, const char *dataset, GError **error)
{
  g_autoptr (CapraFits) fits = capra_fits_open (path, error);

  return fits ? capra_fits_get_image (fits, 0)->planes : 0;
}

static guint64
count_dataset_frames (const char *path, const char *dataset, GError **error)
{
  g_autoptr (CapraHdf5Frames) frames = capra_hdf5_frames_open (path, dataset ? dataset : "", error);

  return frames ? capra_hdf5_frames_get_shape (frames)->frames : 0;
}

static guint64
count_gif_frames (const char *path, const char *dataset, GError **error)
{
  return capra_gif_count_frames (path, error);
}

static guint64
count_webp_frames (const char *path, const char *dataset, GError **error)
{
  return capra_webp_count_frames (path, error);
}

static const Format formats[] = {
  { "II*\0", 4, "gegl:tiff-load", "directory", 1, count_pages, CAPRA_FRAMES_PAGES },
  { "MM\0*", 4, "gegl:tiff-load", "directory", 1, count_pages, CAPRA_FRAMES_PAGES },
  { "II+\0", 4, "gegl:tiff-load", "directory", 1, count_pages, CAPRA_FRAMES_PAGES },
  { "MM\0+", 4, "gegl:tiff-load", "directory", 1, count_pages, CAPRA_FRAMES_PAGES },
  { "\x89HDF\r\n\x1a\n", 8, "capra:hdf5-load", "frame", 0, count_dataset_frames, CAPRA_FRAMES_OF_DATA },
  { "GIF87a", 6, "gegl:gif-load", "frame", 0, count_gif_frames, CAPRA_FRAMES_OF_ANIMATION },
  { "GIF89a", 6, "gegl:gif-load", "frame", 0, count_gif_frames, CAPRA_FRAMES_OF_ANIMATION },
};
/* Also those that are compressed with gzip. */
static const Format fits_format = { NULL, 0, "capra:fits-load", "plane", 0, count_planes, CAPRA_FRAMES_OF_DATA };
/* Without an operation that reads them. */
static const Format webp_format = { .count = count_webp_frames, .kind = CAPRA_FRAMES_OF_ANIMATION };

/* (nullable): %NULL for other files, or with @error set. */
static const Format *
find_format (const char *path, GError **error)
{
  guint8 start[16];
  int descriptor = capra_open_regular (path, error);
  gssize length;

  if (descriptor < 0)
    return NULL;
  length = read (descriptor, start, sizeof start);
  close (descriptor);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (length >= (gssize) formats[i].length && memcmp (start, formats[i].start, formats[i].length) == 0)
      return &formats[i];
  if (capra_webp_has_frames (path))
    return &webp_format;
  return capra_fits_recognize (path) ? &fits_format : NULL;
}

gboolean
capra_frames_has (const char *path)
{
  return find_format (path, NULL) != NULL;
}

gboolean
capra_frames_is_chosen (const CapraFrame *frame)
{
  const Format *format = frame->index < 0 && frame->dataset ? find_format (frame->path, NULL) : NULL;

  return frame->index >= 0 || (format && format->count == count_dataset_frames);
}

guint64
capra_frames_count (const char *path, const char *dataset, GError **error)
{
  g_autoptr (GError) local = NULL;
  const Format *format = find_format (path, &local);

  if (format)
    return format->count (path, dataset, error);
  if (!local)
    return 1;
  g_propagate_error (error, g_steal_pointer (&local));
  return 0;
}

static GeglBuffer *
load_by_node (const CapraFrame *frame, const Format *format, CapraImageSizeFunc on_size, gpointer data, GError **error)
{
  g_autoptr (GeglNode) root = gegl_node_new ();
  GeglNode *load;

  if (!gegl_has_operation (format->operation))
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                   _ ("Files of this format need the operation %s, which is not installed"), format->operation);
      return NULL;
    }
  load = gegl_node_new_child (root, "operation", format->operation, "path", frame->path, format->property,
                              (int) frame->index + format->first, NULL);
  if (frame->dataset && gegl_node_find_property (load, "dataset"))
    gegl_node_set (load, "dataset", frame->dataset, NULL);
  if (frame->device && gegl_node_find_property (load, "device"))
    gegl_node_set (load, "device", frame->device, NULL);
  return capra_image_decode_node (load, on_size, data, error);
}

CapraImage *
capra_frames_load (const CapraFrame *frame, gboolean raw, CapraImageSizeFunc on_size, gpointer data, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (frame->path);
  g_autoptr (CapraImage) image = NULL;
  g_autoptr (GError) local = NULL;
  const Format *format = find_format (frame->path, &local);

  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  if (frame->index > G_MAXINT - 1 || (!format && frame->index > 0))
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file has no frame %" PRId64),
                   frame->index);
      return NULL;
    }
  if (raw && (!format || format->count == count_pages))
    return capra_raw_values_load_page (file, format ? (guint) frame->index + 1 : 0, on_size, data, error);
  if (!format || (format->count == count_pages && frame->index == 0))
    return capra_image_load_sized (file, NULL, on_size, data, error);
  image = g_new0 (CapraImage, 1);
  if (format == &webp_format)
    image->buffer = capra_webp_load_frame (frame->path, frame->index, &image->warning, on_size, data, error);
  else
    image->buffer = load_by_node (frame, format, on_size, data, error);
  if (format->count == count_gif_frames)
    image->warning = capra_gif_describe_cut (frame->path);
  if (!image->buffer || (raw && !capra_raw_values_take (image, error)))
    return NULL;
  return g_steal_pointer (&image);
}

/* What a thread loads. */
typedef struct {
  GFile *file;
  char *dataset; /* NULL for the first */
  gint64 frame;
  gboolean raw;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->file);
  g_free (request->dataset);
  g_free (request);
}

/* The data sets among which one must be chosen. */
static char **
list_datasets (const char *path, const Format *format)
{
  return format && format->count == count_dataset_frames ? capra_hdf5_list_datasets (path) : g_new0 (char *, 1);
}

/* A file with one frame is loaded as any other, by the loader that GEGL has for it. */
static CapraImage *
load_request (const Request *request, GError **error)
{
  g_autofree char *path = g_file_get_path (request->file);
  const Format *format = path ? find_format (path, NULL) : NULL;
  g_auto (GStrv) datasets = list_datasets (path, format);
  const char *dataset = request->dataset ? request->dataset : datasets[0];
  guint64 frames = format ? MAX (format->count (path, dataset, NULL), 1) : 1;
  const CapraFrame frame = { .path = path, .dataset = dataset, .index = request->frame };
  CapraImage *image = frames > 1 || dataset ? capra_frames_load (&frame, request->raw, NULL, NULL, error)
                      : request->raw        ? capra_raw_values_load (request->file, error)
                                            : capra_image_load (request->file, error);

  if (image)
    {
      image->frames = frames;
      image->dataset = g_strdup (dataset);
      image->is_default = dataset && !request->dataset && format->count (path, NULL, NULL) > 0;
      image->datasets = g_steal_pointer (&datasets);
      image->kind = format ? format->kind : CAPRA_FRAMES_OF_DATA;
      capra_resolution_attach (image->buffer, path, request->frame);
    }
  return image;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CapraImage *image = load_request (data, &error);

  if (image)
    g_task_return_pointer (task, image, (GDestroyNotify) capra_image_free);
  else
    g_task_return_error (task, error);
}

void
capra_frames_load_async (GFile *file, const char *dataset, gint64 frame, gboolean raw, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Request *request = g_new (Request, 1);

  *request = (Request){ g_object_ref (file), g_strdup (dataset), frame, raw };
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, run);
}

CapraImage *
capra_frames_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

GFile *
capra_frames_load_get_file (GAsyncResult *result)
{
  return ((const Request *) g_task_get_task_data (G_TASK (result)))->file;
}
