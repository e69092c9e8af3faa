/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Context: created at the first use of a device. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* gettid() beside gnu11 */
#endif
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/device/background-check.h"
#include "runtime/device/context.h"
#include "runtime/device/device-private.h"
#include "runtime/base/fault-check.h"
#include "runtime/base/fork.h"
#include "runtime/device/quarantine-use.h"
#include "runtime/device/quirks-use.h"
#include "runtime/drivers/driver-folder.h"

/* The longest time to poll for the end of commands, at exit and after a failed wait. */
#define POLL_TIME (10 * G_TIME_SPAN_SECOND)

/* The one registry of the process: a context for each device in use. */
static GMutex lock;
static GHashTable *contexts;
static const CapraContextObserver *observer;
static GThread *starter; /* atomic, nullable: see capra_context_run_thread() */

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
  cl_context_properties properties[] = { CL_CONTEXT_PLATFORM,
                                         (cl_context_properties) capra_device_get_cl_platform (device), 0 };
  cl_int status = capra_fault_check (device, CAPRA_FAULT_DEVICE);

  context->device = device;
  context->info = capra_device_get_info (device);
  context->cl_device = capra_device_get_cl (device);
  g_mutex_init (&context->enqueue);
  if (status == CL_SUCCESS)
    context->cl = clCreateContext (properties, 1, &context->cl_device, NULL, NULL, &status);
  for (int i = 0; i < CAPRA_N_QUEUES && status == CL_SUCCESS; i++)
    context->queues[i] = clCreateCommandQueue (context->cl, context->cl_device, CL_QUEUE_PROFILING_ENABLE, &status);
  if (!capra_context_check (context, status, "clCreateContext", NULL, error))
    {
      context_free (context);
      return NULL;
    }
  if (capra_quirks_end_children (device))
    capra_fork_end_early ();
  return context;
}

gboolean
capra_context_is_simulated (CapraContext *context)
{
  return strstr (context->info->platform_name, "Oclgrind") != NULL;
}

/* Whether the command of @event has ended, in success or failure, or the driver does not know it. */
static gboolean
has_ended (cl_event event, cl_int *result)
{
  *result = CL_COMPLETE;
  return clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *result, result, NULL) != CL_SUCCESS
         || *result <= CL_COMPLETE;
}

/* Polls in growing pauses: most commands end at once. */
static void
poll_until_ended (cl_event event, gint64 end)
{
  cl_int result = CL_COMPLETE;

  for (gulong pause = 10; !has_ended (event, &result) && g_get_monotonic_time () < end; pause = MIN (2 * pause, 1000))
    g_usleep (pause);
}

/* Waits until all commands of @queue have ended, or until the time @end. */
static void
finish_until (cl_command_queue queue, gint64 end)
{
  cl_event event = NULL;

  if (clEnqueueMarkerWithWaitList (queue, 0, NULL, &event) != CL_SUCCESS)
    return;
  clFlush (queue);
  poll_until_ended (event, end);
  clReleaseEvent (event);
}

/* Runs before the exit handlers of drivers and their compilers: some of these crash while commands are running. */
static void
finish_at_exit (void)
{
  gint64 end = g_get_monotonic_time () + POLL_TIME;
  GHashTableIter iter;
  gpointer context = NULL;
  GThread *thread = NULL;

  if (capra_fork_is_child ())
    return;
  thread = g_atomic_pointer_get (&starter);
  if (thread && g_atomic_pointer_compare_and_exchange (&starter, thread, NULL))
    g_thread_join (thread);
  g_mutex_lock (&lock);
  if (contexts)
    {
      g_hash_table_iter_init (&iter, contexts);
      while (g_hash_table_iter_next (&iter, NULL, &context))
        /* Oclgrind corrupts its heap when called at exit. */
        for (int i = 0; i < CAPRA_N_QUEUES && !capra_context_is_simulated (context); i++)
          finish_until (((CapraContext *) context)->queues[i], end);
    }
  g_mutex_unlock (&lock);
}

/* A function of libc that C++ uses for thread-local objects; not every libc has it. */
extern int __cxa_thread_atexit_impl (void (*destroy) (void *), void *object, void *library) __attribute__ ((weak));
extern void *__dso_handle;

static void
finish_at_thread_end (void *unused)
{
  finish_at_exit ();
}

/* A compiler registers destructors of its data while it runs, after the first kernel was launched: exit() runs these
 * before any handler that was registered at the first use of a device. But it runs first what the calling thread,
 * usually the main thread, has registered for its own end. */
static void __attribute__ ((constructor)) watch_main_thread (void)
{
  static __thread gboolean watched;

  if (watched || !__cxa_thread_atexit_impl || gettid () != getpid ())
    return;
  watched = TRUE;
  __cxa_thread_atexit_impl (finish_at_thread_end, NULL, &__dso_handle);
}

gboolean
capra_context_run_thread (const char *name, GThreadFunc func, gpointer data)
{
  GThread *thread = NULL;

  watch_main_thread ();
  if (__cxa_thread_atexit_impl)
    thread = g_thread_try_new (name, func, data, NULL);
  g_atomic_pointer_set (&starter, thread);
  return thread != NULL;
}

CapraContext *
capra_context_get (CapraDevice *device, GError **error)
{
  CapraContext *context = NULL;
  gboolean first = FALSE, made = FALSE;

  if (!capra_fork_check (error) || !capra_quirks_check_device (device, error))
    return NULL;
  watch_main_thread (); /* of a process forked from another thread */
  g_mutex_lock (&lock);
  if (!contexts)
    contexts = g_hash_table_new (NULL, NULL);
  context = g_hash_table_lookup (contexts, device);
  if (!context && (context = context_new (device, error)))
    {
      made = TRUE;
      first = g_hash_table_size (contexts) == 0;
      g_hash_table_insert (contexts, device, context);
    }
  g_mutex_unlock (&lock);

  if (made)
    capra_quarantine_report (device);
  /* After the driver has registered its exit handlers, so that this one runs before them. */
  if (first)
    {
      atexit (finish_at_exit);
      if (observer)
        observer->first_use ();
    }
  if (made)
    capra_background_check_begin (device);
  return context;
}

CapraContext *
capra_context_peek (CapraDevice *device)
{
  CapraContext *context = NULL;

  if (capra_fork_is_child ())
    return NULL;
  g_mutex_lock (&lock);
  if (contexts)
    context = g_hash_table_lookup (contexts, device);
  g_mutex_unlock (&lock);
  return context;
}

gboolean
capra_context_compiles_slowly (CapraContext *context)
{
  return strcmp (context->info->platform_name, "Portable Computing Language") == 0
         && context->info->type == CAPRA_DEVICE_CPU;
}

gboolean
capra_context_check_compiler (CapraContext *context, GError **error)
{
  return !capra_context_compiles_slowly (context) || capra_driver_folder_check (error);
}

void
capra_context_set_observer (const CapraContextObserver *functions)
{
  observer = functions;
}

void
capra_context_record (CapraContext *context, const char *name, guint64 bytes, cl_event event)
{
  capra_context_record_launch (context, name, bytes, FALSE, event);
}

void
capra_context_record_launch (CapraContext *context, const char *name, guint64 bytes, gboolean first, cl_event event)
{
  if (observer)
    observer->enqueued (context, name, bytes, first, event);
}

void
capra_context_record_build (gint64 start)
{
  if (observer)
    observer->built (start);
}

gboolean
capra_context_check (CapraContext *context, cl_int code, const char *call, const char *subject, GError **error)
{
  return capra_error_check (code, call, subject, context->info->name, error);
}

/* After a wait that failed at once: the command may still run, and its buffers must not be freed until it has ended. */
static void
wait_after_failure (CapraContext *context, cl_event event)
{
  gint64 end = g_get_monotonic_time () + POLL_TIME;
  cl_int result = CL_COMPLETE;

  if (has_ended (event, &result))
    return;
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    clFinish (context->queues[i]);
  poll_until_ended (event, end);
}

gboolean
capra_context_wait (CapraContext *context, cl_event event, const char *subject, GError **error)
{
  cl_int status = CL_SUCCESS, result = CL_COMPLETE;

  if (!capra_fork_check (error))
    return FALSE;
  status = clWaitForEvents (1, &event);
  if (status != CL_SUCCESS)
    wait_after_failure (context, event);
  else
    status = capra_fault_check (context->device, CAPRA_FAULT_WAIT);

  /* The status of the wait says only that the command failed; that of the event says why. */
  if (status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && has_ended (event, &result) && result < 0)
    status = result;
  clReleaseEvent (event);
  return capra_context_check (context, status, "clWaitForEvents", subject, error);
}
