/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-file: loads images with the loaders of GEGL, which do not report errors themselves. */
#define _GNU_SOURCE /* memfd_create */
#include "ui/pipeline/read/image-file.h"

#include <errno.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gegl-plugin.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capra.h"
#include "ui/pipeline/read/fits-keywords.h"
#include "ui/pipeline/read/gif-frames.h"
#include "ui/pipeline/read/icc.h"
#include "ui/pipeline/read/jpeg-reader.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/read/netpbm-check.h"
#include "ui/pipeline/read/png-chunks.h"
#include "ui/pipeline/read/webp-frames.h"
#include "ui/pipeline/regular-file.h"
#include "ui/pipeline/error.h"

#define MAX_BYTES (G_GUINT64_CONSTANT (24) << 30)
#define GENERIC_LOADER "gegl:load" /* chooses another loader itself */

/* Checks the file before GEGL decodes it. */
typedef gboolean (*Check) (const char *path, CapraImage *image, GError **error);

/* Loads the image itself; leaves the buffer of @image NULL if GEGL must load it. */
typedef gboolean (*Load) (const char *path, CapraImage *image, CapraImageSizeFunc on_size, gpointer data,
                          GError **error);

/* A loader of GEGL for files with the bytes @start at @offset. */
typedef struct {
  const char *start;
  gsize length, offset;
  const char *operation;
  Check check;        /* NULL if it needs no check */
  Load load;          /* NULL to use GEGL's loader */
  const char *number; /* the property that chooses one of several images in a file; NULL if it has one */
} Loader;

/* The arguments of a CapraImageSizeFunc. */
typedef struct {
  CapraImageSizeFunc func; /* NULL if nobody waits for the size */
  gpointer data;
} OnSize;

static gboolean check_png (const char *path, CapraImage *image, GError **error);
static gboolean check_jpeg (const char *path, CapraImage *image, GError **error);
static gboolean check_netpbm (const char *path, CapraImage *image, GError **error);
static gboolean load_jpeg (const char *path, CapraImage *image, CapraImageSizeFunc on_size, gpointer data,
                           GError **error);
static gboolean load_webp (const char *path, CapraImage *image, CapraImageSizeFunc on_size, gpointer data,
                           GError **error);
static gboolean load_gif (const char *path, CapraImage *image, CapraImageSizeFunc on_size, gpointer data,
                          GError **error);

/* By the first bytes: names can be wrong, and not every system has a MIME database. */
static const Loader loaders[] = {
  { "\x89PNG", 4, 0, "gegl:png-load", check_png },
  { "\xff\xd8\xff", 3, 0, "gegl:jpg-load", check_jpeg, load_jpeg },
  { "II*\0", 4, 0, "gegl:tiff-load" },
  { "MM\0*", 4, 0, "gegl:tiff-load" },
  { "II+\0", 4, 0, "gegl:tiff-load" },
  { "MM\0+", 4, 0, "gegl:tiff-load" },
  { "WEBP", 4, 8, "gegl:webp-load", NULL, load_webp },
  { "\x76\x2f\x31\x01", 4, 0, "gegl:exr-load" },
  { "GIF8", 4, 0, "gegl:gif-load", NULL, load_gif },
  { "P2", 2, 0, "gegl:ppm-load", check_netpbm },
  { "P3", 2, 0, "gegl:ppm-load", check_netpbm },
  { "P5", 2, 0, "gegl:ppm-load", check_netpbm },
  { "P6", 2, 0, "gegl:ppm-load", check_netpbm },
  { "#?RADIANCE", 10, 0, "gegl:rgbe-load" },
  { "#?RGBE", 6, 0, "gegl:rgbe-load" },
  { "<svg", 4, 0, "gegl:svg-load" },
  { "\x89HDF\r\n\x1a\n", 8, 0, "capra:hdf5-load", .number = "frame" },
};
static const Loader fits_loader = { .operation = "capra:fits-load", .number = "plane" };
static const Loader svg_loader = { .operation = "gegl:svg-load" };
/* ImageMagick, for all other formats. */
static const Loader magick_loader = { .operation = "gegl:magick-load" };

void
capra_image_free (CapraImage *image)
{
  g_clear_object (&image->buffer);
  g_clear_pointer (&image->decoded, capra_jpeg_pixels_free);
  g_free (image->graph);
  g_free (image->warning);
  g_free (image->dataset);
  g_strfreev (image->datasets);
  g_free (image);
}

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, message);
  return FALSE;
}

/* (nullable): by the first bytes of the file, or else by its MIME type. */
static const Loader *
choose_loader (const char *path, const guint8 *start, gsize length)
{
  g_autofree char *type = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (loaders); i++)
    if (length >= loaders[i].offset + loaders[i].length
        && memcmp (start + loaders[i].offset, loaders[i].start, loaders[i].length) == 0
        && gegl_has_operation (loaders[i].operation))
      return &loaders[i];
  if (capra_fits_recognize (path) && gegl_has_operation (fits_loader.operation))
    return &fits_loader;
  type = g_content_type_guess (path, start, length, NULL);
  if (g_content_type_equals (type, "image/svg+xml") && gegl_has_operation (svg_loader.operation))
    return &svg_loader;
  return g_str_has_prefix (type, "image/") && gegl_has_operation (magick_loader.operation) ? &magick_loader : NULL;
}

static const Loader *
find_loader (const char *path, GError **error)
{
  guint8 start[512];
  int descriptor = capra_open_regular (path, error);
  const Loader *loader = NULL;
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
  if (length >= 6 && memcmp (start, "\x93NUMPY", 6) == 0)
    {
      fail (error, _ ("A NumPy array can only be loaded as raw values (\"--data\", \"Raw Pixel Values\")"));
      return NULL;
    }
  loader = choose_loader (path, start, (gsize) length);
  if (!loader)
    {
      g_autofree char *type = g_content_type_guess (path, start, (gsize) length, NULL);

      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Unsupported image format (%s)"), type);
    }
  return loader;
}

gboolean
capra_image_reads (const char *operation, const char *path)
{
  const Loader *loader = find_loader (path, NULL);

  /* GEGL may have a loader of its own for a format that is left to ImageMagick here. */
  return loader && loader != &magick_loader
         && (strcmp (operation, GENERIC_LOADER) == 0 || strcmp (operation, loader->operation) == 0);
}

static gboolean
check_png (const char *path, CapraImage *image, GError **error)
{
  return capra_png_check (path, &image->graph, error);
}

static gboolean
check_netpbm (const char *path, CapraImage *image, GError **error)
{
  return capra_netpbm_check (path, error);
}

/* A JPEG without an end marker is truncated. */
static gboolean
check_jpeg (const char *path, CapraImage *image, GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  const guint8 *data;
  gsize end;

  if (!map)
    return FALSE;
  data = (const guint8 *) g_mapped_file_get_contents (map);
  for (end = g_mapped_file_get_length (map); end >= 2; end--)
    if (data[end - 2] == 0xFF && data[end - 1] == 0xD9)
      break;
  return end >= 2 || fail (error, _ ("The file is incomplete: the end of the image is missing"));
}

/* Decodes once as a test: gegl:jpg-load exits the process if libjpeg fails. */
static gboolean
try_jpeg (const char *path, GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  g_autoptr (GdkPixbufLoader) loader = map ? gdk_pixbuf_loader_new_with_type ("jpeg", error) : NULL;
  gboolean good;

  if (!loader)
    return FALSE;
  good = gdk_pixbuf_loader_write (loader, (const guint8 *) g_mapped_file_get_contents (map),
                                  g_mapped_file_get_length (map), error);
  return gdk_pixbuf_loader_close (loader, good ? error : NULL) && good;
}

static gboolean
load_jpeg (const char *path, CapraImage *image, CapraImageSizeFunc on_size, gpointer data, GError **error)
{
  g_autofree char *damage = NULL;

  if (image->decoded && !image->warning) /* with a warning, the decoded image has an unusable profile */
    {
      if (on_size)
        on_size (capra_jpeg_pixels_get_size (image->decoded), data);
      image->buffer = capra_jpeg_pixels_get_buffer (image->decoded);
      g_clear_pointer (&image->decoded, capra_jpeg_pixels_free);
      return TRUE;
    }
  if (!capra_jpeg_load (path, &image->buffer, &damage, on_size, data, error))
    return FALSE;
  if (!image->warning)
    image->warning = g_steal_pointer (&damage);
  return image->buffer || try_jpeg (path, error);
}

/* An image, or the first frame of an animation. */
static gboolean
load_webp (const char *path, CapraImage *image, CapraImageSizeFunc on_size, gpointer data, GError **error)
{
  image->buffer = capra_webp_load_frame (path, 0, &image->warning, on_size, data, error);
  return image->buffer != NULL;
}

/* The first frame, which GEGL decodes. */
static gboolean
load_gif (const char *path, CapraImage *image, CapraImageSizeFunc on_size, gpointer data, GError **error)
{
  if (!image->warning)
    image->warning = capra_gif_describe_cut (path);
  return TRUE;
}

static gboolean
check_size (const GeglRectangle *bounds, const Babl *format, GError **error)
{
  guint64 pixels = (guint64) bounds->width * (guint64) bounds->height;
  guint64 bytes = pixels * (guint64) babl_format_get_bytes_per_pixel (format);
  g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);

  if (bounds->width < 1 || bounds->height < 1)
    return fail (error, _ ("The file contains no image, or it is damaged"));
  if (bytes <= MAX_BYTES)
    return TRUE;
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               _ ("The image is too large: %d × %d pixels need %s"), bounds->width, bounds->height, size);
  return FALSE;
}

static void
announce_size (const OnSize *on_size, const GeglRectangle *bounds, const Babl *format)
{
  if (on_size->func)
    on_size->func ((guint64) bounds->width * (guint64) bounds->height
                     * (guint64) babl_format_get_bytes_per_pixel (format),
                   on_size->data);
}

/* Operations of Capra have an error of their own. */
static gboolean
check_operation (GeglNode *load, GError **error)
{
  g_autofree char *message = NULL;

  if (gegl_node_find_property (load, "error"))
    gegl_node_get (load, "error", &message, NULL);
  return !message || !*message || fail (error, message);
}

static GeglBuffer *
decode (GeglNode *load, const OnSize *on_size, GError **error)
{
  GeglRectangle bounds = gegl_node_get_bounding_box (load);
  const Babl *format = gegl_operation_get_format (gegl_node_get_gegl_operation (load), "output");
  g_autoptr (GeglBuffer) buffer = NULL;

  if (!format)
    format = babl_format ("R'G'B'A float");
  if (!check_operation (load, error) || !check_size (&bounds, format, error))
    return NULL;
  announce_size (on_size, &bounds, format);
  buffer = gegl_buffer_new (&bounds, format);
  gegl_node_blit_buffer (load, buffer, &bounds, 0, GEGL_ABYSS_NONE);
  return check_operation (load, error) ? g_steal_pointer (&buffer) : NULL;
}

/* Libraries put the name of their function before the reason: "nsgif_data_scan: Unexpected end of GIF source data". */
static const char *
skip_function (const char *text)
{
  gsize length = strspn (text, G_CSET_a_2_z G_CSET_DIGITS "_");

  return g_str_has_prefix (text + length, ": ") && memchr (text, '_', length) ? text + length + 2 : text;
}

GeglBuffer *
capra_image_decode_node (GeglNode *node, CapraImageSizeFunc func, gpointer data, GError **error)
{
  const OnSize on_size = { func, data };
  g_autoptr (GError) local = NULL;
  g_autofree char *warning = NULL;
  g_autoptr (GeglBuffer) buffer = NULL;

  capra_log_catcher_begin (FALSE);
  buffer = decode (node, &on_size, &local);
  warning = capra_log_catcher_end ();
  if (buffer && g_str_equal (gegl_node_get_operation (node), fits_loader.operation))
    capra_fits_keywords_attach (node, buffer);
  if (buffer && !warning)
    return g_steal_pointer (&buffer);
  if (warning)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Cannot read the file: %s"),
                 skip_function (warning));
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

/* gegl:magick-load lets ImageMagick convert an image to a temporary file, and reads this file even if ImageMagick
 * failed. The file of an earlier image is removed, so that the failure is noticed. */
static void
remove_converted (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "gegl-magick.png", NULL);

  if (g_unlink (path) != 0 && errno != ENOENT)
    g_warning ("Cannot remove %s: %s", path, g_strerror (errno));
}

/* Says that a file has more images than the one that was loaded. */
static char *
describe_others (const Loader *loader, GeglNode *load)
{
  int count = 0;

  gegl_node_get (load, "count", &count, NULL);
  return count > 1 ? g_strdup_printf (_ ("The file has %d images (%s 0 to %d), of which the first one was loaded"),
                                      count, loader->number, count - 1)
                   : NULL;
}

static GeglBuffer *
decode_checked (const Loader *loader, const char *path, const OnSize *on_size, char **warning, GError **error)
{
  static GMutex one_file; /* gegl:magick-load decodes through a temporary file that always has the same name */
  g_autoptr (GMutexLocker) locker = loader == &magick_loader ? g_mutex_locker_new (&one_file) : NULL;
  g_autoptr (GeglNode) root = gegl_node_new ();
  g_autoptr (GError) local = NULL;
  GeglNode *load = NULL;
  GeglBuffer *buffer = NULL;

  if (loader == &magick_loader)
    remove_converted ();
  load = gegl_node_new_child (root, "operation", loader->operation, "path", path, NULL);
  if (loader->number)
    gegl_node_set (load, loader->number, 0, NULL);
  buffer = capra_image_decode_node (load, on_size->func, on_size->data, &local);
  if (buffer && loader->number && !*warning)
    *warning = describe_others (loader, load);
  if (!buffer && loader == &magick_loader) /* its warning names a temporary file */
    fail (error, _ ("Unsupported image format, or the file is damaged"));
  else if (!buffer)
    g_propagate_error (error, g_steal_pointer (&local));
  return buffer;
}

/* Copies @bytes to a file in memory. Returns its descriptor, or -1 with errno set. */
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

/* If the color profile of the file is unusable, copies the file without it to memory. Returns the descriptor, or -1. */
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
  *warning = g_strdup_printf (_ ("Color profile ignored: %s"), reason);
  return stripped ? copy_to_memory (stripped) : -1;
}

static gboolean
load (const Loader *loader, const char *path, CapraImage *image, const OnSize *on_size, GError **error)
{
  if (loader->load && !loader->load (path, image, on_size->func, on_size->data, error))
    return FALSE;
  if (!image->buffer)
    image->buffer = decode_checked (loader, path, on_size, &image->warning, error);
  return image->buffer != NULL;
}

static gboolean
load_without_profile (const Loader *loader, const char *path, CapraImage *image, const OnSize *on_size, GError **error)
{
  int descriptor = strip_profile (path, &image->warning);
  g_autofree char *copy = g_strdup_printf ("/proc/self/fd/%d", descriptor);
  gboolean good = load (loader, descriptor >= 0 ? copy : path, image, on_size, error);

  if (descriptor >= 0)
    close (descriptor);
  return good;
}

CapraImage *
capra_image_load_sized (GFile *file, CapraJpegPixels *decoded, CapraImageSizeFunc func, gpointer data, GError **error)
{
  g_autoptr (CapraImage) image = g_new0 (CapraImage, 1);
  g_autofree char *path = g_file_get_path (file);
  const OnSize on_size = { func, data };
  const Loader *loader;

  image->decoded = decoded;
  if (!path)
    {
      fail (error, _ ("Only local files can be opened"));
      return NULL;
    }
  loader = find_loader (path, error);
  if (!loader || (loader->check && !loader->check (path, image, error))
      || !load_without_profile (loader, path, image, &on_size, error))
    return NULL;
  return g_steal_pointer (&image);
}

CapraImage *
capra_image_load (GFile *file, GError **error)
{
  return capra_image_load_sized (file, NULL, NULL, NULL, error);
}
