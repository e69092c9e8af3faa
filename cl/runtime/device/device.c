/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Devices: found once per process, listed and described. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/device/device-private.h"
#include "runtime/drivers/driver-folder.h"
#include "runtime/drivers/drivers.h"
#include "runtime/base/error.h"
#include "runtime/base/fork.h"
#include "runtime/base/settings.h"

/* From the extensions cl_khr_device_uuid, cl_khr_pci_bus_info, cl_nv_device_attribute_query. */
#define DEVICE_UUID_KHR 0x106A
#define DEVICE_PCI_BUS_INFO_KHR 0x410F
#define DEVICE_PCI_BUS_ID_NV 0x4008
#define DEVICE_PCI_SLOT_ID_NV 0x4009

struct _CapraDevice {
  CapraDeviceInfo info;
  cl_platform_id platform;
  cl_device_id device;
};

static char *
device_string (cl_device_id device, cl_device_info what)
{
  gsize size = 0;
  g_autofree char *text = NULL;

  if (clGetDeviceInfo (device, what, 0, NULL, &size) != CL_SUCCESS)
    return g_strdup ("");
  text = g_malloc0 (size + 1);
  if (clGetDeviceInfo (device, what, size, text, NULL) != CL_SUCCESS)
    return g_strdup ("");
  return g_utf8_make_valid (g_strstrip (text), -1);
}

static guint64
device_number (cl_device_id device, cl_device_info what)
{
  guint64 value = 0; /* wide enough for every requested integer, on little-endian hosts */

  if (clGetDeviceInfo (device, what, sizeof value, &value, NULL) != CL_SUCCESS)
    return 0;
  return value;
}

static char *
platform_string (cl_platform_id platform, cl_platform_info what)
{
  char text[256] = "";

  clGetPlatformInfo (platform, what, sizeof text - 1, text, NULL);
  return g_utf8_make_valid (g_strstrip (text), -1);
}

/* A name of this piece of hardware, if the driver provides one. */
static char *
device_hardware_id (cl_device_id device)
{
  g_autofree char *extensions = device_string (device, CL_DEVICE_EXTENSIONS);

  if (strstr (extensions, "cl_khr_device_uuid"))
    {
      guint8 uuid[16] = { 0 };
      static const guint8 none[16] = { 0 };

      if (clGetDeviceInfo (device, DEVICE_UUID_KHR, sizeof uuid, uuid, NULL) == CL_SUCCESS
          && memcmp (uuid, none, sizeof uuid) != 0)
        {
          GString *id = g_string_new ("uuid:");

          for (guint i = 0; i < sizeof uuid; i++)
            g_string_append_printf (id, "%02x", uuid[i]);
          return g_string_free (id, FALSE);
        }
    }
  if (strstr (extensions, "cl_khr_pci_bus_info"))
    {
      cl_uint address[4] = { 0 }; /* domain, bus, device, function */

      if (clGetDeviceInfo (device, DEVICE_PCI_BUS_INFO_KHR, sizeof address, address, NULL) == CL_SUCCESS)
        return g_strdup_printf ("pci:%04x:%02x:%02x.%x", address[0], address[1], address[2], address[3]);
    }
  if (strstr (extensions, "cl_nv_device_attribute_query"))
    {
      cl_uint slot = (cl_uint) device_number (device, DEVICE_PCI_SLOT_ID_NV);

      return g_strdup_printf ("pci:0000:%02x:%02x.%x", (guint) device_number (device, DEVICE_PCI_BUS_ID_NV), slot >> 3,
                              slot & 7);
    }
  return NULL;
}

static CapraDevice *
device_new (cl_platform_id platform, cl_device_id cl, const GPtrArray *earlier)
{
  CapraDevice *device = g_new0 (CapraDevice, 1);
  CapraDeviceInfo *info = &device->info;
  guint64 type = device_number (cl, CL_DEVICE_TYPE);
  guint equals = 0;

  device->platform = platform;
  device->device = cl;
  info->index = earlier->len;
  info->name = device_string (cl, CL_DEVICE_NAME);
  info->platform_name = platform_string (platform, CL_PLATFORM_NAME);
  info->vendor = device_string (cl, CL_DEVICE_VENDOR);
  info->version = device_string (cl, CL_DEVICE_VERSION);
  info->driver = device_string (cl, CL_DRIVER_VERSION);
  info->type = type & CL_DEVICE_TYPE_GPU   ? CAPRA_DEVICE_GPU
               : type & CL_DEVICE_TYPE_CPU ? CAPRA_DEVICE_CPU
                                           : CAPRA_DEVICE_ACCELERATOR;
  info->memory = device_number (cl, CL_DEVICE_GLOBAL_MEM_SIZE);
  info->max_allocation = device_number (cl, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info->local_memory = device_number (cl, CL_DEVICE_LOCAL_MEM_SIZE);
  info->max_group = device_number (cl, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  info->compute_units = (guint) device_number (cl, CL_DEVICE_MAX_COMPUTE_UNITS);
  info->clock = (guint) device_number (cl, CL_DEVICE_MAX_CLOCK_FREQUENCY);
  info->doubles = device_number (cl, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  info->unified = device_number (cl, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;

  for (guint i = 0; i < earlier->len; i++)
    {
      const CapraDevice *other = earlier->pdata[i];

      if (other->platform == platform)
        {
          info->number = other->info.number + 1;
          equals += g_str_equal (other->info.name, info->name);
        }
      info->platform = MAX (info->platform, other->info.platform + (other->platform != platform));
    }
  info->id = device_hardware_id (cl);
  if (!info->id)
    info->id = g_strdup_printf ("%s/%s#%u", info->platform_name, info->name, equals);
  return device;
}

/* Loads the drivers that are not refused.
 *
 * Loaders truncate OCL_ICD_FILENAMES at its first colon when they read it; child processes would then find only the
 * first driver. */
static cl_int
platforms_find (const GPtrArray *tried, cl_platform_id *platforms, cl_uint max, cl_uint *n)
{
  g_autofree char *drivers = g_strdup (g_getenv ("OCL_ICD_FILENAMES"));
  CapraHiddenDrivers *hidden = capra_drivers_hide (tried);
  cl_int status = CL_SUCCESS;

  capra_drivers_load (tried);
  status = clGetPlatformIDs (max, platforms, n);
  capra_drivers_show (hidden);
  if (drivers && g_strcmp0 (drivers, g_getenv ("OCL_ICD_FILENAMES")) != 0)
    g_setenv ("OCL_ICD_FILENAMES", drivers, TRUE);
  return status;
}

/* Whether a device can be used. One of a refused driver is listed if the host had loaded OpenCL before. */
static gboolean
is_usable (const GPtrArray *tried, cl_platform_id platform, cl_device_id device, guint number)
{
  g_autofree char *origin = platform_string (platform, CL_PLATFORM_NAME);
  g_autofree char *name = device_string (device, CL_DEVICE_NAME);
  CapraVerdict verdict = { capra_drivers_judge (tried, origin, name, number), NULL, 0 };

  return !capra_verdict_is_refusal (&verdict) && device_number (device, CL_DEVICE_AVAILABLE)
         && device_number (device, CL_DEVICE_COMPILER_AVAILABLE);
}

/* All devices; an empty array with *@status set if OpenCL fails. */
static GPtrArray *
devices_find (const GPtrArray *tried, cl_int *status)
{
  GPtrArray *found = g_ptr_array_new ();
  cl_platform_id platforms[64];
  cl_uint n_platforms = 0;

  *status = platforms_find (tried, platforms, G_N_ELEMENTS (platforms), &n_platforms);
  if (*status != CL_SUCCESS)
    return found;

  for (cl_uint p = 0; p < MIN (n_platforms, G_N_ELEMENTS (platforms)); p++)
    {
      cl_device_id devices[64];
      cl_uint n_devices = 0;

      /* A platform without devices is no error: its driver may be installed without its card. */
      if (clGetDeviceIDs (platforms[p], CL_DEVICE_TYPE_ALL, G_N_ELEMENTS (devices), devices, &n_devices) != CL_SUCCESS)
        continue;
      for (cl_uint d = 0; d < MIN (n_devices, G_N_ELEMENTS (devices)); d++)
        if (is_usable (tried, platforms[p], devices[d], d))
          g_ptr_array_add (found, device_new (platforms[p], devices[d], found));
    }
  return found;
}

/* The registry of the process, under its lock. */
static GMutex lock;
static GPtrArray *found_devices; /* set once, if there are some: a driver may become available later */
static GPtrArray *tried_drivers; /* nullable until the first search for devices */

/* The lock is held. */
static GPtrArray *
search (cl_int *status)
{
  capra_fork_watch ();
  if (!tried_drivers)
    tried_drivers = capra_drivers_find (FALSE);
  return devices_find (tried_drivers, status);
}

static void
set_missing (cl_int status, GError **error)
{
  const char *problem = NULL, *used = NULL, *folder = capra_driver_folder_get_replaced (&problem, &used);

  if (folder && !used)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE,
                 _ ("no OpenCL device found: the driver cannot store kernels in %s: %s; free space there, or set "
                    "XDG_CACHE_HOME to another folder"),
                 folder, problem);
  else
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE,
                 _ ("no OpenCL device found (%s): install the graphics card's OpenCL driver, or pocl-opencl-icd to run "
                    "on the CPU; \"capra devices --why\" tells what was found, and why it is not used"),
                 status == CL_SUCCESS ? _ ("the installed platforms have no device") : capra_error_name (status));
}

const GPtrArray *
capra_device_list (GError **error)
{
  const GPtrArray *found = NULL;
  cl_int status = CL_SUCCESS;

  if (!capra_fork_check (error))
    return NULL;
  g_mutex_lock (&lock);
  if (!found_devices)
    {
      GPtrArray *now = search (&status);

      if (now->len > 0)
        g_atomic_pointer_set (&found_devices, now);
      else
        g_ptr_array_unref (now);
    }
  found = found_devices;
  g_mutex_unlock (&lock);

  if (!found)
    set_missing (status, error);
  return found;
}

const GPtrArray *
capra_device_peek_list (void)
{
  return g_atomic_pointer_get (&found_devices);
}

GPtrArray *
capra_device_dup_drivers (void)
{
  GPtrArray *drivers = NULL;

  g_mutex_lock (&lock);
  drivers = tried_drivers ? g_ptr_array_ref (tried_drivers) : capra_drivers_find (FALSE);
  g_mutex_unlock (&lock);
  return drivers;
}

void
capra_device_probe (void)
{
  if (!capra_fork_check (NULL))
    return;
  g_mutex_lock (&lock);
  g_clear_pointer (&tried_drivers, g_ptr_array_unref);
  tried_drivers = capra_drivers_find (TRUE);
  g_mutex_unlock (&lock);
}

const CapraDeviceInfo *
capra_device_get_info (CapraDevice *device)
{
  return &device->info;
}

cl_device_id
capra_device_get_cl (CapraDevice *device)
{
  return device->device;
}

cl_platform_id
capra_device_get_cl_platform (CapraDevice *device)
{
  return device->platform;
}

const char *
capra_device_type_name (CapraDeviceType type)
{
  return type == CAPRA_DEVICE_GPU ? "GPU" : type == CAPRA_DEVICE_CPU ? "CPU" : "accelerator";
}
