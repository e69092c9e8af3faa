/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver: an installed OpenCL driver, with the verdict of its trial. Not installed. */
#pragma once

#include "runtime/drivers/driver-file.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_TRIAL_NONE,       /* not tried */
  CAPRA_TRIAL_WORKS,      /* for a driver: at least one of its devices does */
  CAPRA_TRIAL_EMPTY,      /* the driver has no devices */
  CAPRA_TRIAL_BUSY,       /* failed for a reason that may pass, such as a lack of memory: the device is used */
  CAPRA_TRIAL_UNFINISHED, /* ended, not by the driver's fault: used, unless it was refused before; what: the call */
  CAPRA_TRIAL_MISSING,    /* the library cannot be loaded; what: the linker's message */
  CAPRA_TRIAL_CRASHED,    /* what: the call; code: the signal */
  CAPRA_TRIAL_HUNG,       /* what: the call; code: the time limit in seconds */
  CAPRA_TRIAL_BLOCKED,    /* the same, while it waited for a disk or the kernel */
  CAPRA_TRIAL_FAILED,     /* what: the call; code: OpenCL's status */
  CAPRA_TRIAL_INVALID,    /* the driver returned invalid data; what: which */
  CAPRA_N_TRIAL_RESULTS,
} CapraTrialResult;

typedef struct {
  CapraTrialResult result;
  char *what; /* nullable */
  int code;
} CapraVerdict;

/* A device as the driver lists it: @number counts the devices of the platform, from 0. */
typedef struct {
  char *platform, *name;
  guint number;
  CapraVerdict verdict;
} CapraTriedDevice;

typedef struct {
  CapraDriverFile file;
  char *loaded; /* the path of the library that was loaded; NULL if none was */
  CapraVerdict verdict;
  GArray *devices; /* of CapraTriedDevice */
} CapraDriver;

void capra_driver_free (CapraDriver *driver);
CapraDriver *capra_driver_new (const CapraDriverFile *file);

/* Whether the library is PoCL's. */
gboolean capra_driver_is_pocl (const CapraDriver *driver);

void capra_verdict_set (CapraVerdict *verdict, CapraTrialResult result, const char *what, int code);
/* Whether a driver or device with this verdict must not be used. */
gboolean capra_verdict_is_refusal (const CapraVerdict *verdict);
/* The reason of a refusal, as a clause that begins in lower case; and what helps, NULL if that is not known. */
char *capra_verdict_describe (const CapraVerdict *verdict);
char *capra_verdict_dup_remedy (const CapraVerdict *verdict);

/* Adds a device to the end of the list. */
CapraTriedDevice *capra_driver_add_device (CapraDriver *driver, const char *platform, const char *name, guint number);

G_END_DECLS
