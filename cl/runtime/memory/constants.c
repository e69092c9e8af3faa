/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Constants: a small least-recently-used cache of read-only buffers. */
#include <string.h>

#include "runtime/base/fault-check.h"
#include "runtime/memory/constants.h"

#define MAX_ENTRIES 64

typedef struct {
  GBytes *data;
  cl_mem mem;
} Constant;

struct _CapraConstants {
  GMutex lock;
  GQueue entries; /* the most recently used first */
};

static CapraConstants *
constants_cache (CapraContext *context)
{
  if (g_once_init_enter (&context->constants))
    {
      CapraConstants *constants = g_new0 (CapraConstants, 1);

      g_mutex_init (&constants->lock);
      g_queue_init (&constants->entries);
      g_once_init_leave (&context->constants, constants);
    }
  return context->constants;
}

static void
constant_free (Constant *constant)
{
  clReleaseMemObject (constant->mem);
  g_bytes_unref (constant->data);
  g_free (constant);
}

static Constant *
constant_find (CapraConstants *constants, gconstpointer data, gsize bytes)
{
  for (GList *link = constants->entries.head; link; link = link->next)
    {
      Constant *constant = link->data;

      if (g_bytes_get_size (constant->data) == bytes
          && memcmp (g_bytes_get_data (constant->data, NULL), data, bytes) == 0)
        {
          g_queue_unlink (&constants->entries, link);
          g_queue_push_head_link (&constants->entries, link);
          return constant;
        }
    }
  return NULL;
}

cl_mem
capra_constants_get (CapraContext *context, gconstpointer data, gsize bytes, GError **error)
{
  CapraConstants *constants = constants_cache (context);
  Constant *constant = NULL;
  cl_mem mem = NULL;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&constants->lock);
  constant = constant_find (constants, data, bytes);
  if (!constant)
    {
      g_atomic_int_inc (&context->allocations);
      status = capra_fault_check (context->device, CAPRA_FAULT_ALLOC);
      if (status == CL_SUCCESS)
        mem = clCreateBuffer (context->cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (gpointer) data, &status);
      if (capra_context_check (context, status, "clCreateBuffer", "constants", error))
        {
          constant = g_new (Constant, 1);
          constant->data = g_bytes_new (data, bytes);
          constant->mem = mem;
          g_queue_push_head (&constants->entries, constant);
          if (constants->entries.length > MAX_ENTRIES)
            constant_free (g_queue_pop_tail (&constants->entries));
        }
    }
  if (constant)
    {
      mem = constant->mem;
      clRetainMemObject (mem);
    }
  g_mutex_unlock (&constants->lock);
  return constant ? mem : NULL;
}
