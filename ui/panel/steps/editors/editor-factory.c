/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor-factory: creates the editor that fits the type of a property. */
#include "ui/panel/steps/editors/editor-factory.h"

#include <gegl-paramspecs.h>
#include <string.h>

#include "ui/panel/steps/editors/color-editor.h"
#include "ui/panel/steps/editors/curve-editor.h"
#include "ui/panel/steps/editors/device-editor.h"
#include "ui/panel/steps/editors/enum-editor.h"
#include "ui/panel/steps/editors/file-editor.h"
#include "ui/panel/steps/editors/multiline-editor.h"
#include "ui/panel/steps/editors/number-editor.h"
#include "ui/panel/steps/editors/seed-editor.h"
#include "ui/panel/steps/editors/switch-editor.h"
#include "ui/panel/steps/editors/text-editor.h"
#include "ui/panel/steps/editors/unsupported-editor.h"

static GType
get_text_type (GParamSpec *property)
{
  gboolean multiline = g_strcmp0 (gegl_param_spec_get_property_key (property, "multiline"), "true") == 0;

  return multiline ? CAPRA_TYPE_MULTILINE_EDITOR : CAPRA_TYPE_TEXT_EDITOR;
}

static GType
get_object_type (GParamSpec *property)
{
  GType type = G_PARAM_SPEC_VALUE_TYPE (property);

  if (g_type_is_a (type, GEGL_TYPE_COLOR))
    return CAPRA_TYPE_COLOR_EDITOR;
  if (g_type_is_a (type, GEGL_TYPE_CURVE))
    return CAPRA_TYPE_CURVE_EDITOR;
  if (g_type_is_a (type, GEGL_TYPE_PATH))
    return get_text_type (property);
  return CAPRA_TYPE_UNSUPPORTED_EDITOR;
}

static GType
get_editor_type (GParamSpec *property)
{
  if (GEGL_IS_PARAM_SPEC_SEED (property))
    return CAPRA_TYPE_SEED_EDITOR;
  if (G_IS_PARAM_SPEC_DOUBLE (property) || G_IS_PARAM_SPEC_INT (property) || G_IS_PARAM_SPEC_UINT (property))
    return CAPRA_TYPE_NUMBER_EDITOR;
  if (G_IS_PARAM_SPEC_BOOLEAN (property))
    return CAPRA_TYPE_SWITCH_EDITOR;
  if (G_IS_PARAM_SPEC_ENUM (property))
    return CAPRA_TYPE_ENUM_EDITOR;
  if (GEGL_IS_PARAM_SPEC_FILE_PATH (property))
    return CAPRA_TYPE_FILE_EDITOR;
  if (G_IS_PARAM_SPEC_STRING (property) && strcmp (property->name, "device") == 0)
    return CAPRA_TYPE_DEVICE_EDITOR;
  if (G_IS_PARAM_SPEC_STRING (property) || G_IS_PARAM_SPEC_POINTER (property))
    return get_text_type (property);
  if (g_type_is_a (G_PARAM_SPEC_VALUE_TYPE (property), G_TYPE_OBJECT))
    return get_object_type (property);
  return CAPRA_TYPE_UNSUPPORTED_EDITOR;
}

CapraEditor *
capra_editor_new_for_property (GParamSpec *property)
{
  return g_object_new (get_editor_type (property), "property", property, NULL);
}
