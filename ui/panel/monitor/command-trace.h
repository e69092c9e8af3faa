/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run: the transfers and kernels of one go of a graph, as the overlay and the strip show them. */
#pragma once

#include <glib-object.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraRunItem:
 * @name: "upload", "download", "copy", "fill" or the kernel's name
 * @device: counted from 0 within the run
 * @start: milliseconds after the device's first command of the run was enqueued; likewise @end
 */
typedef struct {
  const char *name;
  guint device;
  guint64 bytes;
  double start, end;
} CapraRunItem;

/**
 * CapraRunBar:
 * @time: of all items of that name, in milliseconds
 *
 * One name's share of a run.
 */
typedef struct {
  const char *name;
  guint count;
  guint64 bytes;
  double time;
} CapraRunBar;

/**
 * CapraRun:
 * @items: (element-type CapraRunItem)
 * @bars: (element-type CapraRunBar): pushes first, then kernels in the order of first use, pulls last
 * @devices: names of the devices
 * @span: from the first start to the last end
 * @wall: what the host's clock said that the run took; @span where nobody looked
 * @host: the time of @wall in which no device was at work
 */
typedef struct {
  GArray *items, *bars;
  GPtrArray *devices;
  double span, wall, host;
} CapraRun;

#define CAPRA_TYPE_RUN (capra_run_get_type ())
GType capra_run_get_type (void);

/**
 * capra_run_new:
 * @records: (element-type CapraRecord): of this process, as from capra_timeline_records()
 * @wall: milliseconds, 0 if not known
 */
CapraRun *capra_run_new (const GArray *records, double wall);

/**
 * capra_run_new_latest:
 * @process: any process
 *
 * Returns: (transfer full) (nullable): what it did last: its records after the last pause of more than
 *   a quarter of a second
 */
CapraRun *capra_run_new_latest (const CapraMonitorProcess *process);

CapraRun *capra_run_ref (CapraRun *run);
void capra_run_unref (CapraRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraRun, capra_run_unref)

G_END_DECLS
