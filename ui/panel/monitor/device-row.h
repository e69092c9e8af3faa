/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device row: one device, its data, and what can be done with it. */
#pragma once

#include <adwaita.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraDeviceRow:
 *
 * Signals: "chosen", when the person picks it; "make-default", when it is to be every program's default.
 */
#define CAPRA_TYPE_DEVICE_ROW (capra_device_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraDeviceRow, capra_device_row, CAPRA, DEVICE_ROW, AdwExpanderRow)

/* @group: the radio button that it is one of a group with. */
GtkWidget *capra_device_row_new (CapraDevice *device, GtkCheckButton *group);

CapraDevice *capra_device_row_get_device (CapraDeviceRow *row);
void capra_device_row_set_chosen (CapraDeviceRow *row, gboolean chosen);
void capra_device_row_set_default (CapraDeviceRow *row, gboolean is_default);
/* @message: (nullable): what went wrong on it; NULL when it works. */
void capra_device_row_set_failure (CapraDeviceRow *row, const char *message);

G_END_DECLS
