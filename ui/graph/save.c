/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Save: writes the result of a pipeline to a file, whole or not at all. */
#include "save.h"

#include <errno.h>
#include <fcntl.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "capra.h"
#include "display.h"
#include "log-catcher.h"
#include "pipeline-text.h"
#include "png-file.h"

#define JPEG "gegl:jpg-save"
#define MAX_JPEG 65500 /* pixels of a side */
#define JPEG_BAND 256

static const char *const suffixes[] = { "png", "tif", "tiff", "jpg", "jpeg", "webp", "exr", "hdr",
                                        "ppm", "pgm", "gegl", NULL };
static const char *const savers[] = { NULL, "gegl:tiff-save", "gegl:tiff-save", JPEG, JPEG,
                                      "gegl:webp-save", "gegl:exr-save",
                                      "gegl:rgbe-save", "gegl:ppm-save", "gegl:ppm-save",
                                      "gegl:gegl-buffer-save" };

typedef struct {
  GFile *file;
  GeglBuffer *image;
  GPtrArray *steps;
  int bits;
  CapraSaveProgress *progress;
  /* While it is written: */
  CapraGraph *graph;
  GeglRectangle bounds;
  const Babl *format;
  GCancellable *cancellable;
} Saving;

const char *const *
capra_save_get_suffixes (void)
{
  return suffixes;
}

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_FILE, message);
  return FALSE;
}

static int
find_suffix (const char *path)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *suffix = dot ? g_ascii_strdown (dot + 1, -1) : NULL;

  for (int i = 0; suffix && suffixes[i]; i++)
    if (strcmp (suffix, suffixes[i]) == 0 && (!savers[i] || gegl_has_operation (savers[i])))
      return i;
  return -1;
}

static void
set_progress (Saving *saving, double fraction)
{
  if (saving->progress)
    g_atomic_int_set (&saving->progress->per_mille, (int) (fraction * 1000.0));
}

static gboolean
get_rows (int y, int rows, gpointer pixels, gpointer data, GError **error)
{
  Saving *saving = data;
  GeglRectangle band = { saving->bounds.x, saving->bounds.y + y, saving->bounds.width, rows };
  gsize count = (gsize) band.width * rows;

  if (g_cancellable_set_error_if_cancelled (saving->cancellable, error))
    return FALSE;
  set_progress (saving, (double) y / saving->bounds.height);
  if (!capra_format_is_labels (saving->format))
    {
      capra_graph_render (saving->graph, &band, saving->format, pixels, GEGL_AUTO_ROWSTRIDE);
      return capra_graph_check (saving->graph, error);
    }
  {
    g_autofree guint32 *numbers = g_new (guint32, count);
    guint16 *small = pixels;

    capra_graph_render (saving->graph, &band, saving->format, numbers, GEGL_AUTO_ROWSTRIDE);
    for (gsize i = 0; i < count; i++)
      {
        if (numbers[i] > G_MAXUINT16)
          return fail (error, _("A PNG holds numbers of regions up to 65535, and here are more. "
                                "Save as TIFF instead"));
        small[i] = (guint16) numbers[i];
      }
  }
  return capra_graph_check (saving->graph, error);
}

/* With the result's colors and transparency, and as many bits as asked for. */
static const Babl *
choose_png_format (const Babl *own, int *bits, int *channels)
{
  static const char *const names[] = { "Y'", "Y'A", "R'G'B'", "R'G'B'A" };
  gboolean alpha = babl_format_has_alpha (own);
  gboolean grey = babl_format_get_n_components (own) - alpha == 1 && !babl_format_is_palette (own);
  g_autofree char *name = NULL;

  *channels = (grey ? 1 : 3) + alpha;
  if (capra_format_is_labels (own))
    {
      *bits = 16;
      return own;
    }
  name = g_strdup_printf ("%s u%d", names[*channels - 1], *bits);
  return babl_format (name);
}

static GHashTable *
new_text (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static GHashTable *
describe_graph (Saving *saving)
{
  GHashTable *text = new_text ();

  g_hash_table_insert (text, g_strdup ("Software"), g_strdup ("Capra " CAPRA_VERSION));
  if (saving->steps->len > 0)
    g_hash_table_insert (text, g_strdup (CAPRA_PNG_GRAPH), capra_steps_to_xml (saving->steps));
  return text;
}

/* The devices that this process has worked on, a line each. */
static char *
name_devices (void)
{
  g_autoptr(GArray) timings = capra_timeline_statistics ();
  GString *names = g_string_new (NULL);
  CapraDevice *device = NULL;

  for (guint i = 0; i < timings->len; i++)
    {
      const CapraTiming *timing = &g_array_index (timings, CapraTiming, i);
      const CapraDeviceInfo *info = capra_device_get_info (timing->device);

      if (timing->device == device) /* they come sorted by device */
        continue;
      device = timing->device;
      g_string_append_printf (names, "%s%s; %s; %s; %s", names->len > 0 ? "\n" : "", info->name, info->platform_name,
                              info->driver, info->id);
    }
  return g_string_free (names, FALSE);
}

/* What is known when all rows have been computed. */
static GHashTable *
describe_work (gpointer data)
{
  Saving *saving = data;
  GHashTable *text = new_text ();
  gboolean ours = FALSE;

  for (guint i = 0; i < saving->steps->len; i++)
    ours |= g_str_has_prefix (capra_step_get_operation (saving->steps->pdata[i]), "capra:");
  if (ours)
    {
      g_hash_table_insert (text, g_strdup (CAPRA_PNG_DEVICE), name_devices ());
      g_hash_table_insert (text, g_strdup (CAPRA_PNG_TIMINGS), capra_timeline_to_json ());
    }
  return text;
}

static gboolean
write_png (Saving *saving, const char *path, GError **error)
{
  int bits = saving->bits, channels;
  g_autoptr(GHashTable) text = describe_graph (saving);

  saving->format = choose_png_format (capra_graph_get_format (saving->graph), &bits, &channels);
  return capra_png_write (path, saving->bounds.width, saving->bounds.height, channels, bits, text, get_rows,
                          describe_work, saving, error);
}

/* Not by GEGL: its libjpeg ends the process when the disk is full. */
static gboolean
write_jpeg (Saving *saving, const char *path, GError **error)
{
  int width = saving->bounds.width, height = saving->bounds.height;
  g_autoptr(GdkPixbuf) picture = NULL;

  if (width > MAX_JPEG || height > MAX_JPEG)
    return fail (error, _("The image is too large for JPEG. Save as PNG or TIFF instead"));
  picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  if (!picture)
    return fail (error, _("There is not enough memory for JPEG. Save as PNG or TIFF instead"));
  for (int y = 0; y < height; y += JPEG_BAND)
    {
      GeglRectangle band = { saving->bounds.x, saving->bounds.y + y, width,
                             MIN (JPEG_BAND, height - y) };
      int stride = gdk_pixbuf_get_rowstride (picture);

      if (g_cancellable_set_error_if_cancelled (saving->cancellable, error))
        return FALSE;
      set_progress (saving, (double) y / height);
      capra_graph_render (saving->graph, &band, babl_format ("R'G'B' u8"),
                          gdk_pixbuf_get_pixels (picture) + (gsize) y * stride, stride);
    }
  return capra_graph_check (saving->graph, error)
         && gdk_pixbuf_save (picture, path, "jpeg", error, "quality", "95", NULL);
}

static gboolean
write_by_gegl (Saving *saving, const char *path, const char *saver, GError **error)
{
  GeglNode *sink = gegl_node_new_child (capra_graph_get_root (saving->graph), "operation", saver,
                                        "path", path, NULL);
  g_autoptr(GeglProcessor) processor = NULL;
  g_autofree char *warning = NULL;
  gboolean cancelled = FALSE;
  double fraction = 0.0;

  gegl_node_link (capra_graph_get_output (saving->graph), sink);
  processor = gegl_node_new_processor (sink, &saving->bounds);
  capra_log_catcher_begin ();
  while (!cancelled && gegl_processor_work (processor, &fraction))
    {
      set_progress (saving, fraction);
      cancelled = g_cancellable_is_cancelled (saving->cancellable);
    }
  warning = capra_log_catcher_end ();
  g_clear_object (&processor);
  gegl_node_remove_child (capra_graph_get_root (saving->graph), sink);
  if (g_cancellable_set_error_if_cancelled (saving->cancellable, error)
      || !capra_graph_check (saving->graph, error))
    return FALSE;
  if (!warning)
    return TRUE;
  g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_FILE,
               _("The file cannot be written: %s"), warning);
  return FALSE;
}

/* GEGL's savers do not tell of a full disk: the file has to be there, and on the disk. */
static gboolean
check_written (const char *path, GError **error)
{
  GStatBuf status;
  int descriptor = g_open (path, O_RDWR, 0);
  gboolean synced = descriptor >= 0 && fsync (descriptor) == 0;
  int code = errno;

  if (descriptor >= 0)
    g_close (descriptor, NULL);
  if (!synced)
    {
      g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_FILE,
                   _("The file cannot be written: %s"), g_strerror (code));
      return FALSE;
    }
  if (g_stat (path, &status) != 0 || status.st_size == 0)
    return fail (error, _("Nothing was written; the disk may be full"));
  return TRUE;
}

/* Whether the disk has room: an estimate, the least that any format takes of noise. */
static gboolean
check_room (Saving *saving, GFile *folder, GError **error)
{
  g_autoptr(GFileInfo) info
      = g_file_query_filesystem_info (folder, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);
  guint64 pixels = (guint64) saving->bounds.width * (guint64) saving->bounds.height;

  if (!info || !g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE)
      || g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE) > pixels / 100)
    return TRUE;
  return fail (error, _("There is not enough room on the disk"));
}

static gboolean
write_file (Saving *saving, const char *path, GError **error)
{
  int suffix = find_suffix (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr(GFile) parent = g_file_new_for_path (folder);
  g_autofree char *temporary = NULL;
  int descriptor;
  gboolean good;

  if (suffix < 0)
    return fail (error, _("The name's ending tells no format that can be written; "
                          "use .png, .tif, .jpg, .webp or .exr"));
  if (!check_room (saving, parent, error))
    return FALSE;
  temporary = g_strdup_printf ("%s/.capra-XXXXXX.%s", folder, suffixes[suffix]);
  descriptor = g_mkstemp_full (temporary, O_RDWR, 0666);
  if (descriptor < 0)
    {
      g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_FILE, _("The folder “%s” cannot be written to: %s"),
                   folder, g_strerror (errno));
      return FALSE;
    }
  g_close (descriptor, NULL);
  if (!savers[suffix])
    good = write_png (saving, temporary, error);
  else if (strcmp (savers[suffix], JPEG) == 0)
    good = write_jpeg (saving, temporary, error);
  else
    good = write_by_gegl (saving, temporary, savers[suffix], error);
  good = good && check_written (temporary, error);
  if (good && g_rename (temporary, path) != 0)
    {
      good = FALSE;
      g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_FILE,
                   _("The file cannot be replaced: %s"), g_strerror (errno));
    }
  if (!good)
    g_unlink (temporary);
  return good;
}

static gboolean
save (Saving *saving, GError **error)
{
  g_autofree char *path = g_file_get_path (saving->file);

  if (!path)
    return fail (error, _("Only files on this computer can be written"));
  if (capra_graph_is_empty (saving->graph))
    return fail (error, _("Nothing is left of the image"));
  saving->bounds = capra_graph_get_bounds (saving->graph);
  return write_file (saving, path, error);
}

gboolean
capra_save_graph (GFile *file, CapraGraph *graph, GPtrArray *steps, int bits,
                  CapraSaveProgress *progress, GCancellable *cancellable, GError **error)
{
  Saving saving = { .file = file, .steps = steps, .bits = bits, .progress = progress, .graph = graph,
                    .cancellable = cancellable };

  return save (&saving, error);
}

gboolean
capra_save (GFile *file, GeglBuffer *image, GPtrArray *steps, int bits,
            CapraSaveProgress *progress, GCancellable *cancellable, GError **error)
{
  g_autoptr(CapraGraph) graph = capra_graph_new (image, 1.0, FALSE);

  capra_graph_update (graph, steps);
  return capra_save_graph (file, graph, steps, bits, progress, cancellable, error);
}

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_object_unref (saving->file);
  g_object_unref (saving->image);
  g_ptr_array_unref (saving->steps);
  g_free (saving);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* What operations have to say by a main loop stays here; the main thread's would say it while they work. */
  g_autoptr(GMainContext) context = g_main_context_new ();
  g_autoptr(GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Saving *saving = data;
  GError *error = NULL;

  if (capra_save (saving->file, saving->image, saving->steps, saving->bits, saving->progress, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
capra_save_async (GFile *file, GeglBuffer *image, GPtrArray *steps, int bits,
                  CapraSaveProgress *progress, GCancellable *cancellable,
                  GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, data);
  Saving *saving = g_new0 (Saving, 1);

  saving->file = g_object_ref (file);
  saving->image = g_object_ref (image);
  saving->steps = g_ptr_array_ref (steps);
  saving->bits = bits;
  saving->progress = progress;
  g_task_set_task_data (task, saving, saving_free);
  g_task_run_in_thread (task, run);
}

gboolean
capra_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
