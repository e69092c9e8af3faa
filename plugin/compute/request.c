/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Request: what an operation computes for a region that the host requests, and what is stored already. */
#include "plugin/compute/request.h"

void
capra_request_clear (CapraRequest *request)
{
  g_clear_object (&request->buffer);
  g_clear_pointer (&request->map, capra_tile_map_unref);
}

void
capra_request_list_init (CapraRequestList *list)
{
  g_mutex_init (&list->lock);
}

void
capra_request_list_clear (CapraRequestList *list)
{
  for (guint i = 0; i < CAPRA_MAX_REQUESTS; i++)
    capra_request_clear (&list->requests[i]);
  g_mutex_clear (&list->lock);
}

/* The index of the request of @thread, or -1. */
static int
find (const CapraRequestList *list, const GThread *thread)
{
  for (int i = 0; i < CAPRA_MAX_REQUESTS; i++)
    if (list->threads[i] == thread)
      return i;
  return -1;
}

/* The index of a request that may be replaced. */
static guint
get_free (CapraRequestList *list)
{
  int own = find (list, g_thread_self ()), unused = find (list, NULL);

  if (own >= 0 || unused >= 0)
    return (guint) (own >= 0 ? own : unused);
  return list->next++ % CAPRA_MAX_REQUESTS;
}

void
capra_request_list_put (CapraRequestList *list, const char *pad, CapraRequest *request)
{
  CapraRequest old;
  guint i = 0;

  g_mutex_lock (&list->lock);
  i = get_free (list);
  old = list->requests[i];
  list->requests[i] = *request;
  list->threads[i] = g_thread_self ();
  list->pads[i] = g_intern_string (pad);
  g_mutex_unlock (&list->lock);
  *request = (CapraRequest){ .buffer = NULL };
  capra_request_clear (&old); /* without the lock, as it may call the driver */
}

gboolean
capra_request_list_find (CapraRequestList *list, const char *pad, const GeglRectangle *roi, GeglRectangle *compute)
{
  int i = 0;
  gboolean found = FALSE;

  g_mutex_lock (&list->lock);
  i = find (list, g_thread_self ());
  found = i >= 0 && list->pads[i] != g_intern_string (pad) && gegl_rectangle_equal (&list->requests[i].roi, roi);
  if (found)
    *compute = list->requests[i].compute;
  g_mutex_unlock (&list->lock);
  return found;
}

gboolean
capra_request_list_take (CapraRequestList *list, const GeglRectangle *roi, CapraRequest *request)
{
  int i = 0;
  gboolean found = FALSE;

  g_mutex_lock (&list->lock);
  i = find (list, g_thread_self ());
  found = i >= 0 && gegl_rectangle_contains (&list->requests[i].roi, roi);
  if (found)
    {
      *request = list->requests[i];
      list->requests[i] = (CapraRequest){ .buffer = NULL };
      list->threads[i] = NULL;
    }
  g_mutex_unlock (&list->lock);
  return found;
}
