/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor-factory: creates the editor that fits the type of a property. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

CapraEditor *capra_editor_new_for_property (GParamSpec *property);

G_END_DECLS
