/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Dispatch: chooses the devices of a job, runs it there, and collects the results. */
#pragma once

#include "plugin/compute/job.h"

G_BEGIN_DECLS

/**
 * capra_dispatch:
 * @job: its tiles or its output are set on success; its device is the one that failed on failure, %NULL if no device
 * was found
 * @func: computes the job's region, or a band of it, on the job's device; may be called in several threads at once
 *
 * Runs @func on the device that the operation's property `device` or the user's default names. Each device computes its
 * rows with capra_share_compute() (out-of-memory.h), in bands if memory is short. If Capra chose the device itself and
 * it fails, the next device is tried (fallback.h), with a warning in the log. With "auto", the job begins with the
 * device that finishes first (auto-device.h). With "all" or a list of devices, the rows are split over these
 * (device-split.c), and each replaces another one that fails. Jobs that are not divisible are split if they can compute
 * in bands: they depend on the whole image, and read a part of it on each device (whole-bands.h).
 */
gboolean capra_dispatch (CapraJob *job, CapraJobFunc func, GError **error);

G_END_DECLS
