/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the algorithms need of arrays beyond array.h. Private. */
#pragma once

#include "array.h"
#include "block.h"

G_BEGIN_DECLS

struct _CapraArray {
  gatomicrefcount refs;
  CapraShape shape;
  CapraContext *context;
  CapraBlock *block;
  GMutex lock;         /* guards the mapping below */
  guint readers;       /* how many hold a read mapping */
  gboolean writing;    /* a write mapping is out */
  CapraBlock *staging; /* where a mapping lies, if not in the array itself */
  gpointer host;       /* the mapping */
};

/* An array with undefined contents, for results that a kernel writes whole. */
CapraArray *capra_array_new_uninitialized (CapraContext *context, const CapraShape *shape,
                                           GError **error);

/* Counts the array as @kind: CAPRA_MEMORY_RESIDENT while a buffer of a host keeps it. */
void capra_array_set_kind (CapraArray *array, CapraMemoryKind kind);

/* Pulls @bytes from the start of @array: the few numbers that a reduction leaves, not images: recorded as
 * "result", so that "push" and "pull" count images. */
gboolean capra_array_pull_start (CapraArray *array, gpointer data, gsize bytes, GError **error);

G_END_DECLS
