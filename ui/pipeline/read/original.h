/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Original: the image file that a result was computed from, which is named in the result. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* Keyword of the text chunk of a PNG that names the original. */
#define CAPRA_PNG_ORIGINAL "capra:original"

/* Remembers that @image is @frame of @file, in @dataset (nullable), which was read from @since (in real time) on.
 * Without effect if the file has changed since then. */
void capra_original_mark (GeglBuffer *image, GFile *file, const char *dataset, guint64 frame, gint64 since);

/* (nullable): the text that names the file of @image, with its SHA-256 (g_free). %NULL if it is unknown or has changed
 * since it was read. Reads the file. */
char *capra_original_describe (GeglBuffer *image);

typedef enum {
  CAPRA_ORIGINAL_UNKNOWN, /* the result does not name its original */
  CAPRA_ORIGINAL_MISSING,
  CAPRA_ORIGINAL_CHANGED, /* a file of that name has other contents */
  CAPRA_ORIGINAL_FOUND,
} CapraOriginalState;

/**
 * CapraOriginal:
 * @file: (nullable): where the original is now: at its path, or in the folder of the result; %NULL if it was not found
 * @name: (nullable): its name; %NULL if it is unknown
 * @hash: (nullable): the SHA-256 of its contents
 * @dataset: (nullable): the data set of the file, if it is not the only one
 * @frame: the number of the frame in the file
 */
typedef struct {
  CapraOriginalState state;
  GFile *file;
  char *name, *hash, *dataset;
  guint64 frame;
} CapraOriginal;

void capra_original_free (CapraOriginal *original);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraOriginal, capra_original_free)

/* Finds the original of @result, a PNG. Reads both files. */
CapraOriginal *capra_original_find (GFile *result);
/* Whether @file has the contents of the original, whose hash is known. Reads the file. */
gboolean capra_original_is (const CapraOriginal *original, GFile *file);
/* In threads. The source object of the second one's callback is @file. */
void capra_original_find_async (GFile *result, GAsyncReadyCallback callback, gpointer data);
CapraOriginal *capra_original_find_finish (GAsyncResult *result);
void capra_original_is_async (const CapraOriginal *original, GFile *file, GAsyncReadyCallback callback, gpointer data);
gboolean capra_original_is_finish (GAsyncResult *result);

G_END_DECLS
