/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCL drivers with faults, one for each value of FAULT. Apart from its fault, each has a platform "Fake Platform"
 * with two devices, which keep what is written to them and whose kernels do nothing. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* program_invocation_short_name */
#endif
#include <CL/cl_icd.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HANG 1      /* clIcdGetPlatformIDsKHR() never returns */
#define CRASH 2     /* clIcdGetPlatformIDsKHR() crashes */
#define BUILD 3     /* the first device crashes in clBuildProgram() */
#define PLATFORMS 4 /* the number of platforms is absurd */
#define DEVICES 5   /* the number of devices is absurd */
#define NAMES 6     /* the devices' names do not end */
#define EMPTY 7     /* the devices' names are NULL */
#define COMPILER 8  /* clBuildProgram() never returns */
#define KILLED 9    /* another program kills the process that tries the driver */
#define SLOW 10     /* each call takes a while in the process that tries the driver */
#define STARVED 11  /* another program takes the processor of the process that tries the driver */
#define POCL 12     /* none, but it has PoCL's name */

/* All of OpenCL's objects begin with the table of functions. */
typedef struct {
  cl_icd_dispatch *dispatch;
  int number;
  unsigned char bytes[1 << 16];
} Object;

static cl_icd_dispatch table;
static Object platform = { &table, 0, "" }, objects[2] = { { &table, 0, "" }, { &table, 1, "" } };

/* A symbol of all of these drivers: which one a driver uses depends on how it was loaded. */
const char *capra_fake_vendor (void);

__attribute__ ((noinline)) const char *
capra_fake_vendor (void)
{
  return FAULT == POCL ? "pocl" : FAULT == SLOW ? "slow" : "another";
}

static void
sleep_for_ever (void)
{
  while (1)
    pause ();
}

/* Whether the driver is being tried. */
static int
is_tried (void)
{
  return strcmp (program_invocation_short_name, "capra-probe") == 0;
}

static void
pause_if_slow (void)
{
  if (FAULT == SLOW && is_tried ())
    usleep (700000);
}

/* Works for ever on one processor, which a process of higher priority has. That one is not a child, but in the same
 * process group, which ends with the trial. */
static void
starve (void)
{
  const struct sched_param none = { 0 };
  cpu_set_t one;

  CPU_ZERO (&one);
  CPU_SET (sched_getcpu (), &one);
  sched_setaffinity (0, sizeof one, &one);
  if (fork () == 0)
    {
      if (fork () > 0)
        _exit (0);
      alarm (60);
      while (1)
        ;
    }
  wait (NULL);
  sched_setscheduler (0, SCHED_IDLE, &none);
  while (1)
    ;
}

/* Answers a request for information. */
static cl_int
answer (const void *value, size_t length, size_t size, void *to, size_t *size_ret)
{
  if (to && size < length)
    return CL_INVALID_VALUE;
  if (to)
    memcpy (to, value, length);
  if (size_ret)
    *size_ret = length;
  return CL_SUCCESS;
}

static cl_int
answer_text (const char *text, size_t size, void *to, size_t *size_ret)
{
  return answer (text, strlen (text) + 1, size, to, size_ret);
}

static cl_int
get_platform_info (cl_platform_id id, cl_platform_info what, size_t size, void *to, size_t *size_ret)
{
  switch (what)
    {
    case CL_PLATFORM_NAME: return answer_text ("Fake Platform", size, to, size_ret);
    case CL_PLATFORM_VERSION: return answer_text ("OpenCL 1.2 fake", size, to, size_ret);
    case CL_PLATFORM_PROFILE: return answer_text ("FULL_PROFILE", size, to, size_ret);
    case CL_PLATFORM_EXTENSIONS: return answer_text ("cl_khr_icd", size, to, size_ret);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return answer_text ("FAKE", size, to, size_ret);
    default: return answer_text ("Fake", size, to, size_ret);
    }
}

static cl_int
get_platforms (cl_uint n, cl_platform_id *ids, cl_uint *count)
{
#if FAULT == HANG
  sleep_for_ever ();
#elif FAULT == CRASH
  abort ();
#elif FAULT == KILLED
  if (is_tried ())
    raise (SIGKILL);
#endif
  if (count)
    *count = FAULT == PLATFORMS ? 100000 : 1;
  if (ids && n > 0)
    ids[0] = (cl_platform_id) &platform;
  return CL_SUCCESS;
}

static cl_int
get_devices (cl_platform_id id, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *count)
{
  if (!(type & CL_DEVICE_TYPE_CPU))
    return CL_DEVICE_NOT_FOUND;
  if (count)
    *count = FAULT == DEVICES ? 4000000000u : 2;
  for (cl_uint i = 0; ids && i < n && i < 2; i++)
    ids[i] = (cl_device_id) &objects[i];
  return CL_SUCCESS;
}

static cl_int
get_device_name (const Object *device, size_t size, void *to, size_t *size_ret)
{
  char name[] = "Fake Device 0";

#if FAULT == NAMES
  if (to)
    memset (to, 'A', size);
  if (size_ret)
    *size_ret = 100;
  return CL_SUCCESS;
#elif FAULT == EMPTY
  if (size_ret)
    *size_ret = 0;
  return CL_SUCCESS;
#endif
  name[sizeof name - 2] += device->number;
  return answer_text (name, size, to, size_ret);
}

static cl_int
get_device_info (cl_device_id id, cl_device_info what, size_t size, void *to, size_t *size_ret)
{
  static const cl_device_type type = CL_DEVICE_TYPE_GPU;
  static const cl_bool yes = CL_TRUE;
  static const cl_ulong memory = 1 << 30;
  static const size_t group = 64;

  switch (what)
    {
    case CL_DEVICE_NAME: return get_device_name ((const Object *) id, size, to, size_ret);
    case CL_DEVICE_TYPE: return answer (&type, sizeof type, size, to, size_ret);
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE: return answer (&yes, sizeof yes, size, to, size_ret);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return answer (&memory, sizeof memory, size, to, size_ret);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return answer (&group, sizeof group, size, to, size_ret);
    case CL_DEVICE_VENDOR: return answer_text (capra_fake_vendor (), size, to, size_ret);
    case CL_DEVICE_VERSION:
    case CL_DRIVER_VERSION:
    case CL_DEVICE_EXTENSIONS: return answer_text ("fake", size, to, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

static cl_context
create_context (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
                void (CL_CALLBACK *notify) (const char *, const void *, size_t, void *), void *data, cl_int *status)
{
  pause_if_slow ();
  *status = CL_SUCCESS;
  return (cl_context) devices[0];
}

static cl_command_queue
create_queue (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *status)
{
  *status = CL_SUCCESS;
  return (cl_command_queue) context;
}

static cl_program
create_program (cl_context context, cl_uint n, const char **texts, const size_t *lengths, cl_int *status)
{
  *status = CL_SUCCESS;
  return (cl_program) context;
}

static cl_int
build_program (cl_program program, cl_uint n, const cl_device_id *devices, const char *options,
               void (CL_CALLBACK *notify) (cl_program, void *), void *data)
{
  if (FAULT == COMPILER)
    sleep_for_ever ();
  if (FAULT == BUILD && ((const Object *) program)->number == 0)
    abort ();
  if (FAULT == STARVED && is_tried ())
    starve ();
  pause_if_slow ();
  return CL_SUCCESS;
}

static cl_kernel
create_kernel (cl_program program, const char *name, cl_int *status)
{
  *status = CL_SUCCESS;
  return (cl_kernel) program;
}

static cl_mem
create_buffer (cl_context context, cl_mem_flags flags, size_t size, void *from, cl_int *status)
{
  *status = size <= sizeof platform.bytes ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return (cl_mem) context;
}

static cl_int
set_argument (cl_kernel kernel, cl_uint number, size_t size, const void *value)
{
  return CL_SUCCESS;
}

static cl_int
enqueue_kernel (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                const size_t *global, const size_t *local, cl_uint n_waits, const cl_event *waits, cl_event *event)
{
  return CL_SUCCESS;
}

static cl_int
write_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t size, const void *from,
              cl_uint n_waits, const cl_event *waits, cl_event *event)
{
  pause_if_slow ();
  memcpy (((Object *) buffer)->bytes + offset, from, size);
  return CL_SUCCESS;
}

static cl_int
read_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t size, void *to,
             cl_uint n_waits, const cl_event *waits, cl_event *event)
{
  pause_if_slow ();
  memcpy (to, ((const Object *) buffer)->bytes + offset, size);
  return CL_SUCCESS;
}

static cl_icd_dispatch table = {
  .clGetPlatformIDs = get_platforms,
  .clGetPlatformInfo = get_platform_info,
  .clGetDeviceIDs = get_devices,
  .clGetDeviceInfo = get_device_info,
  .clCreateContext = create_context,
  .clCreateCommandQueue = create_queue,
  .clCreateProgramWithSource = create_program,
  .clBuildProgram = build_program,
  .clCreateKernel = create_kernel,
  .clCreateBuffer = create_buffer,
  .clSetKernelArg = set_argument,
  .clEnqueueNDRangeKernel = enqueue_kernel,
  .clEnqueueWriteBuffer = write_buffer,
  .clEnqueueReadBuffer = read_buffer,
};

/* What the loader looks up. */
CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress (const char *name)
{
  if (strcmp (name, "clIcdGetPlatformIDsKHR") == 0)
    return (void *) get_platforms;
  return strcmp (name, "clGetPlatformInfo") == 0 ? (void *) get_platform_info : NULL;
}

CL_API_ENTRY cl_int CL_API_CALL
clIcdGetPlatformIDsKHR (cl_uint n, cl_platform_id *ids, cl_uint *count)
{
  return get_platforms (n, ids, count);
}
