/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The file of a check record. Not installed. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/* (transfer full): the path of the file of @device. */
char *capra_check_record_path (CapraDevice *device);

/* Removes the record of @device, whose kernels have changed. */
void capra_check_record_remove (CapraDevice *device);

G_END_DECLS
