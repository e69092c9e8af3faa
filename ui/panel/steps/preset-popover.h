/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preset-popover: the presets, to be taken, removed, and one to be kept. */
#pragma once

#include "ui/panel/steps/step-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraPresetPopover:
 *
 * Signal "failed" (string): something could not be done, and why.
 */
#define CAPRA_TYPE_PRESET_POPOVER (capra_preset_popover_get_type ())
G_DECLARE_FINAL_TYPE (CapraPresetPopover, capra_preset_popover, CAPRA, PRESET_POPOVER, GtkPopover)

GtkWidget *capra_preset_popover_new (CapraStepModel *pipeline);

G_END_DECLS
