/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Quarantine: the markers around the first use of kernels, and what was set aside when this process began to use a
 * device. Not installed. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_USE_KNOWN,   /* used before on this driver, or no marker can be written */
  CAPRA_USE_FIRST,   /* marked: capra_quarantine_end() removes the marker */
  CAPRA_USE_REFUSED, /* in quarantine */
} CapraUse;

/* A kernel of a file, which is built with these options. */
typedef struct {
  const char *file, *name, *options;
} CapraQuarantineKernel;

/* Before @kernel is built and launched by this process for the first time. */
CapraUse capra_quarantine_begin (CapraDevice *device, const CapraQuarantineKernel *kernel);

/* After the launch; @ran: it was completed, and the kernel needs no marker any more. */
void capra_quarantine_end (CapraDevice *device, const CapraQuarantineKernel *kernel, gboolean ran);

/* Whether anything is set aside on @device. */
gboolean capra_quarantine_is_used (CapraDevice *device);

/* Whether @variant, such as "taps.variant=group", or a kernel of a file that matches one of @patterns (nullable) is set
 * aside. */
gboolean capra_quarantine_has (CapraDevice *device, const char *variant, const char *const *patterns);

/* Writes to the log what is set aside on @device. */
void capra_quarantine_report (CapraDevice *device);

G_END_DECLS
