/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra devices: lists the devices, as text or as JSON. */
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

/* Bytes read and written per second, or a negative number if it is not measured. Prints why a device fails. */
static double
bandwidth (CapraDevice *device)
{
  g_autoptr (GError) error = NULL;
  double rate = measure ? capra_device_measure_copy (device, &error) : -1;

  if (error)
    fprintf (stderr, "capra devices: %s\n", error->message);
  return rate;
}

static void
print_block (CapraDevice *device, gboolean chosen)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  double rate = bandwidth (device);

  printf ("%u: %s%s\n", info->index, info->name, chosen ? "  (default)" : "");
  printf ("  platform:device   %u:%u (%s)\n", info->platform, info->number, info->platform_name);
  printf ("  id                %s\n", info->id);
  printf ("  type              %s\n", capra_device_type_name (info->type));
  printf ("  version           %s, driver %s\n", info->version, info->driver);
  printf ("  memory            %.1f GiB, largest allocation %.1f GiB%s\n", info->memory / 1073741824.0,
          info->max_allocation / 1073741824.0, info->unified ? ", shared with the host" : "");
  printf ("  compute units     %u at %u MHz\n", info->compute_units, info->clock);
  if (rate > 0)
    printf ("  copy bandwidth    %.1f GB/s (read and written)\n", rate * 1e-9);
}

static void
add_json (JsonBuilder *json, CapraDevice *device, gboolean chosen)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  const struct {
    const char *member, *value;
  } texts[] = {
    { "id", info->id },
    { "name", info->name },
    { "platform_name", info->platform_name },
    { "vendor", info->vendor },
    { "type", capra_device_type_name (info->type) },
    { "version", info->version },
    { "driver", info->driver },
  };
  const struct {
    const char *member;
    guint64 value;
  } numbers[] = {
    { "index", info->index },
    { "platform", info->platform },
    { "device", info->number },
    { "memory", info->memory },
    { "max_allocation", info->max_allocation },
    { "compute_units", info->compute_units },
    { "clock_mhz", info->clock },
  };
  double rate = bandwidth (device);

  json_builder_begin_object (json);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    json_add_integer (json, numbers[i].member, numbers[i].value);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    json_add_string (json, texts[i].member, texts[i].value);
  json_builder_set_member_name (json, "unified");
  json_builder_add_boolean_value (json, info->unified);
  if (rate > 0)
    json_add_integer (json, "copy_bytes_per_s", (guint64) (rate + 0.5));
  json_builder_set_member_name (json, "chosen");
  json_builder_add_boolean_value (json, chosen);
  json_builder_end_object (json);
}

static void
print_json (const GPtrArray *devices, CapraDevice *chosen)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_array (json);
  for (guint i = 0; i < devices->len; i++)
    add_json (json, devices->pdata[i], devices->pdata[i] == chosen);
  json_builder_end_array (json);
  json_print (json);
}

/* The device that is used unless another one is named. Prints a warning if the default device is missing. */
static CapraDevice *
find_chosen (GError **error)
{
  g_autofree char *where = NULL, *missing = capra_device_dup_missing_default (&where);

  if (!missing)
    return capra_device_select (NULL, error);
  fprintf (stderr, "capra devices: the default device \"%s\" (%s) does not exist; using the best device\n", missing,
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
      fprintf (stderr, "capra devices: unexpected argument \"%s\"\n", argv[1]);
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
    print_json (devices, chosen);
  for (guint i = 0; !as_json && i < devices->len; i++)
    {
      printf ("%s", i > 0 ? "\n" : "");
      print_block (devices->pdata[i], devices->pdata[i] == chosen);
    }
  if (error)
    fprintf (stderr, "capra devices: %s\n", error->message);
  return error ? 1 : 0;
}
