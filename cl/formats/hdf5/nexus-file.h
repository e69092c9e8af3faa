/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* NeXus file: writes numbers to an HDF5 file, with the attributes of NeXus by which programs find and draw them. */
#pragma once

#include "formats/format-error.h"

G_BEGIN_DECLS

#define CAPRA_NEXUS_MAX_RANK 4

typedef enum {
  CAPRA_NEXUS_U8,
  CAPRA_NEXUS_U32,
  CAPRA_NEXUS_U64,
  CAPRA_NEXUS_F32,
  CAPRA_NEXUS_F64,
} CapraNexusType;

/**
 * CapraNexusFile:
 *
 * A file that is being written, with the groups /entry (NXentry) and /entry/data (NXdata). After a function has failed,
 * the others do nothing, and capra_nexus_file_close() reports the error.
 */
typedef struct _CapraNexusFile CapraNexusFile;

/**
 * capra_nexus_file_new:
 * @path: of the file, which is replaced
 * @signal: the name of the data set to draw
 * @axes: the names of the data sets with the positions along its axes, ended by %NULL; "." for an axis without one
 *
 * Returns: (transfer full): %NULL with @error set, which has the cause alone
 */
CAPRA_API
CapraNexusFile *capra_nexus_file_new (const char *path, const char *signal, const char *const *axes, GError **error);

/* Adds an attribute to /entry. */
CAPRA_API
void capra_nexus_file_set_text (CapraNexusFile *file, const char *name, const char *text);

/**
 * capra_nexus_file_add:
 * @rank: the number of axes, up to %CAPRA_NEXUS_MAX_RANK
 * @sizes: their lengths
 * @units: (nullable): the unit of the values
 *
 * Adds a data set to /entry/data, whose bytes are in one piece of the file; values that are not written are 0.
 *
 * Returns: its number
 */
CAPRA_API
guint capra_nexus_file_add (CapraNexusFile *file, const char *name, CapraNexusType type, guint rank,
                            const guint64 *sizes, const char *units);

/* Adds an attribute with the range from @first to @end - 1 to data set @set. */
CAPRA_API
void capra_nexus_file_set_range (CapraNexusFile *file, guint set, const char *name, guint64 first, guint64 end);

/* Where the values of data set @set begin in the file. */
CAPRA_API
guint64 capra_nexus_file_get_offset (CapraNexusFile *file, guint set);

/* Writes @n rows of data set @set, those from @first on along its first axis. FALSE if any function has failed. */
CAPRA_API
gboolean capra_nexus_file_write (CapraNexusFile *file, guint set, guint64 first, guint64 n, gconstpointer values);

/**
 * capra_nexus_file_close:
 * @error: the cause alone, if the file is not complete, as on a full disk
 *
 * Also frees @file.
 */
CAPRA_API
gboolean capra_nexus_file_close (CapraNexusFile *file, GError **error);

G_END_DECLS
