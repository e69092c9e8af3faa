/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile-pane: the length of a line over an image, and the values of the result along it. */
#pragma once

#include "ui/panel/preview/line-tool.h"

G_BEGIN_DECLS

/**
 * CapraProfilePane:
 *
 * Is visible while its tool is active.
 *
 * Properties: "tool" (CapraLineTool): set it once; "text" (string, read-only): the numbers of the line.
 * Signal "failed" (string): a file could not be written.
 */
#define CAPRA_TYPE_PROFILE_PANE (capra_profile_pane_get_type ())
G_DECLARE_FINAL_TYPE (CapraProfilePane, capra_profile_pane, CAPRA, PROFILE_PANE, GtkBox)

/* @preview: (nullable): of the result, whose values are shown; @image: (nullable): its size in the real world;
 * @file: (nullable): where the image is from */
void capra_profile_pane_set_image (CapraProfilePane *pane, CapraPreview *preview, GeglBuffer *image, GFile *file);

/* (transfer full) (nullable): what is copied and saved; %NULL until values are known. */
CapraTable *capra_profile_pane_get_table (CapraProfilePane *pane);

G_END_DECLS
