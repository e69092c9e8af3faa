/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the algorithms need of arrays beyond array.h. Private. */
#pragma once

#include "array.h"
#include "block.h"

G_BEGIN_DECLS

struct _CapraArray {
  gint refs;           /* atomic; read mappings together have one */
  CapraShape shape;
  CapraContext *context;
  gint keepers;        /* atomic: how many of the references let it be evicted */
  GMutex lock;         /* guards what follows; the block of an array at work never changes */
  gint spares;         /* keepers who do not need the contents to be kept when it is evicted */
  CapraBlock *block;   /* NULL while evicted: then the contents lie in the staging, if they were kept */
  guint readers;       /* how many hold a read mapping */
  gboolean writing;    /* a write mapping is out */
  CapraBlock *staging; /* where a mapping lies, if not in the array itself */
  gpointer host;       /* the mapping */
  GList link;          /* in the list of those that may be evicted */
};

/* An array with undefined contents, for results that a kernel writes whole. */
CapraArray *capra_array_new_uninitialized (CapraContext *context, const CapraShape *shape,
                                           GError **error);

/* The array's memory on the device, for as long as the caller has a reference of its own; an evicted
 * array is brought back. NULL with @error set if there is no room for it. */
CapraBlock *capra_array_hold (CapraArray *array, GError **error);

/* Pulls the array into new staging; pushes staging into the block and lets go of it, unless it is mapped.
 * Recorded under @name. Lock held. */
gboolean capra_array_pull_staging (CapraArray *array, const char *name, GError **error);
gboolean capra_array_push_staging (CapraArray *array, const char *name, GError **error);
/* FALSE if the contents were dropped. Lock held. */
gboolean capra_array_check_kept (CapraArray *array, GError **error);
/* Brings an evicted array back. Lock held. */
gboolean capra_array_restore (CapraArray *array, GError **error);

/* Pulls @bytes from the start of @array: the few numbers that a reduction leaves, not images: recorded as
 * "result", so that "push" and "pull" count images. */
gboolean capra_array_pull_start (CapraArray *array, gpointer data, gsize bytes, GError **error);
/* The other way, for numbers that a kernel needs and that differ from image to image: "numbers". */
gboolean capra_array_push_start (CapraArray *array, gconstpointer data, gsize bytes, GError **error);

G_END_DECLS
