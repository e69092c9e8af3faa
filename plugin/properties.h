/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Properties that all operations have: device, error, failed, and the results of those that compute numbers. */
#pragma once

#include "plugin/compute/error-report.h"

G_BEGIN_DECLS

#define CAPRA_MAX_RESULTS 9

/* The values of these properties, for one operation. */
typedef struct {
  char *device;             /* for capra_device_select() */
  char *path;               /* see capra_properties_install_path() */
  CapraErrorReport *report; /* the properties error, failed, error-code and error-device */
  GMutex lock;
  double results[CAPRA_MAX_RESULTS];
} CapraProperties;

CapraProperties *capra_properties_get (GeglOperation *operation);

/* The present value of the property device. Free with g_free(). */
char *capra_properties_dup_device (GeglOperation *operation);

/* Reports that @device failed after @operation (nullable) had finished: its result is empty. */
void capra_properties_report_loss (GeglOperation *operation, CapraDevice *device, const GError *cause);

/* Adds device, error, failed, error-code and error-device after the properties of the class. capra-op.h calls it. */
void capra_properties_install (GeglOperationClass *klass);

/* Adds a property, an int or a double, for the result number @index. Writing it does nothing and notifies nobody; it is
 * writable since GIMP 3 and readers of GEGL's XML write every property, and warn if one is read-only. Its key "visible"
 * is "0", so that hosts do not show it, and "capra:result" is "true". */
void capra_properties_install_result (GeglOperationClass *klass, guint index, GParamSpec *spec);

/* Adds a property "path" that names a file, after all others: libgimp 3 cannot pass such a property, and offers scripts
 * only those before it. */
void capra_properties_install_path (GeglOperationClass *klass, const char *nick, const char *blurb);
/* Its present value; "" by default. Free with g_free(). */
char *capra_properties_dup_path (GeglOperation *operation);

/* Stores results without a notification, which would start the computation again. */
void capra_properties_set_results (GeglOperation *operation, const double *results, guint n);

G_END_DECLS
