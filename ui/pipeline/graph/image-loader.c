/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-loader: nodes that load an image, such as gegl:load, with errors if it cannot be read. */
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

/* Whether gegl:load leaves the file to ImageMagick. GEGL does not notice if that fails, and reads the temporary file of
 * an earlier image instead. */
static gboolean
uses_magick (GeglNode *node, const char *path)
{
  g_autofree char *name = g_path_get_basename (path), *warning = NULL;
  const char *ending = strrchr (name, '.'), *loader = NULL;

  if (!g_str_equal (gegl_node_get_operation (node), "gegl:load") || !ending)
    return FALSE;
  capra_log_catcher_begin (FALSE);
  loader = gegl_operation_handlers_get_loader (ending);
  warning = capra_log_catcher_end ();
  return g_strcmp0 (loader, "gegl:magick-load") == 0;
}

static gboolean
replace_by_image (GeglNode *node, const char *path, gboolean raw, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (CapraImage) image = raw ? capra_raw_values_load (file, error) : capra_image_load (file, error);

  if (!image)
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  if (image->warning)
    g_warning ("%s: %s", path, image->warning);
  gegl_node_set (node, "operation", "gegl:buffer-source", "buffer", image->buffer, NULL);
  return TRUE;
}

/* Reads the image if it does not depend on other properties of @node than the path (@plain), or if @raw values are
 * needed, for which they are ignored. */
static gboolean
load (GeglNode *node, const char *path, gboolean plain, gboolean raw, gboolean *replaced, GError **error)
{
  int descriptor = capra_open_regular (path, error); /* GEGL would block on a pipe */

  *replaced = FALSE;
  if (descriptor < 0)
    return FALSE;
  close (descriptor);
  if (!raw && (!plain || !(capra_image_reads (gegl_node_get_operation (node), path) || uses_magick (node, path))))
    return TRUE;
  *replaced = replace_by_image (node, path, raw, error);
  return *replaced;
}

gboolean
capra_image_loader_set_step (GeglNode *node, CapraStep *step, gboolean raw, gboolean *replaced, GError **error)
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
  return !path || !*path || load (node, path, plain, raw, replaced, error);
}

/* If gegl:load finds no loader, it renders the error message with a child node. */
static char *
find_text (GeglNode *node)
{
  g_autoptr (GSList) children = gegl_node_get_children (node);
  char *text = NULL;

  for (GSList *item = children; item && !text; item = item->next)
    if (gegl_node_find_property (item->data, "string"))
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
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Cannot read %s: %s"),
               path && *path ? path : gegl_node_get_operation (node),
               warning ? warning
               : text  ? text
                       : _ ("it contains no image"));
  return FALSE;
}

gboolean
capra_image_loader_replace (GeglNode *node, gboolean raw, GError **error)
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
  if (path && *path && !load (node, path, plain, raw, &replaced, error))
    return FALSE;
  return replaced || capra_image_loader_check (node, error);
}
