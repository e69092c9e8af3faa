/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forecast: the memory that a graph needs on devices, before it is computed. */
#include "ui/pipeline/graph/forecast.h"

#include <gegl-plugin.h>
#include <math.h>

#define KEY "capra:forecast" /* of the types of Capra's operations */

/* Of the type that Capra's module stores there. */
typedef guint64 (*ForecastFunc) (GeglOperation *operation, guint64 *largest);

static ForecastFunc
find_func (GeglOperation *operation)
{
  static GQuark quark;
  ForecastFunc func = NULL;

  if (quark == 0)
    quark = g_quark_from_static_string (KEY);
  for (GType type = G_OBJECT_TYPE (operation); type && !func; type = g_type_parent (type))
    func = (ForecastFunc) g_type_get_qdata (type, quark);
  return func;
}

/* How much of what the device has the operation of @node needs, as a share; 0 for operations that run on no device. */
static gboolean
find_share (GeglNode *node, CapraForecast *found, double *share, GError **error)
{
  GeglOperation *operation = gegl_node_get_gegl_operation (node);
  ForecastFunc func = operation ? find_func (operation) : NULL;
  g_autofree char *name = NULL;
  CapraMemory memory;
  guint64 largest = 0;

  *share = 0.0;
  found->bytes = func ? func (operation, &largest) : 0;
  if (found->bytes == 0)
    return TRUE;
  gegl_node_get (node, "device", &name, NULL);
  found->device = capra_device_select (name, error);
  if (!found->device)
    return FALSE;
  capra_memory_query (found->device, &memory);
  found->budget = memory.budget;
  *share = MAX ((double) found->bytes / (double) memory.budget,
                (double) largest / (double) capra_device_get_info (found->device)->max_allocation);
  found->at_once = *share <= 1.0;
  return TRUE;
}

static int
round_down (double size)
{
  int unit = size >= 1000 ? 100 : size >= 100 ? 10 : 1;

  return (int) MIN (size, G_MAXINT) / unit * unit;
}

gboolean
capra_forecast_find (GeglNode *graph, GeglNode *output, const GeglRectangle *image, CapraForecast *forecast,
                     GError **error)
{
  g_autoptr (GSList) nodes = gegl_node_get_children (graph);
  double most = 0.0;

  *forecast = (CapraForecast){ NULL };
  gegl_node_get_bounding_box (output); /* prepares the operations, which then know their formats */
  for (GSList *link = nodes; link; link = link->next)
    {
      CapraForecast found = { NULL };
      double share = 0.0;

      if (!find_share (link->data, &found, &share, error))
        return FALSE;
      if (share <= most)
        continue;
      most = share;
      *forecast = found;
    }
  if (most > 0.0) /* all that is needed is proportional to the number of pixels */
    {
      forecast->width = round_down (image->width / sqrt (most));
      forecast->height = round_down (image->height / sqrt (most));
    }
  return TRUE;
}
