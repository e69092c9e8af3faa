/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the algorithms need of arrays beyond array.h. Private. */
#pragma once

#include "runtime/memory/array.h"
#include "runtime/memory/block.h"

G_BEGIN_DECLS

struct _CapraArray {
  gint refs; /* atomic; read mappings together have one */
  CapraShape shape;
  CapraContext *context;
  gint keepers;        /* atomic: how many of the references let it be evicted */
  GMutex lock;         /* guards what follows; the block of an array at work never changes */
  gint spares;         /* keepers who do not need the contents to be kept when it is evicted */
  CapraBlock *block;   /* NULL while evicted */
  gpointer saved;      /* the contents while evicted, in ordinary memory of the host (free) */
  guint readers;       /* how many hold a read mapping */
  gboolean writing;    /* a write mapping is out */
  CapraBlock *staging; /* where a mapping lies, if not in the array itself or in what is saved */
  gpointer host;       /* the mapping */
  GList link;          /* in the list of those that may be evicted */
};

/* An array with undefined contents, for results that a kernel writes whole. */
CapraArray *capra_array_new_uninitialized (CapraContext *context, const CapraShape *shape, GError **error);

/* The array's memory on the device, for as long as the caller has a reference of its own; an evicted
 * array is brought back. NULL with @error set if there is no room for it. */
CapraBlock *capra_array_get_buffer (CapraArray *array, GError **error);

/* Whether it may be mapped for reading, or for writing: nobody else has it so that this would be wrong. */
gboolean capra_array_is_free (CapraArray *array, gboolean write);

/* Sends @bytes on their way between a block, from @offset on, and @host, which lies in @staging or (NULL) in any memory
 * of the host. Recorded under @name. Whoever wants to wait for it asks for @event (nullable). */
gboolean capra_block_send (CapraBlock *block, CapraBlock *staging, gboolean in, const char *name, gsize offset,
                           gsize bytes, gpointer host, cl_event *event, GError **error);
/* The same with any memory of the host; waits for it. */
gboolean capra_block_transfer (CapraBlock *block, gboolean in, const char *name, gsize offset, gsize bytes,
                               gpointer host, GError **error);

/* Where an evicted array's contents lie on the host; NULL with @error set if they were dropped. Lock held. */
gpointer capra_array_get_saved (CapraArray *array, GError **error);
/* What a reading mapping leaves, when the last reader is done. Lock held. */
void capra_array_settle (CapraArray *array);
/* Brings an evicted array back. Lock held. */
gboolean capra_array_restore (CapraArray *array, GError **error);

/* Pulls @bytes from the start of @array: the few numbers that a reduction leaves, not images: recorded as
 * "result", so that "upload" and "download" tell of images. */
gboolean capra_array_download_first (CapraArray *array, gpointer data, gsize bytes, GError **error);
/* The other way, for numbers that a kernel needs and that differ from image to image: "numbers". */
gboolean capra_array_upload_first (CapraArray *array, gconstpointer data, gsize bytes, GError **error);

G_END_DECLS
