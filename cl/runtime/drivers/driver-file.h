/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver files: the drivers that the OpenCL loader of this process loads, found as it finds them. Not installed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @path: the ICD file, or the library itself if the environment names it without such a file
 * @library: what the loader passes to dlopen(): a path or the name of a library; NULL if the file cannot be read
 * @problem: why it cannot be read; else NULL */
typedef struct {
  char *path, *library, *problem;
} CapraDriverFile;

void capra_driver_file_clear (CapraDriverFile *file);

/* The folder or file that the loader reads. */
char *capra_driver_files_dup_folder (void);

/* The drivers in the order of their names; those of OCL_ICD_FILENAMES first. (element-type CapraDriverFile) (transfer
 * full) */
GArray *capra_driver_files_list (void);

/* A number that differs for other values of the environment variables that drivers read. */
guint32 capra_driver_files_sum_environment (void);

/* A number that differs if other device files of graphics cards exist, or this user may use others. */
guint32 capra_driver_files_sum_devices (void);

G_END_DECLS
