/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preset-popover: loads, removes and saves presets. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraPresetPopover:
 *
 * Properties: "model" (CapraStepModel): the steps that are saved, and replaced by a preset.
 * Signal "failed" (string): an error message.
 */
#define CAPRA_TYPE_PRESET_POPOVER (capra_preset_popover_get_type ())
G_DECLARE_FINAL_TYPE (CapraPresetPopover, capra_preset_popover, CAPRA, PRESET_POPOVER, GtkPopover)

G_END_DECLS
