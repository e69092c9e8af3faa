/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-editor: a curve to drag, and its points as text for exact values. */
#pragma once

#include "ui/panel/steps/editors/editor.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_CURVE_EDITOR (capra_curve_editor_get_type ())
G_DECLARE_FINAL_TYPE (CapraCurveEditor, capra_curve_editor, CAPRA, CURVE_EDITOR, CapraEditor)

G_END_DECLS
