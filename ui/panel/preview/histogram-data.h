/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins: counts of values of a pipeline's result, from a small picture of it, in a thread. */
#pragma once

#include <gio/gio.h>

#include "ui/panel/preview/pyramid.h"

G_BEGIN_DECLS

/**
 * CapraBins:
 * @counts: @channels times 256
 * @low: the least value; @high: the largest, at least 0 and 1
 */
typedef struct {
  guint64 *counts;
  guint channels;
  double low, high;
} CapraBins;

void capra_bins_free (CapraBins *bins);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraBins, capra_bins_free)

/**
 * capra_bins_count_async:
 * @steps: (element-type CapraStep): copies
 * @format: what to count in, floats, such as "Y float"
 */
void capra_bins_count_async (CapraPyramid *pyramid, GPtrArray *steps, const char *format, GAsyncReadyCallback callback,
                             gpointer data);
CapraBins *capra_bins_count_finish (GAsyncResult *result);

G_END_DECLS
