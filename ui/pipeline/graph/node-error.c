/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node error: the failure that a Capra operation publishes in its properties. */
#include "ui/pipeline/graph/node-error.h"

#include "runtime/base/error.h"

static gboolean
has_property (GeglNode *node, const char *name, GType type)
{
  GParamSpec *property = gegl_node_find_property (node, name);

  return property && G_PARAM_SPEC_VALUE_TYPE (property) == type;
}

CapraStepError *
capra_node_get_error (GeglNode *node)
{
  g_autofree char *message = NULL, *device = NULL;
  CapraStepError *error = NULL;
  int code = -1;

  if (!has_property (node, "error", G_TYPE_STRING))
    return NULL;
  gegl_node_get (node, "error", &message, NULL);
  if (!message || !*message)
    return NULL;
  if (has_property (node, "error-code", G_TYPE_INT) && has_property (node, "error-device", G_TYPE_STRING))
    gegl_node_get (node, "error-code", &code, "error-device", &device, NULL);

  error = g_new0 (CapraStepError, 1);
  error->message = g_steal_pointer (&message);
  error->needs_labels = code == CAPRA_ERROR_LABELS;
  if (capra_error_is_device_failure (code) && device && *device)
    error->device = g_steal_pointer (&device);
  return error;
}
