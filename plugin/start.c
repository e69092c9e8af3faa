/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Start: wraps the prepare() of operations. */
#include "plugin/start.h"

#include "plugin/buffers/first-result.h"
#include "plugin/properties.h"
#include "runtime/device/device-start.h"
#include "runtime/device/recent-device.h"

/* The class's own prepare(). */
typedef struct {
  void (*prepare) (GeglOperation *operation);
} OwnMethods;

static GQuark
methods_quark (void)
{
  return g_quark_from_static_string ("capra-own-methods");
}

/* Setting a property prepares an operation, too, in any program: only one with an image is going to be computed. */
static gboolean
has_image (GeglOperation *operation)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");

  return extent && !gegl_rectangle_is_empty (extent);
}

static void
prepare (GeglOperation *operation)
{
  const OwnMethods *methods = g_type_get_qdata (G_OBJECT_TYPE (operation), methods_quark ());
  g_autofree char *device = capra_properties_dup_device (operation);

  if (has_image (operation))
    {
      capra_first_result_expect ();
      capra_device_start (device);
      capra_recent_device_record (device);
    }
  if (methods->prepare)
    methods->prepare (operation);
}

void
capra_start_install (GeglOperationClass *klass)
{
  OwnMethods *methods = g_new (OwnMethods, 1);

  /* Never freed, like the type. */
  *methods = (OwnMethods){ klass->prepare };
  g_type_set_qdata (G_TYPE_FROM_CLASS (klass), methods_quark (), methods);
  klass->prepare = prepare;
}
