/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets aside the variant of a family that is wrong, if another one is right. */
#pragma once

#include "ui/cli/check/check-worker.h"

G_BEGIN_DECLS

/* After a job without variant did not pass: tries the other values of the tunings that its family is checked with, one
 * at a time. The value in use is set aside for one with which the family passes, and the message of @result says so.
 * @selection, @full, @limit: as for check_worker_new(). */
void check_set_aside (CapraDevice *device, const char *selection, gboolean full, guint limit, const CheckJob *job,
                      guint number, CheckResult *result);

G_END_DECLS
