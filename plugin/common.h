/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common: the properties that every operation of ours has, and its read-only results. */
#pragma once

#include "plugin/outcome.h"

G_BEGIN_DECLS

#define CAPRA_MAX_RESULTS 8

/* What an operation keeps for its common properties. */
typedef struct {
  char *device;          /* as for capra_device_select() */
  CapraOutcome *outcome; /* `error` and `failed` */
  GMutex lock;
  double results[CAPRA_MAX_RESULTS];
} CapraCommon;

CapraCommon *capra_common_get (GeglOperation *operation);

/* The name of the device that the user asked for, at this moment. */
char *capra_common_dup_device (GeglOperation *operation);

/* Adds `device`, `error` and `failed` behind the properties that the class has by now. To be called
 * at the end of the class's own initialisation. */
void capra_common_install (GeglOperationClass *klass);

/* Adds a read-only property for the @index'th result; ints and doubles. */
void capra_common_install_result (GeglOperationClass *klass, guint index, GParamSpec *spec);

/* Stores results silently: a notification would start the work again. */
void capra_common_set_results (GeglOperation *operation, const double *results, guint n);

G_END_DECLS
