/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The way from an operation's properties to its type: gegl-op.h, with types of our own.
 *
 * gegl-op.h names a type after its file or, in later versions, its operation, and GEGL has a gaussian-blur,
 * too. So the type is defined here, under names with "capra". A file that includes this defines GEGL_OP_NAME,
 * GEGL_OP_C_FILE and, unless its parent is CapraOperation, CAPRA_OP_Parent and CAPRA_OP_PARENT. */
#include "plugin/operation.h"

#ifndef CAPRA_OP_Parent
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
