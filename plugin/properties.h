/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Common: the properties that every operation of ours has, and its results. */
#pragma once

#include "plugin/compute/error-report.h"

G_BEGIN_DECLS

#define CAPRA_MAX_RESULTS 8

/* What an operation keeps for its common properties. */
typedef struct {
  char *device;             /* as for capra_device_select() */
  char *path;               /* of capra_properties_install_path() */
  CapraErrorReport *report; /* `error` and `failed` */
  GMutex lock;
  double results[CAPRA_MAX_RESULTS];
} CapraProperties;

CapraProperties *capra_properties_get (GeglOperation *operation);

/* The name of the device that the user asked for, at this moment. */
char *capra_properties_dup_device (GeglOperation *operation);

/* Adds `device`, `error` and `failed` behind the properties that the class has by now. To be called
 * at the end of the class's own initialisation. */
void capra_properties_install (GeglOperationClass *klass);

/* Adds a property for the @index'th result; ints and doubles. It can be written, which does nothing and notifies
 * nobody: GIMP 3 and readers of GEGL's XML write every property that they know, and warn of a read-only one. Hosts do
 * not show it, as its key "visible" is "0". */
void capra_properties_install_result (GeglOperationClass *klass, guint index, GParamSpec *spec);

/* Adds a property "path" that names a file, behind all others: libgimp 3 cannot pass one, and shows scripts only the
 * properties before it. */
void capra_properties_install_path (GeglOperationClass *klass, const char *nick, const char *blurb);
/* Its value at this moment, "" at first. */
char *capra_properties_dup_path (GeglOperation *operation);

/* Stores results silently: a notification would start the work again. */
void capra_properties_set_results (GeglOperation *operation, const double *results, guint n);

G_END_DECLS
