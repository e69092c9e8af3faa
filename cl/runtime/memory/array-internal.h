/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Arrays as the runtime and the algorithms see them. Not installed. */
#pragma once

#include "runtime/memory/array-types.h"
#include "runtime/memory/pool.h"

G_BEGIN_DECLS

struct _CapraArray {
  gint refs; /* atomic; all read mappings together have one */
  CapraShape shape;
  CapraContext *context;
  gint residents;       /* atomic: how many of the references keep it resident, and allow eviction */
  GMutex lock;          /* guards the fields below; the buffer of an array in use never changes */
  gint discardable;     /* how many of the resident references allow that its contents are discarded */
  CapraBuffer *buffer;  /* NULL while evicted */
  gpointer saved;       /* the contents while evicted, in ordinary memory of the host (free) */
  guint readers;        /* the number of read mappings */
  gboolean writing;     /* whether there is a write mapping */
  CapraBuffer *staging; /* the memory of a mapping that is neither in the buffer nor in @saved */
  gpointer host;        /* the mapping */
  CapraEvictable evictable;
};

/* An array with undefined contents, for results that a kernel writes completely. */
CapraArray *capra_array_new_uninitialized (CapraContext *context, const CapraShape *shape, GError **error);

G_END_DECLS
