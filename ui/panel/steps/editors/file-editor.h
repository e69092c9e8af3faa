/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-editor: the path of a file, to enter, choose or drop. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_FILE_EDITOR (capra_file_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraFileEditor, capra_file_editor, CAPRA, FILE_EDITOR, CapraEditor)

G_END_DECLS
