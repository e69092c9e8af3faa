/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources: images that are processed several times, with different values of a property. */
#pragma once

#include "ui/pipeline/read/image-file.h"

G_BEGIN_DECLS

typedef struct _RunSources RunSources;

/* Loads the image of a source. */
typedef CapraImage *(*RunSourceLoad) (guint source, gpointer data, GError **error);

RunSources *run_sources_new (guint devices);
void run_sources_free (RunSources *sources);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunSources, run_sources_free)

/* One more item will use @source. Before any thread is started. */
void run_sources_expect (RunSources *sources, guint source);

/**
 * run_sources_get:
 *
 * Returns the image of @source, which @load loads once for all threads. The first thread of each @device gets it alone,
 * so that the image is uploaded once to each device; the others wait for run_sources_release().
 *
 * Returns: (nullable): %NULL with @error set if the image cannot be loaded
 */
CapraImage *run_sources_get (RunSources *sources, guint source, guint device, RunSourceLoad load, gpointer data,
                             GError **error);

/* The image takes @bytes of the memory for images. */
void run_sources_set_bytes (RunSources *sources, guint source, guint64 bytes);

/* An item has been processed; also after run_sources_get() failed. After the last one, frees the image and returns its
 * bytes; otherwise 0. */
guint64 run_sources_release (RunSources *sources, guint source, guint device);

G_END_DECLS
