/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output-file: a file that appears under its name when all of it is on the disk, or not at all. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _CapraOutputFile CapraOutputFile;

/**
 * capra_output_file_open:
 * @path: the name that the file gets at the end; a link is followed
 *
 * Creates a file in the folder of @path: without a name where the file system can (O_TMPFILE), so that nothing
 * remains however the process ends, else with a hidden temporary name.
 *
 * Returns: (nullable): %NULL with @error set
 */
CapraOutputFile *capra_output_file_open (const char *path, GError **error);

/**
 * capra_output_file_write:
 *
 * Writes all bytes at the file's position. A failure is kept: capra_output_file_commit() fails, too, even if a
 * library in between lost the error.
 *
 * Returns: FALSE with @error set
 */
gboolean capra_output_file_write (CapraOutputFile *file, gconstpointer data, gsize length, GError **error);

/* FALSE with the error of the first write that failed. */
gboolean capra_output_file_check (CapraOutputFile *file, GError **error);

/* The descriptor, open for reading and writing, for libraries that seek. Do not close it. */
int capra_output_file_get_descriptor (CapraOutputFile *file);

/**
 * capra_output_file_commit:
 *
 * Waits until all bytes are on the disk, then gives the file its name; a file of that name is replaced at once.
 *
 * Returns: FALSE with @error set; what had the name before is unchanged then
 */
gboolean capra_output_file_commit (CapraOutputFile *file, GError **error);

/* Closes the file; what was not committed is removed. */
void capra_output_file_free (CapraOutputFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraOutputFile, capra_output_file_free)

/* Makes SIGINT, SIGTERM and SIGHUP remove temporary names before they end the process, and a file that grows
 * beyond a limit (SIGXFSZ) an error. For a program's start; signals that are ignored or handled stay so. */
void capra_output_file_handle_signals (void);

G_END_DECLS
