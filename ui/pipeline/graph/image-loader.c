/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loader: nodes that load an image, such as gegl:load, made to fail where it cannot be read. */
#include "ui/pipeline/graph/image-loader.h"

#include <glib/gi18n-lib.h>
#include <gegl-plugin.h>
#include <string.h>
#include <unistd.h>

#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/regular-file.h"
#include "ui/pipeline/error.h"

#define PATH "path"

gboolean
capra_image_loader_is (GeglNode *node)
{
  GParamSpec *property = gegl_node_find_property (node, PATH);

  return property && GEGL_IS_PARAM_SPEC_FILE_PATH (property) && !gegl_node_has_pad (node, "input");
}

/* The image that all of @node's properties but the path leave to the file; @plain: whether they do. @data: its numbers
 * as they are, whatever they do. */
static gboolean
load (GeglNode *node, const char *path, gboolean plain, gboolean data, gboolean *replaced, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (CapraImage) image = NULL;
  int descriptor = capra_open_regular (path, error); /* GEGL would wait for a pipe */

  *replaced = FALSE;
  if (descriptor < 0)
    return FALSE;
  close (descriptor);
  if (!data && (!plain || !capra_image_reads (gegl_node_get_operation (node), path)))
    return TRUE;
  image = data ? capra_raw_values_load (file, error) : capra_image_load (file, error);
  if (!image)
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  if (image->warning)
    g_warning ("%s: %s", path, image->warning);
  gegl_node_set (node, "operation", "gegl:buffer-source", "buffer", image->buffer, NULL);
  *replaced = TRUE;
  return TRUE;
}

gboolean
capra_image_loader_set_step (GeglNode *node, CapraStep *step, gboolean data, gboolean *replaced, GError **error)
{
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (capra_step_get_operation (step), &count);
  g_autofree char *path = NULL;
  gboolean plain = TRUE;

  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if (strcmp (list[i]->name, PATH) != 0)
        plain &= capra_step_is_default (step, list[i]);
      else
        {
          capra_step_get (step, list[i], &value);
          path = g_value_dup_string (&value);
        }
    }
  *replaced = FALSE;
  return !path || !*path || load (node, path, plain, data, replaced, error);
}

/* Where it finds no loader, gegl:load makes a text of the reason. */
static char *
find_text (GeglNode *node)
{
  g_autoptr (GSList) children = gegl_node_get_children (node);
  char *text = NULL;

  for (GSList *item = children; item && !text; item = item->next)
    if (g_strcmp0 (gegl_node_get_operation (item->data), "gegl:text") == 0)
      gegl_node_get (item->data, "string", &text, NULL);
  return text;
}

gboolean
capra_image_loader_check (GeglNode *node, GError **error)
{
  g_autofree char *path = NULL, *text = find_text (node), *warning = NULL;
  GeglRectangle bounds;

  gegl_node_get (node, PATH, &path, NULL);
  capra_log_catcher_begin (FALSE);
  bounds = gegl_node_get_bounding_box (node);
  warning = capra_log_catcher_end ();
  if (!text && !warning && bounds.width > 0 && bounds.height > 0)
    return TRUE;
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("%s: The file cannot be read: %s"),
               path && *path ? path : gegl_node_get_operation (node),
               warning ? warning
               : text  ? text
                       : _ ("there is no image in it"));
  return FALSE;
}

gboolean
capra_image_loader_replace (GeglNode *node, gboolean data, GError **error)
{
  guint count;
  g_autofree GParamSpec **list = gegl_operation_list_properties (gegl_node_get_operation (node), &count);
  g_autofree char *path = NULL;
  gboolean plain = TRUE, replaced = FALSE;

  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      gegl_node_get_property (node, list[i]->name, &value);
      if (strcmp (list[i]->name, PATH) == 0)
        path = g_value_dup_string (&value);
      else
        plain &= g_param_value_defaults (list[i], &value);
    }
  if (path && *path && !load (node, path, plain, data, &replaced, error))
    return FALSE;
  return replaced || capra_image_loader_check (node, error);
}
