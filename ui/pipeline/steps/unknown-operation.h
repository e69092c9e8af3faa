/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unknown-operation: what to say of an operation that GEGL does not have. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full): names the operation, and one that may be meant, or the cause. A program adds how it
 * lists those that exist. */
char *capra_operation_describe_unknown (const char *operation);
/* (transfer full): the names of the properties that can be set, separated by commas. */
char *capra_operation_list_properties (const char *operation);

G_END_DECLS
