/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of operations (plugin/operations/operations.ini), for tests over all of them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The names of all operations, with "capra:" (g_ptr_array_unref). */
GPtrArray *operations_list (void);

/* The values of the rows with @key, in the order of the table (g_ptr_array_unref). */
GPtrArray *operations_get (const char *key);

/* The value of @operation's first row with @key; NULL without one. */
const char *operations_get_value (const char *operation, const char *key);

/* Chains of operations that together run every operation and its variants: the rows with the keys prepare and chain. */
GPtrArray *operations_get_chains (void);

/* A name for the test of @chain, @prefix before it: without quotes, which TAP's readers do not take (g_free). */
char *operations_test_path (const char *prefix, const char *chain);

G_END_DECLS
