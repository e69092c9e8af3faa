/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-gegl: writes with a saver operation of GEGL.
 *
 * Savers ignore disk errors, and some write to their own temporary file beside the given path. So they write to a file
 * in memory, which is checked and copied. */
#define _GNU_SOURCE /* memfd_create */
#include "ui/pipeline/write/save-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/error.h"

#define COPY_BYTES (1u << 20)

static gboolean
fail (GError **error, const char *reason)
{
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Cannot write the file: %s"), reason);
  return FALSE;
}

/* Runs the saver. (nullable): its warning. */
static char *
run_saver (CapraSaving *saving, const char *path)
{
  GeglNode *root = capra_graph_get_root (saving->graph);
  GeglNode *sink = gegl_node_new_child (root, "operation", saving->operation, "path", path, NULL);
  g_autoptr (GeglProcessor) processor = NULL;
  gboolean canceled = FALSE;
  double fraction = 0.0;
  char *warning;

  gegl_node_link (capra_graph_get_output (saving->graph), sink);
  processor = gegl_node_new_processor (sink, &saving->bounds);
  capra_log_catcher_begin (FALSE);
  while (!canceled && gegl_processor_work (processor, &fraction))
    {
      capra_saving_set_progress (saving, fraction);
      canceled = g_cancellable_is_cancelled (saving->cancellable);
    }
  warning = capra_log_catcher_end ();
  g_clear_object (&processor);
  gegl_node_remove_child (root, sink);
  return warning;
}

/* Whether the loader for the format reads an image of the right size from @path. */
static gboolean
check_size (CapraSaving *saving, const char *path, GError **error)
{
  g_autofree char *loader = g_strconcat (saving->operation, NULL);
  char *end = strstr (loader, "-save");
  g_autoptr (GeglNode) root = gegl_node_new ();
  GeglRectangle bounds;

  if (end)
    strcpy (end, "-load");
  if (!gegl_has_operation (loader))
    return TRUE;
  bounds = gegl_node_get_bounding_box (gegl_node_new_child (root, "operation", loader, "path", path, NULL));
  return (bounds.width == saving->bounds.width && bounds.height == saving->bounds.height)
         || fail (error, _ ("the encoder failed"));
}

static gboolean
copy (int from, CapraOutputFile *file, GError **error)
{
  g_autofree guint8 *bytes = g_malloc (COPY_BYTES);
  gssize length;

  if (lseek (from, 0, SEEK_SET) != 0)
    return fail (error, g_strerror (errno));
  while ((length = read (from, bytes, COPY_BYTES)) != 0)
    {
      if (length < 0 && errno == EINTR)
        continue;
      if (length < 0)
        return fail (error, g_strerror (errno));
      if (!capra_output_file_write (file, bytes, (gsize) length, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_write_by_gegl (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  int descriptor = memfd_create ("capra-output", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", descriptor), *warning = NULL;
  gboolean good;

  if (descriptor < 0)
    return fail (error, g_strerror (errno));
  warning = run_saver (saving, path);
  good = !g_cancellable_set_error_if_cancelled (saving->cancellable, error) && capra_graph_check (saving->graph, error)
         && (!warning || fail (error, warning)) && check_size (saving, path, error) && copy (descriptor, file, error);
  g_close (descriptor, NULL);
  return good;
}
