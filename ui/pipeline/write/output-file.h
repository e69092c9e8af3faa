/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output-file: a file that gets its name only when it is complete and on disk. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _CapraOutputFile CapraOutputFile;

/**
 * capra_output_file_open:
 * @path: the final name; symbolic links are followed
 *
 * Creates a file in the folder of @path: without a name if the file system supports it (O_TMPFILE), so that nothing
 * remains if the process is killed, else with a hidden temporary name.
 *
 * Returns: (nullable): %NULL with @error set
 */
CapraOutputFile *capra_output_file_open (const char *path, GError **error);

/**
 * capra_output_file_write:
 *
 * Writes all bytes at the current position. After a failure capra_output_file_commit() fails, too, even if a library
 * between them ignores the error.
 *
 * Returns: FALSE with @error set
 */
gboolean capra_output_file_write (CapraOutputFile *file, gconstpointer data, gsize length, GError **error);

/* FALSE with @error set if a write has failed. */
gboolean capra_output_file_check (CapraOutputFile *file, GError **error);

/* Open for reading and writing, for libraries that seek. Do not close it. */
int capra_output_file_get_descriptor (CapraOutputFile *file);

/**
 * capra_output_file_commit:
 *
 * Flushes the file to disk, then gives it its name; an existing file is replaced atomically.
 *
 * Returns: FALSE with @error set; an existing file is unchanged then
 */
gboolean capra_output_file_commit (CapraOutputFile *file, GError **error);

/* Closes the file and removes it if it was not committed. */
void capra_output_file_free (CapraOutputFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraOutputFile, capra_output_file_free)

/* Removes the temporary files of threads that still write. For the end of a program. */
void capra_output_file_remove_all (void);

/* Installs handlers: SIGINT, SIGTERM and SIGHUP remove temporary files before they end the process, and exceeding the
 * file size limit (SIGXFSZ) becomes an error. For the start of a program; does not replace other handlers. */
void capra_output_file_handle_signals (void);

G_END_DECLS
