/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra devices: lists the devices, or explains which are used and why, as text or as JSON. */
#include <stdio.h>

#include "capra.h"
#include "ui/cli/command.h"
#include "ui/cli/device-limits.h"
#include "ui/cli/json.h"

static gboolean as_json, measure, why, probe, lift;

static const GOptionEntry entries[] = {
  { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL },
  { "why", 0, 0, G_OPTION_ARG_NONE, &why, "Print every driver and device that is found or missing, and why", NULL },
  { "probe", 0, 0, G_OPTION_ARG_NONE, &probe, "Try all drivers again", NULL },
  { "lift", 0, 0, G_OPTION_ARG_NONE, &lift, "Allow kernels and variants again that are set aside", NULL },
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

/* Adds how many families of kernels do @what, and their names. */
static void
add_names (GString *text, char **names, guint count, const char *what)
{
  g_autofree char *list = g_strjoinv (", ", names);

  if (*names)
    g_string_append_printf (text, "%u of %u %s: %s; ", g_strv_length (names), count, what, list);
}

static char *
format_date (gint64 seconds)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (seconds);

  return time ? g_date_time_format (time, "%Y-%m-%d") : g_strdup ("");
}

/* (transfer full): what `capra check` found; @record: (nullable) */
static char *
describe_check (CapraDevice *device, const CapraCheckRecord *record)
{
  g_autofree char *date = record ? format_date (record->time) : NULL;
  guint count = record ? record->passed + g_strv_length (record->differ) + g_strv_length (record->failed) : 0;
  GString *text = NULL;

  if (!record)
    return g_strdup ("not checked");
  if (!record->ended && record->count == 0)
    return g_strdup_printf ("a check that began %s did not end; run capra check -d %u", date,
                            capra_device_get_info (device)->index);
  text = g_string_new (NULL);
  if (record->ended)
    g_string_append_printf (text, "checked %s: ", date);
  else
    g_string_append_printf (text, "%u of %u checked in the background so far: ", count, record->count);
  if (count == record->passed)
    {
      g_string_append_printf (text, "%u passed", record->passed);
      return g_string_free (text, FALSE);
    }
  add_names (text, record->differ, count, "differ");
  add_names (text, record->failed, count, "failed");
  g_string_append_printf (text, "run capra check -d %u --report FILE", capra_device_get_info (device)->index);
  return g_string_free (text, FALSE);
}

/* What to do about a device whose basic kernels are wrong. It is not set aside: the user decides. */
static void
print_remedy (const CapraDeviceInfo *info)
{
  printf (
    "  warning           most operations are wrong or fail with the driver %s; use another device or another version "
    "of the driver, and report it with capra check -d %u --report FILE\n",
    info->driver, info->index);
}

static void
print_block (CapraDevice *device, gboolean chosen)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  g_autoptr (CapraCheckRecord) record = capra_check_record_load (device);
  g_autofree char *check = describe_check (device, record);
  double rate = bandwidth (device);

  printf ("%u: %s%s\n", info->index, info->name, chosen ? "  (default)" : "");
  printf ("  platform:device   %u:%u (%s)\n", info->platform, info->number, info->platform_name);
  printf ("  id                %s\n", info->id);
  printf ("  type              %s\n", capra_device_type_name (info->type));
  printf ("  version           %s, driver %s\n", info->version, info->driver);
  printf ("  memory            %.1f GiB, largest allocation %.1f GiB%s\n", info->memory / 1073741824.0,
          info->max_allocation / 1073741824.0, info->unified ? ", shared with the host" : "");
  printf (info->clock ? "  compute units     %u at %u MHz\n" : "  compute units     %u\n", info->compute_units,
          info->clock);
  if (rate > 0)
    printf ("  copy bandwidth    %.1f GB/s (read and written)\n", rate * 1e-9);
  printf ("  check             %s\n", check);
  if (record && record->begun)
    {
      g_autofree char *date = format_date (record->begun);

      printf ("                    a later check that began %s did not end\n", date);
    }
  if (record && record->unreliable)
    print_remedy (info);
  device_limits_print (device);
}

static void
add_names_json (JsonBuilder *json, const char *member, char **names)
{
  json_begin_array (json, member);
  for (char **name = names; *name; name++)
    json_builder_add_string_value (json, *name);
  json_builder_end_array (json);
}

static void
add_time (JsonBuilder *json, const char *member, gint64 seconds)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (seconds);
  g_autofree char *date = time ? g_date_time_format_iso8601 (time) : NULL;

  json_add_string (json, member, date);
}

/* What `capra check` found; null if the device was not checked. */
static void
add_check (JsonBuilder *json, CapraDevice *device)
{
  g_autoptr (CapraCheckRecord) record = capra_check_record_load (device);
  json_builder_set_member_name (json, "check");
  if (!record)
    {
      json_builder_add_null_value (json);
      return;
    }
  json_builder_begin_object (json);
  json_add_string (json, "check", record->full ? "full" : "quick");
  add_time (json, "time", record->time);
  if (record->begun)
    add_time (json, "begun", record->begun);
  json_builder_set_member_name (json, "ended");
  json_builder_add_boolean_value (json, record->ended);
  json_builder_set_member_name (json, "unreliable");
  json_builder_add_boolean_value (json, record->unreliable);
  json_add_integer (json, "passed", record->passed);
  if (record->count > 0)
    json_add_integer (json, "count", record->count);
  add_names_json (json, "differ", record->differ);
  add_names_json (json, "failed", record->failed);
  json_builder_end_object (json);
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
  add_check (json, device);
  device_limits_add_json (json, device);
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

static void
add_optional_string (JsonBuilder *json, const char *member, const char *value)
{
  if (value)
    json_add_string (json, member, value);
}

static void
print_findings_json (void)
{
  static const char *const kinds[] = {
    [CAPRA_FINDING_DRIVER] = "driver",
    [CAPRA_FINDING_DEVICE] = "device",
    [CAPRA_FINDING_KERNELS] = "kernels",
    [CAPRA_FINDING_HARDWARE] = "hardware",
  };
  static const char *const states[] = {
    [CAPRA_FINDING_USED] = "used", [CAPRA_FINDING_REFUSED] = "refused", [CAPRA_FINDING_UNSEEN] = "unseen"
  };
  g_autoptr (GPtrArray) findings = capra_device_explain ();
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_array (json);
  for (guint i = 0; i < findings->len; i++)
    {
      const CapraFinding *finding = findings->pdata[i];

      json_builder_begin_object (json);
      json_add_string (json, "kind", kinds[finding->kind]);
      json_add_string (json, "name", finding->name);
      json_add_string (json, "state", states[finding->state]);
      add_optional_string (json, "reason", finding->reason);
      add_optional_string (json, "remedy", finding->remedy);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_print (json);
}

/* Prints why devices are used or not. Returns the exit status: 1 if none is. */
static int
explain (void)
{
  if (as_json)
    print_findings_json ();
  else
    {
      g_autofree char *text = capra_device_explain_text ();

      fputs (text, stdout);
    }
  return capra_device_list (NULL) ? 0 : 1;
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
  if (probe)
    capra_device_probe ();
  if (why && !lift)
    return explain ();
  devices = capra_device_list (&error);
  if (!devices || (lift && !device_limits_lift (devices, &error)))
    {
      fprintf (stderr, "capra devices: %s\n", error->message);
      return 1;
    }
  if (why)
    return explain ();
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
