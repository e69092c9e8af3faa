/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device choice: for the reports of the timeline. */
#pragma once

#include <json-glib/json-glib.h>

#include "runtime/trace/device-choice.h"

G_BEGIN_DECLS

/* The last choice for each operation; %NULL if there was none. */
JsonArray *capra_device_choice_to_array (void);

G_END_DECLS
