/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra devices: one block a device, for people or as JSON. */
#include <stdio.h>

#include "capra.h"
#include "ui/cli/command.h"
#include "ui/cli/json.h"

static gboolean as_json, measure;

static const GOptionEntry entries[] = {
  { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL },
  { "bandwidth", 'b', 0, G_OPTION_ARG_NONE, &measure, "Measure each device's copy bandwidth", NULL },
  { NULL },
};

/* Bytes read and written a second; negative if not measured. A device that fails says so. */
static double
bandwidth (CapraDevice *device)
{
  g_autoptr (GError) error = NULL;
  double rate = measure ? capra_device_measure_copy (device, &error) : -1;

  if (error)
    fprintf (stderr, "capra: %s\n", error->message);
  return rate;
}

static void
print_block (CapraDevice *device, gboolean chosen)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  double rate = bandwidth (device);

  printf ("%u: %s%s\n", info->index, info->name, chosen ? "  (chosen)" : "");
  printf ("  platform:device   %u:%u (%s)\n", info->platform, info->number, info->platform_name);
  printf ("  id                %s\n", info->id);
  printf ("  type              %s\n", capra_device_type_name (info->type));
  printf ("  version           %s, driver %s\n", info->version, info->driver);
  printf ("  memory            %.1f GiB, at most %.1f GiB in one piece%s\n", info->memory / 1073741824.0,
          info->max_allocation / 1073741824.0, info->unified ? ", shared with the host" : "");
  printf ("  compute units     %u at %u MHz\n", info->compute_units, info->clock);
  if (rate > 0)
    printf ("  copy bandwidth    %.1f GB/s (read and written)\n", rate * 1e-9);
}

static void
print_json (CapraDevice *device, gboolean chosen)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  const struct {
    const char *key, *value;
  } texts[] = {
    { "id", info->id },
    { "name", info->name },
    { "platform_name", info->platform_name },
    { "vendor", info->vendor },
    { "type", capra_device_type_name (info->type) },
    { "version", info->version },
    { "driver", info->driver },
  };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double rate = bandwidth (device);

  printf ("  {\"index\": %u, \"platform\": %u, \"device\": %u, ", info->index, info->platform, info->number);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      json_print_string (texts[i].key, texts[i].value);
      printf (", ");
    }
  printf ("\"memory\": %" G_GUINT64_FORMAT ", \"max_allocation\": %" G_GUINT64_FORMAT
          ", \"unified\": %s, \"compute_units\": %u, \"clock_mhz\": %u, ",
          info->memory, info->max_allocation, info->unified ? "true" : "false", info->compute_units, info->clock);
  if (rate > 0)
    printf ("\"copy_bytes_per_s\": %s, ", g_ascii_formatd (number, sizeof number, "%.0f", rate));
  printf ("\"chosen\": %s}", chosen ? "true" : "false");
}

/* What is chosen where nobody names a device; says why it is not what the settings name. */
static CapraDevice *
find_chosen (GError **error)
{
  g_autofree char *where = NULL, *missing = capra_device_dup_missing_default (&where);

  if (!missing)
    return capra_device_select (NULL, error);
  fprintf (stderr, "capra devices: the default device \"%s\" (%s) is missing; the best one is used instead\n", missing,
           where);
  return capra_device_get_best (error);
}

int
capra_command_devices (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new ("- list the OpenCL devices");
  g_autoptr (GError) error = NULL;
  const GPtrArray *devices = NULL;
  CapraDevice *chosen = NULL;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "capra devices: %s\n", error->message);
      return 2;
    }
  if (argc > 1)
    {
      fprintf (stderr, "capra devices: what is \"%s\"?\n", argv[1]);
      return 2;
    }
  devices = capra_device_list (&error);
  if (!devices)
    {
      fprintf (stderr, "capra devices: %s\n", error->message);
      return 1;
    }
  chosen = find_chosen (&error); /* the list is useful even if the choice fails */

  if (as_json)
    printf ("[\n");
  for (guint i = 0; i < devices->len; i++)
    {
      if (as_json)
        print_json (devices->pdata[i], devices->pdata[i] == chosen);
      else
        print_block (devices->pdata[i], devices->pdata[i] == chosen);
      printf (i + 1 < devices->len ? (as_json ? ",\n" : "\n") : "%s", as_json ? "\n" : "");
    }
  if (as_json)
    printf ("]\n");
  if (error)
    fprintf (stderr, "capra devices: %s\n", error->message);
  return error ? 1 : 0;
}
