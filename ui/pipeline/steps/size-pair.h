/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Size-pair: the properties of an operation that are sizes along x and y. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* (nullable): the other one of two sizes along x and y, such as "std-dev-y" for "std-dev-x". */
GParamSpec *capra_operation_find_other_size (const char *operation, GParamSpec *property);

G_END_DECLS
