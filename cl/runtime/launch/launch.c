/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Launch: stores the arguments, then sets and enqueues them with a kernel object of this thread. */
#include <string.h>

#include "runtime/base/fault-check.h"
#include "runtime/base/fork.h"
#include "runtime/memory/constants.h"
#include "runtime/launch/launch.h"
#include "runtime/launch/program.h"

void
capra_launch_begin (CapraLaunch *launch, CapraContext *context, const char *program, const char *options,
                    const char *kernel)
{
  *launch = (CapraLaunch){ .context = context, .name = "" };

  if (!capra_fork_check (&launch->error))
    return;
  launch->name = g_intern_string (kernel);
  launch->program = capra_program_get (context, program, options);
}

/* Stores an argument until the run: the kernel object depends on the size of the launch. */
static void
set_argument (CapraLaunch *launch, gconstpointer data, gsize bytes)
{
  g_return_if_fail (launch->n_args < CAPRA_LAUNCH_MAX_ARGUMENTS);
  g_return_if_fail (!data || launch->n_bytes + bytes <= CAPRA_LAUNCH_MAX_BYTES);

  launch->args[launch->n_args].offset = launch->n_bytes;
  launch->args[launch->n_args].bytes = (guint32) bytes;
  launch->args[launch->n_args++].local = !data;
  if (data)
    {
      memcpy (launch->values + launch->n_bytes, data, bytes);
      launch->n_bytes += (guint) bytes;
    }
}

static gboolean
set_arguments (CapraLaunch *launch, cl_kernel kernel, GError **error)
{
  for (guint i = 0; i < launch->n_args; i++)
    {
      gconstpointer value = launch->args[i].local ? NULL : launch->values + launch->args[i].offset;
      cl_int status = clSetKernelArg (kernel, i, launch->args[i].bytes, value);
      g_autofree char *subject = NULL;

      if (status == CL_SUCCESS)
        continue;
      subject = g_strdup_printf ("argument %u of %s", i, launch->name);
      return capra_context_check (launch->context, status, "clSetKernelArg", subject, error);
    }
  return TRUE;
}

static void
set_array (CapraLaunch *launch, CapraArray *array, gboolean write)
{
  CapraBuffer *buffer = NULL;

  g_return_if_fail (launch->n_buffers < CAPRA_LAUNCH_MAX_BUFFERS);
  g_return_if_fail (array->context == launch->context);

  if (!launch->error)
    buffer = capra_array_get_buffer (array, &launch->error);
  if (!buffer)
    return;
  launch->buffers[launch->n_buffers] = buffer;
  launch->writes[launch->n_buffers++] = write;
  set_argument (launch, &buffer->mem, sizeof buffer->mem);
}

void
capra_launch_read (CapraLaunch *launch, CapraArray *array)
{
  set_array (launch, array, FALSE);
}

void
capra_launch_write (CapraLaunch *launch, CapraArray *array)
{
  set_array (launch, array, TRUE);
}

void
capra_launch_int (CapraLaunch *launch, gint32 value)
{
  set_argument (launch, &value, sizeof value);
}

void
capra_launch_uint (CapraLaunch *launch, guint32 value)
{
  set_argument (launch, &value, sizeof value);
}

void
capra_launch_ulong (CapraLaunch *launch, guint64 value)
{
  set_argument (launch, &value, sizeof value);
}

void
capra_launch_float (CapraLaunch *launch, float value)
{
  set_argument (launch, &value, sizeof value);
}

void
capra_launch_constants (CapraLaunch *launch, gconstpointer data, gsize bytes)
{
  cl_mem mem = NULL;

  g_return_if_fail (launch->n_constants < CAPRA_LAUNCH_MAX_CONSTANTS);

  if (!launch->error)
    mem = capra_constants_get (launch->context, data, bytes, &launch->error);
  if (!mem)
    return;
  set_argument (launch, &mem, sizeof mem);
  /* A kernel object has no references on its arguments: the launch has them until the kernel is enqueued. */
  launch->constants[launch->n_constants++] = mem;
}

void
capra_launch_value (CapraLaunch *launch, gconstpointer data, gsize bytes)
{
  set_argument (launch, data, bytes);
}

void
capra_launch_local (CapraLaunch *launch, gsize bytes)
{
  set_argument (launch, NULL, bytes);
}

static cl_int
enqueue (CapraLaunch *launch, const CapraProgramKernel *kernel, guint dimensions, const gsize *global,
         const gsize *local, guint64 bytes)
{
  CapraContext *context = launch->context;
  cl_event waits[CAPRA_LAUNCH_MAX_BUFFERS * CAPRA_N_QUEUES], event = NULL;
  cl_uint n_waits = 0;
  cl_int status = capra_fault_check (context->device, CAPRA_FAULT_LAUNCH);

  g_mutex_lock (&context->enqueue);
  for (guint i = 0; i < launch->n_buffers; i++)
    capra_buffer_add_waits (launch->buffers[i], CAPRA_QUEUE_COMPUTE, launch->writes[i], waits, &n_waits);
  if (status == CL_SUCCESS)
    status = clEnqueueNDRangeKernel (context->queues[CAPRA_QUEUE_COMPUTE], kernel->object, dimensions, NULL, global,
                                     local, n_waits, n_waits ? waits : NULL, &event);
  if (status == CL_SUCCESS)
    {
      for (guint i = 0; i < launch->n_buffers; i++)
        capra_buffer_set_last_use (launch->buffers[i], CAPRA_QUEUE_COMPUTE, launch->writes[i], event);
      capra_context_record_launch (context, launch->name, bytes, kernel->first_size, event);
      clReleaseEvent (event);
    }
  g_mutex_unlock (&context->enqueue);
  return status;
}

static gboolean
launch_kernel (CapraLaunch *launch, guint dimensions, const gsize *global, const gsize *local, guint64 bytes,
               GError **error)
{
  CapraProgramUse use = { .kernel = launch->name, .local = { 1, 1, 1 }, .bytes = bytes };
  CapraProgramKernel kernel = { 0 };
  gsize padded[3] = { 1, 1, 1 };
  gboolean done = FALSE;

  for (guint i = 0; i < dimensions; i++)
    {
      use.local[i] = local[i];
      padded[i] = (global[i] + local[i] - 1) / local[i] * local[i];
      use.widest = MAX (use.widest, padded[i]);
    }
  done = capra_program_take_kernel (launch->program, &use, &kernel, error)
         && set_arguments (launch, kernel.object, error)
         && capra_context_check (launch->context, enqueue (launch, &kernel, dimensions, padded, local, bytes),
                                 "clEnqueueNDRangeKernel", launch->name, error);
  if (kernel.first)
    capra_program_end_first (launch->program, launch->name, &kernel,
                             done && clFinish (launch->context->queues[CAPRA_QUEUE_COMPUTE]) == CL_SUCCESS);
  capra_program_return_kernel (launch->program, launch->name, &kernel);
  return done;
}

gboolean
capra_launch_run (CapraLaunch *launch, guint dimensions, const gsize *global, const gsize *local, guint64 bytes,
                  GError **error)
{
  gboolean done = FALSE;

  if (!launch->error)
    done = launch_kernel (launch, dimensions, global, local, bytes, &launch->error);
  for (guint i = 0; i < launch->n_constants; i++)
    clReleaseMemObject (launch->constants[i]);
  if (launch->error)
    g_propagate_error (error, g_steal_pointer (&launch->error));
  return done;
}

gboolean
capra_launch_run_1d (CapraLaunch *launch, gsize global, gsize local, guint64 bytes, GError **error)
{
  return capra_launch_run (launch, 1, &global, &local, bytes, error);
}

gboolean
capra_launch_run_2d (CapraLaunch *launch, gsize global_x, gsize global_y, gsize local_x, gsize local_y, guint64 bytes,
                     GError **error)
{
  gsize global[] = { global_x, global_y }, local[] = { local_x, local_y };

  return capra_launch_run (launch, 2, global, local, bytes, error);
}

const char *
capra_launch_type (CapraType type)
{
  static const char *const names[] = { "uchar", "char", "ushort", "short", "uint", "int", "float" };

  return names[type];
}
