/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Defines an operation from its list of properties, as gegl-op.h does, with a type name of its own.
 *
 * gegl-op.h names a type after its file or, in later versions, its operation, and GEGL has a gaussian-blur, too. So the
 * type is defined here, with "capra" in its name.
 *
 * A file defines GEGL_OP_NAME, GEGL_OP_C_FILE and, if its parent is not CapraOperation, CAPRA_OP_AREA_FILTER,
 * CAPRA_OP_IMAGE_SOURCE or CAPRA_OP_SINK; includes this; and has a function class_init (GeglOpClass *), which sets
 * methods and keys. The properties device, error and failed, and GIMP's menu, are added here. */
#include <glib/gi18n-lib.h>

#include "plugin/area-filter.h"
#include "plugin/image-source.h"
#include "plugin/start.h"

#if defined(CAPRA_OP_AREA_FILTER)
#define CAPRA_OP_Parent CapraAreaFilter
#define CAPRA_OP_PARENT CAPRA_TYPE_AREA_FILTER
#elif defined(CAPRA_OP_IMAGE_SOURCE)
#define CAPRA_OP_Parent CapraImageSource
#define CAPRA_OP_PARENT CAPRA_TYPE_IMAGE_SOURCE
#elif defined(CAPRA_OP_SINK)
#define CAPRA_OP_Parent GeglOperationSink
#define CAPRA_OP_PARENT GEGL_TYPE_OPERATION_SINK
#else
#define CAPRA_OP_Parent CapraOperation
#define CAPRA_OP_PARENT CAPRA_TYPE_OPERATION
#endif

#define CAPRA_OP_CLASS_(name) name##Class
#define CAPRA_OP_CLASS(name) CAPRA_OP_CLASS_ (name)

struct _GeglOp {
  CAPRA_OP_Parent parent_instance;
  gpointer properties;
};

typedef struct {
  CAPRA_OP_CLASS (CAPRA_OP_Parent) parent_class;
} GeglOpClass;

#define GEGL_OP_CUSTOM
#define GEGL_OP_BUNDLE
#include "gegl-op.h"

#define CAPRA_OP_DEFINE_(name, file) \
  GType capra_op_##name##_get_type (void); \
  void capra_op_##name##_register_type (GTypeModule *module); \
  GEGL_DEFINE_DYNAMIC_OPERATION_EXTENDED ("capra-" file, GeglOp, capra_op_##name, CAPRA_OP_PARENT, 0, {}) \
  static void capra_op_##name##_init (GeglOp *self) { gegl_op_init_properties (self); } \
  static void capra_op_##name##_class_finalize (GeglOpClass *klass) {}
#define CAPRA_OP_DEFINE(name, file) CAPRA_OP_DEFINE_ (name, file)
CAPRA_OP_DEFINE (GEGL_OP_NAME, GEGL_OP_C_FILE)

static void class_init (GeglOpClass *klass);

/* Called by gegl-op.h once the properties of the list are installed. */
static void
gegl_op_class_init (GeglOpClass *klass)
{
  capra_properties_install (GEGL_OPERATION_CLASS (klass));
  class_init (klass);
  capra_operation_class_set_menu (GEGL_OPERATION_CLASS (klass));
  capra_start_install (GEGL_OPERATION_CLASS (klass));
}
