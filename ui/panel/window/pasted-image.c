/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pasted-image: reads the image in the clipboard as the file that it offers, since a texture has 8 bits before
 * GTK 4.10; as a texture in other formats than the lossless ones. */
#define _GNU_SOURCE /* for memfd_create */
#include "ui/panel/window/pasted-image.h"

#include <gio/gunixoutputstream.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ui/pipeline/read/image-file.h"

static const char *const types[] = { "image/png", "image/tiff", NULL };

static gboolean
is_opaque (GeglBuffer *buffer)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (buffer);
  g_autofree float *row = g_new (float, 4 * (gsize) extent->width);

  for (int y = 0; y < extent->height; y++)
    {
      const GeglRectangle part = { extent->x, extent->y + y, extent->width, 1 };

      gegl_buffer_get (buffer, &part, 1.0, babl_format ("R'G'B'A float"), row, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (int x = 0; x < extent->width; x++)
        if (row[4 * x + 3] < 1.0f)
          return FALSE;
    }
  return TRUE;
}

/* Programs offer images with alpha even if all pixels are opaque. (transfer full) */
static GeglBuffer *
drop_alpha (GeglBuffer *image)
{
  const Babl *format = gegl_buffer_get_format (image), *type = babl_format_get_type (format, 0), *opaque;
  g_autofree char *name = g_strdup_printf ("%s %s", babl_format_get_n_components (format) > 2 ? "R'G'B'" : "Y'",
                                           babl_get_name (type));
  GeglBuffer *copy;

  if (!babl_format_has_alpha (format) || (type != babl_type ("u8") && type != babl_type ("u16")) || !is_opaque (image))
    return g_object_ref (image);
  opaque = babl_format_with_space (name, babl_format_get_space (format));
  copy = gegl_buffer_new (gegl_buffer_get_extent (image), opaque);
  gegl_buffer_copy (image, NULL, GEGL_ABYSS_NONE, copy, NULL);
  return copy;
}

static GeglBuffer *
read_texture (GdkTexture *texture)
{
  GeglRectangle extent = { 0, 0, gdk_texture_get_width (texture), gdk_texture_get_height (texture) };
  gsize row = (gsize) extent.width * 4;
  g_autofree guchar *pixels = g_malloc (row * (gsize) extent.height);
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, babl_format ("R'G'B'A u8"));

  gdk_texture_download (texture, pixels, row);
  gegl_buffer_set (buffer, &extent, 0, babl_format ("cairo-ARGB32"), pixels, GEGL_AUTO_ROWSTRIDE);
  return drop_alpha (buffer);
}

static void
on_texture (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (GdkTexture) texture = gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (clipboard), result, &error);

  if (texture)
    g_task_return_pointer (task, read_texture (texture), g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
load (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", g_unix_output_stream_get_fd (data));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GError *error = NULL;
  g_autoptr (CapraImage) image = capra_image_load (file, &error);

  if (image)
    g_task_return_pointer (task, drop_alpha (image->buffer), g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
on_copied (GObject *memory, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (g_output_stream_splice_finish (G_OUTPUT_STREAM (memory), result, &error) < 0)
    g_task_return_error (task, error);
  else
    g_task_run_in_thread (task, load);
}

static void
on_stream (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GInputStream) stream = gdk_clipboard_read_finish (GDK_CLIPBOARD (clipboard), result, NULL, NULL);
  int descriptor = stream ? memfd_create ("capra-pasted", MFD_CLOEXEC) : -1;
  GOutputStream *memory = NULL;

  if (descriptor < 0)
    {
      gdk_clipboard_read_texture_async (GDK_CLIPBOARD (clipboard), NULL, on_texture, g_steal_pointer (&task));
      return;
    }
  memory = g_unix_output_stream_new (descriptor, TRUE);
  g_task_set_task_data (task, memory, g_object_unref);
  g_output_stream_splice_async (memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE, G_PRIORITY_DEFAULT, NULL,
                                on_copied, g_steal_pointer (&task));
}

void
capra_pasted_image_read_async (GdkClipboard *clipboard, GAsyncReadyCallback callback, gpointer data)
{
  GTask *task = g_task_new (clipboard, NULL, callback, data);

  gdk_clipboard_read_async (clipboard, (const char **) types, G_PRIORITY_DEFAULT, NULL, on_stream, task);
}

GeglBuffer *
capra_pasted_image_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
