/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra bench --devices: several devices in turn, at the same time, and together on one volume. */
#pragma once

#include <glib.h>

/**
 * bench_devices:
 * @names: two devices or more, separated by commas, or "all"
 * @size: width and height of the volume in pixels
 * @repeats: timed runs of each case
 * @as_json: prints JSON instead of a table
 *
 * Blurs a volume of ten planes, with upload and download, with several sigmas, and prints the times.
 */
gboolean bench_devices (const char *names, int size, int repeats, gboolean as_json, GError **error);
