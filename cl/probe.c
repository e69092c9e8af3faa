/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra-probe: loads one OpenCL driver and runs a kernel on each of its devices, so that a driver that hangs or crashes
 * does so here. libcapra runs it; see runtime/drivers/driver-trial.h.
 *
 *     capra-probe LIBRARY FIRST SECONDS
 *
 * OCL_ICD_VENDORS is a folder whose only ICD file names LIBRARY. The first FIRST devices are not tried. After SECONDS
 * the process ends, even if libcapra has ended. Writes lines with a letter, a space and a text:
 *
 *     L PATH          the library that was loaded
 *     M MESSAGE       it cannot be loaded
 *     S CALL          is called next
 *     P NAME          a platform; its devices follow
 *     D NUMBER NAME   a device, which is tried next
 *     - CALL STATUS   a call failed, for the device or, before the first one, for the driver
 *     ! WHAT          the driver returned invalid data
 *     +               the device works
 *     .               the end
 *
 * Without GLib, so that it starts quickly. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dlinfo beside gnu11 */
#endif
#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAX_PLATFORMS 64
#define MAX_DEVICES 64
#define MAX_NAME 4096
#define COUNT 1000

static const char source[] = "kernel void probe (global uint *values, uint n)\n"
                             "{\n"
                             "  uint i = get_global_id (0);\n"
                             "  if (i < n)\n"
                             "    values[i] = values[i] * 3u + (i ^ n);\n"
                             "}\n";

static int output;

/* Writes a line at once: the next call may be the last. Control characters become spaces. */
static void __attribute__ ((format (printf, 1, 2))) say (const char *format, ...)
{
  char line[MAX_NAME + 64];
  va_list arguments;
  size_t length = 0;

  va_start (arguments, format);
  vsnprintf (line, sizeof line - 1, format, arguments);
  va_end (arguments);
  length = strlen (line);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char) line[i] < ' ')
      line[i] = ' ';
  line[length++] = '\n';
  if (write (output, line, length) != (ssize_t) length)
    _exit (1);
}

static void
begin (const char *call)
{
  say ("S %s", call);
}

/* Whether the call succeeded; otherwise writes its status. */
static int
check (cl_int status, const char *call)
{
  if (status != CL_SUCCESS)
    say ("- %s %d", call, (int) status);
  return status == CL_SUCCESS;
}

/* Sets @name, of MAX_NAME bytes, to a text that the driver returned with @status and @size bytes. */
static int
check_name (cl_int status, size_t size, const char *text, const char *call, char *name)
{
  if (!check (status, call))
    return 0;
  if (size < 2 || size > MAX_NAME || memchr (text, '\0', size) != text + size - 1)
    {
      say ("! %s", call);
      return 0;
    }
  memcpy (name, text, size);
  return 1;
}

static int
get_platform_name (cl_platform_id platform, char *name)
{
  char text[MAX_NAME + 1];
  size_t size = 0;
  cl_int status = CL_SUCCESS;

  memset (text, 'x', sizeof text);
  begin ("clGetPlatformInfo");
  status = clGetPlatformInfo (platform, CL_PLATFORM_NAME, MAX_NAME, text, &size);
  return check_name (status, size, text, "clGetPlatformInfo (CL_PLATFORM_NAME)", name);
}

static int
get_device_name (cl_device_id device, char *name)
{
  char text[MAX_NAME + 1];
  size_t size = 0;
  cl_int status = CL_SUCCESS;

  memset (text, 'x', sizeof text);
  begin ("clGetDeviceInfo");
  status = clGetDeviceInfo (device, CL_DEVICE_NAME, MAX_NAME, text, &size);
  return check_name (status, size, text, "clGetDeviceInfo (CL_DEVICE_NAME)", name);
}

/* Whether the device has what any kernel needs, in plausible numbers. */
static int
check_limits (cl_device_id device)
{
  cl_bool available = CL_FALSE, compiles = CL_FALSE;
  cl_ulong memory = 0;
  size_t group = 0;

  if (!check (clGetDeviceInfo (device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL), "clGetDeviceInfo")
      || !check (clGetDeviceInfo (device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiles, &compiles, NULL),
                 "clGetDeviceInfo")
      || !check (clGetDeviceInfo (device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL), "clGetDeviceInfo")
      || !check (clGetDeviceInfo (device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL),
                 "clGetDeviceInfo"))
    return 0;
  if (!available)
    return check (CL_DEVICE_NOT_AVAILABLE, "clGetDeviceInfo (CL_DEVICE_AVAILABLE)");
  if (!compiles)
    return check (CL_COMPILER_NOT_AVAILABLE, "clGetDeviceInfo (CL_DEVICE_COMPILER_AVAILABLE)");
  if (memory == 0 || group == 0)
    {
      say ("! clGetDeviceInfo (CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_WORK_GROUP_SIZE)");
      return 0;
    }
  return 1;
}

/* Runs the kernel on values that are copied to the device and back, and compares them. */
static int
run_kernel (cl_command_queue queue, cl_kernel kernel, cl_mem buffer)
{
  cl_uint values[COUNT], n = COUNT - 1;
  size_t global = COUNT;

  for (cl_uint i = 0; i < COUNT; i++)
    values[i] = i * 2654435761u;
  begin ("clEnqueueWriteBuffer");
  if (!check (clEnqueueWriteBuffer (queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL),
              "clEnqueueWriteBuffer"))
    return 0;
  begin ("clEnqueueNDRangeKernel");
  if (!check (clSetKernelArg (kernel, 0, sizeof buffer, &buffer), "clSetKernelArg")
      || !check (clSetKernelArg (kernel, 1, sizeof n, &n), "clSetKernelArg")
      || !check (clEnqueueNDRangeKernel (queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel"))
    return 0;
  begin ("clEnqueueReadBuffer");
  if (!check (clEnqueueReadBuffer (queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL),
              "clEnqueueReadBuffer"))
    return 0;
  for (cl_uint i = 0; i < COUNT; i++)
    if (values[i] != (i < n ? i * 2654435761u * 3u + (i ^ n) : i * 2654435761u))
      {
        say ("! a kernel computed a wrong value");
        return 0;
      }
  return 1;
}

/* Nothing is released: a driver that fails at that would fail at the end of the host, where it does less harm. */
static int
try_device (cl_platform_id platform, cl_device_id device)
{
  cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties) platform, 0 };
  const char *text = source;
  cl_int status = CL_SUCCESS;
  cl_context context = NULL;
  cl_command_queue queue = NULL;
  cl_program program = NULL;
  cl_kernel kernel = NULL;
  cl_mem buffer = NULL;

  begin ("clCreateContext");
  context = clCreateContext (properties, 1, &device, NULL, NULL, &status);
  if (!check (status, "clCreateContext"))
    return 0;
  queue = clCreateCommandQueue (context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  if (!check (status, "clCreateCommandQueue"))
    return 0;
  begin ("clBuildProgram");
  program = clCreateProgramWithSource (context, 1, &text, NULL, &status);
  if (!check (status, "clCreateProgramWithSource")
      || !check (clBuildProgram (program, 1, &device, "-cl-std=CL1.2", NULL, NULL), "clBuildProgram"))
    return 0;
  kernel = clCreateKernel (program, "probe", &status);
  if (!check (status, "clCreateKernel"))
    return 0;
  buffer = clCreateBuffer (context, CL_MEM_READ_WRITE, COUNT * sizeof (cl_uint), NULL, &status);
  return check (status, "clCreateBuffer") && run_kernel (queue, kernel, buffer);
}

/* Tries the devices of a platform, of which the first one is number @index of the driver, from number @first on.
 * Returns their number, or -1 if the driver cannot be used. */
static int
try_platform (cl_platform_id platform, int index, int first)
{
  cl_device_id devices[MAX_DEVICES];
  char name[MAX_NAME];
  cl_uint n = 0;
  cl_int status = CL_SUCCESS;

  if (!get_platform_name (platform, name))
    return -1;
  say ("P %s", name);
  begin ("clGetDeviceIDs");
  status = clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &n);
  if (status == CL_DEVICE_NOT_FOUND)
    return 0;
  if (!check (status, "clGetDeviceIDs"))
    return -1;
  if (n > MAX_DEVICES)
    {
      say ("! clGetDeviceIDs: %u devices", (unsigned) n);
      return -1;
    }
  for (cl_uint i = 0; i < n; i++)
    {
      if (!get_device_name (devices[i], name))
        return -1;
      if (index + (int) i < first)
        continue;
      say ("D %u %s", (unsigned) i, name);
      if (check_limits (devices[i]) && try_device (platform, devices[i]))
        say ("+");
    }
  return (int) n;
}

/* Whether the library can be loaded. The loader ignores one that cannot. */
static int
load (const char *library)
{
  void *handle = dlopen (library, RTLD_LAZY | RTLD_LOCAL);
  struct link_map *map = NULL;

  if (!handle)
    say ("M %s", dlerror ());
  else if (dlinfo (handle, RTLD_DI_LINKMAP, &map) == 0)
    say ("L %s", map->l_name);
  return handle != NULL;
}

/* What the driver prints must not be read as lines of this program. */
static int
take_output (void)
{
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  output = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  return output >= 0 && null >= 0 && dup2 (null, STDOUT_FILENO) >= 0;
}

int
main (int argc, char **argv)
{
  const struct rlimit none = { 0, 0 };
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_uint n = 0;
  cl_int status = CL_SUCCESS;
  int first = 0, index = 0;

  if (argc != 4 || !take_output ())
    return 2;
  first = atoi (argv[2]);
  signal (SIGALRM, SIG_DFL); /* the host may ignore it */
  alarm ((unsigned) atoi (argv[3]));
  setrlimit (RLIMIT_CORE, &none);
  begin ("dlopen");
  if (load (argv[1]))
    {
      begin ("clGetPlatformIDs");
      status = clGetPlatformIDs (MAX_PLATFORMS, platforms, &n);
      if (status == CL_SUCCESS && n > MAX_PLATFORMS)
        say ("! clGetPlatformIDs: %u platforms", (unsigned) n);
      for (cl_uint i = 0; status == CL_SUCCESS && n <= MAX_PLATFORMS && i < n && index >= 0; i++)
        {
          int devices = try_platform (platforms[i], index, first);

          index = devices < 0 ? devices : index + devices;
        }
    }
  say (".");
  _exit (0);
}
