/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Run: on which devices a job is done, and in how many parts. */
#pragma once

#include "plugin/compute/job.h"

G_BEGIN_DECLS

typedef gboolean (*CapraJobFunc) (CapraJob *job, GError **error);

/**
 * capra_dispatch:
 * @func: does the job's region, or a part of it, on the job's device; may run in several threads
 *
 * Runs @func on the device that the operation's property names. Where that device's memory does not
 * suffice, what can be evicted is, then the region is done in parts, if the job is divisible; while one part is
 * computed, the next one comes and the one before goes to the host. Where the choice is left to us and the
 * device fails, the next one is tried, and the log says so. With the name "all", a divisible job is split over
 * all devices, if that is faster than the fastest alone.
 */
gboolean capra_dispatch (CapraJob *job, CapraJobFunc func, GError **error);

G_END_DECLS
