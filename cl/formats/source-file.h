/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Source file: a regular file that is read at given positions, in memory if it is compressed with gzip. Not installed.
 */
#pragma once

#include "formats/format-error.h"

G_BEGIN_DECLS

/**
 * CapraSourceFile:
 *
 * Several threads may read it at the same time.
 */
typedef struct _CapraSourceFile CapraSourceFile;

/* Opens @path. Never waits, whatever @path names; folders, pipes and devices are refused. The contents of a file that
 * is compressed with gzip are decompressed into memory. */
CapraSourceFile *capra_source_file_open (const char *path, GError **error);
void capra_source_file_free (CapraSourceFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraSourceFile, capra_source_file_free)

/* Fails if @path is not a regular file that can be read. */
gboolean capra_source_file_check (const char *path, GError **error);

/* Copies the first @bytes bytes of the (decompressed) contents of @path to @data. Returns how many there are; 0 if
 * @path cannot be read. */
gsize capra_source_file_peek (const char *path, gpointer data, gsize bytes);

/* The path as it was given. */
const char *capra_source_file_get_path (CapraSourceFile *self);

/* The number of bytes of the (decompressed) contents. */
guint64 capra_source_file_get_size (CapraSourceFile *self);

/* The decompressed contents; NULL if the file is not compressed. */
gpointer capra_source_file_get_memory (CapraSourceFile *self);

/* The file descriptor. */
int capra_source_file_get_descriptor (CapraSourceFile *self);

/* Copies @bytes bytes from @offset to @data. Fails if the file is shorter. */
gboolean capra_source_file_read (CapraSourceFile *self, guint64 offset, gpointer data, gsize bytes, GError **error);

/* The same for a descriptor of the regular file at @path. */
gboolean capra_source_file_read_descriptor (int fd, const char *path, guint64 offset, gpointer data, gsize bytes,
                                            GError **error);

/* Fails if the file was changed since it was opened. */
gboolean capra_source_file_check_unchanged (CapraSourceFile *self, GError **error);

G_END_DECLS
