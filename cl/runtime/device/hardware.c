/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Hardware: from the device files of Linux' graphics drivers. */
#include "runtime/device/hardware.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/device/device.h"
#include "runtime/device/finding-private.h"

/* Makers by the number on the PCI bus. */
static const struct {
  const char *number, *name;
  const char *vendors[2]; /* parts of the vendor's name in OpenCL */
  const char *remedy;
} makers[] = {
  { "0x10de",
    "NVIDIA",
    { "nvidia", "nvidia" },
    N_ ("install NVIDIA's driver with its OpenCL part, such as nvidia-opencl-icd") },
  { "0x1002",
    "AMD",
    { "advanced micro devices", "amd" },
    N_ ("install AMD's ROCm with its OpenCL part, or mesa-opencl-icd with RUSTICL_ENABLE=radeonsi") },
  { "0x8086",
    "Intel",
    { "intel", "intel" },
    N_ ("install intel-opencl-icd, or mesa-opencl-icd with RUSTICL_ENABLE=iris") },
};

/* Whether @devices has a graphics card of this maker. */
static gboolean
has_device (const GPtrArray *devices, guint maker)
{
  for (guint i = 0; devices && i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);
      g_autofree char *vendor = g_ascii_strdown (info->vendor, -1);

      if (info->type != CAPRA_DEVICE_CPU
          && (strstr (vendor, makers[maker].vendors[0]) || strstr (vendor, makers[maker].vendors[1])))
        return TRUE;
    }
  return FALSE;
}

/* Whether this user may use the device file; otherwise adds a finding. Also TRUE if the file does not exist. */
static gboolean
check_access (GPtrArray *findings, const char *root, const char *path, const char *group)
{
  g_autofree char *full = g_strconcat (root, path, NULL);
  g_autofree char *remedy = NULL;

  if (access (full, F_OK) != 0 || access (full, R_OK | W_OK) == 0)
    return TRUE;
  remedy = g_strdup_printf (_ ("add your user to the group %s (\"sudo usermod -a -G %s $USER\"), then log in again"),
                            group, group);
  capra_finding_add (findings, CAPRA_FINDING_HARDWARE, CAPRA_FINDING_UNSEEN, path, _ ("no permission to use it"),
                     remedy);
  return FALSE;
}

/* A card with the device file /dev/dri/@name. */
static void
explain_card (GPtrArray *findings, const char *root, const char *name, const GPtrArray *devices)
{
  g_autofree char *path = g_strconcat (root, "/sys/class/drm/", name, "/device/vendor", NULL);
  g_autofree char *file = g_strconcat ("/dev/dri/", name, NULL), *number = NULL;
  gboolean allowed = check_access (findings, root, file, "render");

  if (!allowed || !g_file_get_contents (path, &number, NULL, NULL))
    return;
  g_strstrip (number);
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (g_ascii_strcasecmp (number, makers[i].number) == 0 && !has_device (devices, i))
      {
        g_autofree char *card = g_strdup_printf (_ ("%s graphics card (%s)"), makers[i].name, file);

        capra_finding_add (findings, CAPRA_FINDING_HARDWARE, CAPRA_FINDING_UNSEEN, card,
                           _ ("no OpenCL driver that can be used finds it"), _ (makers[i].remedy));
      }
}

void
capra_hardware_explain (GPtrArray *findings, const char *root, const GPtrArray *devices)
{
  g_autofree char *folder = g_strconcat (root, "/dev/dri", NULL), *nvidia = g_strconcat (root, "/dev/nvidiactl", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;
  gboolean rendered = FALSE;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_prefix (name, "renderD"))
      {
        rendered = TRUE;
        explain_card (findings, root, name, devices);
      }
  check_access (findings, root, "/dev/kfd", "render");
  /* NVIDIA's own driver works without files in /dev/dri, as in containers. */
  if (check_access (findings, root, "/dev/nvidiactl", "video") && !rendered && access (nvidia, F_OK) == 0
      && !has_device (devices, 0))
    capra_finding_add (findings, CAPRA_FINDING_HARDWARE, CAPRA_FINDING_UNSEEN, "/dev/nvidiactl",
                       _ ("no OpenCL driver that can be used finds it"), _ (makers[0].remedy));
}
