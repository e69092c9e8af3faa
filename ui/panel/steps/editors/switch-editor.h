/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Switch-editor: a boolean. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_SWITCH_EDITOR (capra_switch_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraSwitchEditor, capra_switch_editor, CAPRA, SWITCH_EDITOR, CapraEditor)

G_END_DECLS
