/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Check record: what `capra check` has found on a device, kept for other programs. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * CapraCheckRecord:
 * @time: when the check ended, or when it began if it did not end, in seconds since 1970
 * @begun: when a later check began that has not ended, 0 if none; @time and the others are those of the check before it
 * @ended: whether it ended; a check that did not is running, was canceled, or its driver ended or hung the program; one
 *   in the background continues in the next process that uses the device
 * @full: whether all cases and variants were checked, not only the quick ones
 * @unreliable: whether kernels that most operations need are among those that differ or failed
 * @passed: the number of kernel families whose results are right
 * @differ: (array zero-terminated=1): the names of those whose results differ from the reference
 * @failed: (array zero-terminated=1): the names of those that reported an error
 * @count: the number of families of a check in the background, 0 of others
 * @done: (array zero-terminated=1): of a check in the background that has not ended, the names of all that were checked
 * @running: (array zero-terminated=1): of such a check, the name of the family that runs, once for each start of the
 *   system in which a process began with it and ended without a verdict
 * @boot: of such a check, names the start of the system that @running was last written in; empty if that is not known
 */
typedef struct {
  gint64 time, begun;
  gboolean ended, full, unreliable;
  guint passed, count;
  char **differ, **failed, **done, **running, *boot;
} CapraCheckRecord;

/**
 * capra_check_record_new:
 *
 * Returns: (transfer full): a record of a check that begins now, with nothing checked
 */
CAPRA_API
CapraCheckRecord *capra_check_record_new (gboolean full);

CAPRA_API
CapraCheckRecord *capra_check_record_copy (const CapraCheckRecord *record);

CAPRA_API
void capra_check_record_free (CapraCheckRecord *record);

/**
 * capra_check_record_load:
 *
 * A file that is damaged, or that another user can write to, is ignored.
 *
 * Returns: (transfer full) (nullable): the record of the last check of @device; %NULL if it was not checked with this
 *   driver, these kernels, quirks and this `CAPRA_TUNING`, or was tuned since
 */
CAPRA_API
CapraCheckRecord *capra_check_record_load (CapraDevice *device);

/**
 * capra_check_record_save:
 *
 * Replaces the record of @device, a file in the user's cache folder. If @record has not ended, and the one before has,
 * that stays, with the new check as @begun.
 *
 * Returns: %FALSE with @error set if it cannot be written
 */
CAPRA_API
gboolean capra_check_record_save (CapraDevice *device, const CapraCheckRecord *record, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraCheckRecord, capra_check_record_free)

G_END_DECLS
