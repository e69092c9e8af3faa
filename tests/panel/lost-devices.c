/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that are lost: replaces clEnqueueNDRangeKernel() of the OpenCL loader by a function that can fail. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "tests/panel/lost-devices.h"

#include <CL/cl.h>
#include <dlfcn.h>

static int lost, hits; /* atomic */

cl_int clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                               const size_t *global, const size_t *local, cl_uint n_waits, const cl_event *waits,
                               cl_event *event);

static gboolean
is_lost (cl_command_queue queue)
{
  cl_device_id device = NULL, first = NULL;
  cl_platform_id platform = NULL;
  int count = g_atomic_int_get (&lost);

  clGetPlatformIDs (1, &platform, NULL);
  clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 1, &first, NULL);
  clGetCommandQueueInfo (queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  return count > 1 || (count == 1 && device == first);
}

cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                        const size_t *global, const size_t *local, cl_uint n_waits, const cl_event *waits,
                        cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                  const cl_event *, cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueNDRangeKernel");

  if (!is_lost (queue))
    return next (queue, kernel, dimensions, offset, global, local, n_waits, waits, event);
  g_atomic_int_inc (&hits);
  return CL_DEVICE_NOT_AVAILABLE;
}

void
lost_devices_set (int count)
{
  g_atomic_int_set (&lost, count);
}

int
lost_devices_count_hits (void)
{
  return g_atomic_int_get (&hits);
}
