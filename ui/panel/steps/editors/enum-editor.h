/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Enum-editor: one value of an enumeration. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_ENUM_EDITOR (capra_enum_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraEnumEditor, capra_enum_editor, CAPRA, ENUM_EDITOR, CapraEditor)

G_END_DECLS
