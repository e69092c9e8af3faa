/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Errors: names, meanings and remedies of OpenCL's status codes (OpenCL 3.0 specification). */
#include <CL/cl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/base/error.h"

GQuark
capra_error_quark (void)
{
  static gint quark; /* atomic; stored, so that later calls need no lock */

  if (!g_atomic_int_get (&quark))
    g_atomic_int_set (&quark, (gint) g_quark_from_static_string ("capra-error-quark"));
  return (GQuark) g_atomic_int_get (&quark);
}

/* Not in the headers of OpenCL 1.2; the ICD loader returns it. */
#define PLATFORM_NOT_FOUND_KHR -1001

static const struct {
  cl_int code;
  const char *name;
  const char *help; /* its meaning and the remedy; NULL for programming errors in Capra */
} codes[] = {
  { CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND", N_ ("the platform has no such device") },
  { CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE",
    N_ ("the device is lost or in exclusive use; choose another one, or restart its driver") },
  { CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE",
    N_ ("the driver has no compiler; install the driver's complete package") },
  { CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE",
    N_ ("the device's memory is exhausted; close other programs that use it, or use a smaller image") },
  { CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES",
    N_ ("the device ran out of memory or the kernel failed on it; try a smaller image or another device") },
  { CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY",
    N_ ("the computer's memory is exhausted; close other programs, or use a smaller image") },
  { CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE", NULL },
  { CL_MEM_COPY_OVERLAP, "CL_MEM_COPY_OVERLAP", NULL },
  { CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE", N_ ("the driver's compiler rejects the kernel") },
  { CL_MAP_FAILURE, "CL_MAP_FAILURE", N_ ("the host cannot access the memory") },
  { CL_MISALIGNED_SUB_BUFFER_OFFSET, "CL_MISALIGNED_SUB_BUFFER_OFFSET", NULL },
  { CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
    N_ ("an earlier step on the device failed") },
  { CL_INVALID_VALUE, "CL_INVALID_VALUE", NULL },
  { CL_INVALID_DEVICE_TYPE, "CL_INVALID_DEVICE_TYPE", NULL },
  { CL_INVALID_PLATFORM, "CL_INVALID_PLATFORM", NULL },
  { CL_INVALID_DEVICE, "CL_INVALID_DEVICE", NULL },
  { CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT", NULL },
  { CL_INVALID_QUEUE_PROPERTIES, "CL_INVALID_QUEUE_PROPERTIES", NULL },
  { CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE", N_ ("the device may have been lost; restart the program") },
  { CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT", NULL },
  { CL_INVALID_BINARY, "CL_INVALID_BINARY", NULL },
  { CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS", NULL },
  { CL_INVALID_PROGRAM, "CL_INVALID_PROGRAM", NULL },
  { CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE", NULL },
  { CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME", NULL },
  { CL_INVALID_KERNEL, "CL_INVALID_KERNEL", NULL },
  { CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX", NULL },
  { CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE", NULL },
  { CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE", NULL },
  { CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS", NULL },
  { CL_INVALID_WORK_DIMENSION, "CL_INVALID_WORK_DIMENSION", NULL },
  { CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE", NULL },
  { CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE", NULL },
  { CL_INVALID_GLOBAL_OFFSET, "CL_INVALID_GLOBAL_OFFSET", NULL },
  { CL_INVALID_EVENT_WAIT_LIST, "CL_INVALID_EVENT_WAIT_LIST", NULL },
  { CL_INVALID_EVENT, "CL_INVALID_EVENT", NULL },
  { CL_INVALID_OPERATION, "CL_INVALID_OPERATION", NULL },
  { CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE",
    N_ ("the buffer exceeds the largest allocation of the device; use a smaller image") },
  { CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE", NULL },
  { CL_INVALID_PROPERTY, "CL_INVALID_PROPERTY", NULL },
  { PLATFORM_NOT_FOUND_KHR, "CL_PLATFORM_NOT_FOUND_KHR",
    N_ ("no OpenCL driver is installed; install the driver of the graphics card, or pocl-opencl-icd for the CPU") },
};

const char *
capra_error_name (int code)
{
  if (code == CL_SUCCESS)
    return "CL_SUCCESS";

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (codes[i].code == code)
      return codes[i].name;

  return "an unknown OpenCL error";
}

static CapraError
error_kind (int code)
{
  switch (code)
    {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE: return CAPRA_ERROR_MEMORY;
    case CL_BUILD_PROGRAM_FAILURE:
    case CL_COMPILER_NOT_AVAILABLE: return CAPRA_ERROR_BUILD;
    case CL_DEVICE_NOT_FOUND:
    case PLATFORM_NOT_FOUND_KHR: return CAPRA_ERROR_NO_DEVICE;
    default: return CAPRA_ERROR_DEVICE;
    }
}

gboolean
capra_error_check (int code, const char *call, const char *subject, const char *device, GError **error)
{
  const char *help = NULL;
  g_autofree char *where = NULL, *what = NULL, *text = NULL;

  if (code == CL_SUCCESS)
    return TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (codes[i].code == code)
      help = codes[i].help;

  where = device ? g_strdup_printf (_ ("device %s"), device) : g_strdup ("OpenCL");
  what = subject ? g_strdup_printf (_ ("%s of %s"), call, subject) : g_strdup (call);
  /* Translators: where, the call that failed, OpenCL's name of the error, its number. */
  text = g_strdup_printf (_ ("%s: %s failed: %s (%d)"), where, what, capra_error_name (code), code);
  if (help)
    g_set_error (error, CAPRA_ERROR, error_kind (code), "%s: %s", text, _ (help));
  else
    g_set_error_literal (error, CAPRA_ERROR, error_kind (code), text);
  return FALSE;
}

gboolean
capra_error_is_device_failure (int code)
{
  return code == CAPRA_ERROR_BUILD || code == CAPRA_ERROR_MEMORY || code == CAPRA_ERROR_DEVICE;
}

gboolean
capra_error_is_fatal (void)
{
  const char *value = g_getenv ("CAPRA_FATAL");

  return value && *value && !g_str_equal (value, "0");
}

void
capra_error_exit_if_fatal (void)
{
  if (!capra_error_is_fatal ())
    return;
  fflush (NULL);
  _exit (EXIT_FAILURE);
}
