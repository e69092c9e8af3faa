/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device row: the description of a device, with its actions. */
#pragma once

#include <adwaita.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraDeviceRow:
 *
 * Signals: "chosen" when the user selects it; "make-default" when the user asks to make it the default device.
 */
#define CAPRA_TYPE_DEVICE_ROW (capra_device_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraDeviceRow, capra_device_row, CAPRA, DEVICE_ROW, AdwExpanderRow)

/* @group: a radio button of the group to which the row is added. */
GtkWidget *capra_device_row_new (CapraDevice *device, GtkCheckButton *group);

CapraDevice *capra_device_row_get_device (CapraDeviceRow *row);
void capra_device_row_set_chosen (CapraDeviceRow *row, gboolean chosen);
void capra_device_row_set_default (CapraDeviceRow *row, gboolean is_default);
/* @message: (nullable): the error of the last failure, or NULL if the device works. */
void capra_device_row_set_failure (CapraDeviceRow *row, const char *message);

/* Arrow keys move from @radio to the others of its group, of which Tab reaches only the active one, and not to the rows
 * of the list around them. */
void capra_device_row_add_arrow_keys (GtkWidget *radio);

G_END_DECLS
