/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Context: made at a device's first use. */
#include "block.h"
#include "context.h"
#include "monitor-private.h"
#include "timeline-private.h"

/* The one registry of the process: a context for each device in use. */
static GMutex lock;
static GHashTable *contexts;

static void
context_free (CapraContext *context)
{
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    if (context->queues[i])
      clReleaseCommandQueue (context->queues[i]);
  if (context->cl)
    clReleaseContext (context->cl);
  g_mutex_clear (&context->enqueue);
  g_free (context);
}

static CapraContext *
context_new (CapraDevice *device, GError **error)
{
  CapraContext *context = g_new0 (CapraContext, 1);
  cl_context_properties properties[]
    = { CL_CONTEXT_PLATFORM, (cl_context_properties) capra_device_get_cl_platform (device), 0 };
  cl_int status = CL_SUCCESS;

  context->device = device;
  context->info = capra_device_get_info (device);
  context->cl_device = capra_device_get_cl (device);
  g_mutex_init (&context->enqueue);
  context->cl = clCreateContext (properties, 1, &context->cl_device, NULL, NULL, &status);
  for (int i = 0; i < CAPRA_N_QUEUES && status == CL_SUCCESS; i++)
    context->queues[i] = clCreateCommandQueue (context->cl, context->cl_device,
                                               CL_QUEUE_PROFILING_ENABLE, &status);
  if (!capra_context_check (context, status, "clCreateContext", NULL, error))
    {
      context_free (context);
      return NULL;
    }
  return context;
}

CapraContext *
capra_context_get (CapraDevice *device, GError **error)
{
  CapraContext *context = NULL;
  gboolean first = FALSE;

  g_mutex_lock (&lock);
  if (!contexts)
    contexts = g_hash_table_new (NULL, NULL);
  context = g_hash_table_lookup (contexts, device);
  if (!context && (context = context_new (device, error)))
    {
      first = g_hash_table_size (contexts) == 0;
      g_hash_table_insert (contexts, device, context);
    }
  g_mutex_unlock (&lock);

  /* After the driver has registered its own exit handlers, so that ours runs before them. */
  if (first)
    {
      capra_timeline_watch_exit ();
      capra_monitor_publish ();
    }
  return context;
}

CapraContext *
capra_context_peek (CapraDevice *device)
{
  CapraContext *context = NULL;

  g_mutex_lock (&lock);
  if (contexts)
    context = g_hash_table_lookup (contexts, device);
  g_mutex_unlock (&lock);
  return context;
}

gboolean
capra_context_check (CapraContext *context, cl_int code, const char *call, const char *subject,
                     GError **error)
{
  return capra_error_check (code, call, subject, context->info->name, error);
}

gboolean
capra_context_wait (CapraContext *context, cl_event event, const char *what, GError **error)
{
  cl_int status = clWaitForEvents (1, &event);
  cl_int result = CL_COMPLETE;

  /* A wait that fails tells only that the command did; the event tells why. */
  if (status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
      && clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof result, &result, NULL)
           == CL_SUCCESS
      && result < 0)
    status = result;
  clReleaseEvent (event);
  return capra_context_check (context, status, "waiting", what, error);
}
