/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Parallel: threads for the work of several devices. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef gboolean (*CapraParallelFunc) (guint index, gpointer data, GError **error);

/* Calls @func for the numbers below @n, each in a thread of its own, whose commands belong to the timeline scope of
 * this thread. Sets the error of the first that fails. */
gboolean capra_parallel_run (guint n, CapraParallelFunc func, gpointer data, GError **error);

G_END_DECLS
