/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seed-editor: the seed of a random number generator, and a button for another one. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_SEED_EDITOR (capra_seed_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraSeedEditor, capra_seed_editor, CAPRA, SEED_EDITOR, CapraEditor)

G_END_DECLS
