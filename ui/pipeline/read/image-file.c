/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-file: reads images through GEGL, and says why where it cannot. */
#define _GNU_SOURCE /* memfd_create */
#include "ui/pipeline/read/image-file.h"

#include <errno.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gegl-plugin.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ui/pipeline/read/icc.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/write/png-file.h"
#include "ui/pipeline/regular-file.h"
#include "ui/pipeline/error.h"

#define MAX_BYTES (G_GUINT64_CONSTANT (24) << 30)

/* By their first bytes: names lie, and not every system has a list of types. */
static const struct {
  const char *start;
  gsize length, offset;
  const char *operation;
} loaders[] = {
  { "\x89PNG", 4, 0, "gegl:png-load" }, { "\xff\xd8\xff", 3, 0, "gegl:jpg-load" },
  { "II*\0", 4, 0, "gegl:tiff-load" },  { "MM\0*", 4, 0, "gegl:tiff-load" },
  { "II+\0", 4, 0, "gegl:tiff-load" },  { "MM\0+", 4, 0, "gegl:tiff-load" },
  { "WEBP", 4, 8, "gegl:webp-load" },   { "\x76\x2f\x31\x01", 4, 0, "gegl:exr-load" },
  { "GIF8", 4, 0, "gegl:gif-load" },    { "P2", 2, 0, "gegl:ppm-load" },
  { "P3", 2, 0, "gegl:ppm-load" },      { "P5", 2, 0, "gegl:ppm-load" },
  { "P6", 2, 0, "gegl:ppm-load" },      { "#?RADIANCE", 10, 0, "gegl:rgbe-load" },
  { "#?RGBE", 6, 0, "gegl:rgbe-load" }, { "<svg", 4, 0, "gegl:svg-load" },
};

void
capra_image_free (CapraImage *image)
{
  g_clear_object (&image->buffer);
  g_free (image->graph);
  g_free (image->warning);
  g_free (image);
}

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, message);
  return FALSE;
}

/* What the file's first bytes and its name make it, and GEGL's operation that reads that. */
static const char *
find_loader (const char *path, GError **error)
{
  guint8 start[512];
  int descriptor = capra_open_regular (path, error);
  g_autofree char *type = NULL;
  gssize length;

  if (descriptor < 0)
    return NULL;
  length = read (descriptor, start, sizeof start);
  close (descriptor);
  if (length <= 0)
    {
      fail (error, _ ("The file is empty"));
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (loaders); i++)
    if ((gsize) length >= loaders[i].offset + loaders[i].length
        && memcmp (start + loaders[i].offset, loaders[i].start, loaders[i].length) == 0
        && gegl_has_operation (loaders[i].operation))
      return loaders[i].operation;
  if (length >= 6 && memcmp (start, "\x93NUMPY", 6) == 0)
    {
      fail (error,
            _ ("A NumPy array holds numbers, not a picture: take them as they are (\"--data\", \"Numbers as They "
               "Are\")"));
      return NULL;
    }
  type = g_content_type_guess (path, start, (gsize) length, NULL);
  if (g_content_type_equals (type, "image/svg+xml") && gegl_has_operation ("gegl:svg-load"))
    return "gegl:svg-load";
  if (g_str_has_prefix (type, "image/") && gegl_has_operation ("gegl:magick-load"))
    return "gegl:magick-load";
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               _ ("This is not an image that can be read here (%s)"), type);
  return NULL;
}

gboolean
capra_image_reads (const char *operation, const char *path)
{
  const char *loader = find_loader (path, NULL);

  /* What is left to ImageMagick here may have a loader of its own in GEGL. */
  return loader && strcmp (loader, "gegl:magick-load") != 0
         && (strcmp (operation, "gegl:load") == 0 || strcmp (operation, loader) == 0);
}

/* A photo that ends before its end marker was cut off. Others are decoded once to see whether they can
 * be: GEGL's libjpeg ends the process where they cannot. */
static gboolean
check_jpeg (const char *path, GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  g_autoptr (GdkPixbufLoader) loader = NULL;
  const guint8 *data;
  gboolean good;
  gsize end;

  if (!map)
    return FALSE;
  data = (const guint8 *) g_mapped_file_get_contents (map);
  for (end = g_mapped_file_get_length (map); end >= 2; end--)
    if (data[end - 2] == 0xFF && data[end - 1] == 0xD9)
      break;
  if (end < 2)
    return fail (error, _ ("The file is incomplete: the image's end is missing"));
  loader = gdk_pixbuf_loader_new_with_type ("jpeg", error);
  if (!loader)
    return FALSE;
  good = gdk_pixbuf_loader_write (loader, data, g_mapped_file_get_length (map), error);
  return gdk_pixbuf_loader_close (loader, good ? error : NULL) && good;
}

static gboolean
check_size (const GeglRectangle *bounds, const Babl *format, GError **error)
{
  guint64 pixels = (guint64) bounds->width * (guint64) bounds->height;
  guint64 bytes = pixels * (guint64) babl_format_get_bytes_per_pixel (format);
  g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);

  if (bounds->width < 1 || bounds->height < 1)
    return fail (error, _ ("There is no image in the file, or it is damaged"));
  if (bytes <= MAX_BYTES)
    return TRUE;
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               _ ("The image is too large: %d × %d pixels would take %s"), bounds->width, bounds->height, size);
  return FALSE;
}

static GeglBuffer *
decode (const char *operation, const char *path, GError **error)
{
  g_autoptr (GeglNode) root = gegl_node_new ();
  GeglNode *load = gegl_node_new_child (root, "operation", operation, "path", path, NULL);
  GeglRectangle bounds;
  const Babl *format;
  g_autoptr (GeglBuffer) buffer = NULL;

  bounds = gegl_node_get_bounding_box (load);
  format = gegl_operation_get_format (gegl_node_get_gegl_operation (load), "output");
  if (!format)
    format = babl_format ("R'G'B'A float");
  if (!check_size (&bounds, format, error))
    return NULL;
  buffer = gegl_buffer_new (&bounds, format);
  gegl_node_blit_buffer (load, buffer, &bounds, 0, GEGL_ABYSS_NONE);
  return g_steal_pointer (&buffer);
}

static GeglBuffer *
decode_watched (const char *operation, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *warning = NULL;
  g_autoptr (GeglBuffer) buffer = NULL;

  capra_log_catcher_begin (FALSE);
  buffer = decode (operation, path, &local);
  warning = capra_log_catcher_end ();
  if (buffer && !warning)
    return g_steal_pointer (&buffer);
  if (strcmp (operation, "gegl:magick-load") == 0) /* it complains of a file of its own */
    fail (error, _ ("This is not an image that can be read here, or it is damaged"));
  else if (warning)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file cannot be read: %s"), warning);
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

/* Writes a copy to memory; the descriptor, -1 with errno set. */
static int
copy_to_memory (GByteArray *bytes)
{
  int descriptor = memfd_create ("capra-image", MFD_CLOEXEC);
  gsize at = 0;

  while (descriptor >= 0 && at < bytes->len)
    {
      gssize written = write (descriptor, bytes->data + at, bytes->len - at);

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        {
          close (descriptor);
          return -1;
        }
      at += (gsize) written;
    }
  return descriptor;
}

/* If the file has a color profile that cannot be used: a copy without it, in memory. Its descriptor, else -1. */
static int
strip_profile (const char *path, char **warning)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, NULL);
  g_autoptr (GByteArray) stripped = NULL;
  g_autofree char *reason = NULL;

  if (!map || g_mapped_file_get_length (map) == 0
      || capra_icc_check ((const guint8 *) g_mapped_file_get_contents (map), g_mapped_file_get_length (map), &reason,
                          &stripped))
    return -1;
  *warning = g_strdup_printf (_ ("The color profile is not used: %s"), reason);
  return stripped ? copy_to_memory (stripped) : -1;
}

static GeglBuffer *
decode_without_profile (CapraImage *image, const char *operation, const char *path, GError **error)
{
  int descriptor = strip_profile (path, &image->warning);
  g_autofree char *copy = g_strdup_printf ("/proc/self/fd/%d", descriptor);
  GeglBuffer *buffer = decode_watched (operation, descriptor >= 0 ? copy : path, error);

  if (descriptor >= 0)
    close (descriptor);
  return buffer;
}

CapraImage *
capra_image_load (GFile *file, GError **error)
{
  g_autoptr (CapraImage) image = g_new0 (CapraImage, 1);
  g_autofree char *path = g_file_get_path (file);
  const char *operation;

  if (!path)
    {
      fail (error, _ ("Only files on this computer can be opened"));
      return NULL;
    }
  operation = find_loader (path, error);
  if (!operation)
    return NULL;
  if (strcmp (operation, "gegl:png-load") == 0 && !capra_png_check (path, &image->graph, error))
    return NULL;
  if (strcmp (operation, "gegl:jpg-load") == 0 && !check_jpeg (path, error))
    return NULL;
  image->buffer = decode_without_profile (image, operation, path, error);
  return image->buffer ? g_steal_pointer (&image) : NULL;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  CapraImage *image = capra_image_load (data, &error);

  if (image)
    g_task_return_pointer (task, image, (GDestroyNotify) capra_image_free);
  else
    g_task_return_error (task, error);
}

void
capra_image_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, run);
}

CapraImage *
capra_image_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
