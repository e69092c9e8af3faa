/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The file of a check record, for tests. Not installed. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/* (transfer full): the path of the file of @device. */
char *capra_check_record_path (CapraDevice *device);

G_END_DECLS
