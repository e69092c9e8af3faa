/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices: listed, and selected by index, platform:device, id and name; unknown names list the devices. */
#include <string.h>

#include <glib/gstdio.h>

#include "runtime/device/recent-device-private.h"
#include "tests/support/support.h"

static void
test_list (void)
{
  const GPtrArray *devices = support_devices ();

  for (guint i = 0; i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);

      g_assert_cmpuint (info->index, ==, i);
      g_assert_cmpuint (info->memory, >, 0);
      g_assert_cmpuint (info->compute_units, >, 0);
      for (guint k = 0; k < i; k++)
        g_assert_cmpstr (info->id, !=, capra_device_get_info (devices->pdata[k])->id);
    }
}

static void
test_select (void)
{
  const CapraDeviceInfo *second = capra_device_get_info (support_device (1));
  g_autofree char *index = g_strdup_printf ("%u", second->index);
  g_autofree char *address = g_strdup_printf ("%u:%u", second->platform, second->number);
  g_autofree char *part = g_ascii_strup (second->name, -1);
  const char *names[] = { index, address, second->id };
  CapraDevice *equal = support_device (1);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (capra_device_select (names[i], &error) == support_device (1));
      g_assert_no_error (error);
      g_assert_false (capra_device_is_default (names[i]));
    }
  /* Of equal devices the first one is selected. */
  for (guint i = second->index; i-- > 0;)
    if (g_str_equal (capra_device_get_info (support_devices ()->pdata[i])->name, second->name))
      equal = support_devices ()->pdata[i];
  g_assert_true (capra_device_select (part + 1, NULL) == equal);
}

/* A platform or vendor whose name is in no device's name selects its only kind of device. */
static void
test_origin (void)
{
  const GPtrArray *devices = support_devices ();

  for (guint i = 0; i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);
      g_autofree char *part = g_ascii_strup (info->platform_name, -1);
      g_autoptr (GError) error = NULL;
      CapraDevice *first = NULL, *found = capra_device_select (part + 1, &error);
      gboolean several = FALSE;

      for (guint k = 0; k < devices->len; k++)
        {
          const CapraDeviceInfo *other = capra_device_get_info (devices->pdata[k]);

          g_assert_null (strstr (other->name, info->platform_name));
          if (!g_str_equal (other->platform_name, info->platform_name))
            continue;
          if (!first)
            first = devices->pdata[k];
          several = several || !g_str_equal (other->name, capra_device_get_info (first)->name);
        }
      if (several)
        g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_AMBIGUOUS_DEVICE);
      else
        g_assert_true (found == first);
    }
}

static void
test_default (void)
{
  const GPtrArray *devices = support_devices ();

  if (support_skip_alone ())
    return;
  g_assert_nonnull (capra_device_select (NULL, NULL));
  g_assert_true (capra_device_select ("", NULL) == capra_device_select ("auto", NULL));
  g_assert_true (capra_device_is_default (NULL));

  g_setenv ("CAPRA_DEVICE", "1", TRUE);
  g_assert_true (capra_device_select (NULL, NULL) == devices->pdata[1]);
  g_assert_true (capra_device_select ("0", NULL) == devices->pdata[0]);
  g_assert_false (capra_device_is_default (NULL));

  /* "auto" overrides the default. */
  g_assert_true (capra_device_select ("auto", NULL) == capra_device_get_best (NULL));
  g_assert_true (capra_device_is_default ("Auto"));
  g_setenv ("CAPRA_DEVICE", "auto", TRUE);
  g_assert_true (capra_device_select (NULL, NULL) == capra_device_get_best (NULL));
  g_assert_true (capra_device_is_default (NULL));
  capra_settings_choose ("device", "1");
  g_assert_true (capra_device_select ("auto", NULL) == capra_device_get_best (NULL));
  capra_settings_choose ("device", NULL);
  g_unsetenv ("CAPRA_DEVICE");
}

static void
test_unknown (void)
{
  const char *names[] = { "99", "7:0", "no such device", "0:", ":" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_device_select (names[i], &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE);
      g_assert_nonnull (strstr (error->message, names[i]));
      g_assert_nonnull (strstr (error->message, capra_device_get_info (support_device (0))->name));
    }
}

/* "all" selects all devices, or the best where one is needed; it is not a default. */
static void
test_all (void)
{
  g_assert_true (capra_device_is_several ("All"));
  g_assert_false (capra_device_is_several ("auto"));
  g_assert_false (capra_device_is_several (NULL));
  g_assert_false (capra_device_is_default ("all"));
  g_assert_true (capra_device_select ("all", NULL) == capra_device_get_best (NULL));
  g_setenv ("CAPRA_DEVICE", "all", TRUE);
  g_assert_true (capra_device_is_several (""));
  g_assert_false (capra_device_is_several ("1"));
  g_assert_false (capra_device_is_default (NULL));
  g_unsetenv ("CAPRA_DEVICE");
}

static void
assert_list (const char *name, CapraDevice *first, CapraDevice *second)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = capra_device_select_several (name, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, second ? 2 : 1);
  g_assert_true (found->pdata[0] == first);
  g_assert_true (!second || found->pdata[1] == second);
}

/* Lists keep their order, and have each device once. Any kind of name can be in them. */
static void
test_lists (void)
{
  static const char *const bad[] = { "0,no such device", "0,", ",", "0,auto", "all,0", "0,99" };
  const GPtrArray *devices = support_devices ();
  CapraDevice *first = devices->pdata[0], *second = devices->pdata[devices->len > 1];
  g_autofree char *ids = g_strdup_printf ("%s, %s", capra_device_get_info (second)->id,
                                          capra_device_get_info (first)->id);

  if (support_skip_alone ())
    return;
  assert_list ("0,1", first, second);
  assert_list ("1,0:0,0", second, first);
  assert_list (ids, second, first);
  assert_list ("1", second, NULL);
  assert_list ("0,0", first, NULL);
  g_assert_true (capra_device_is_several ("1,0"));
  g_assert_false (capra_device_is_default ("1,0"));
  g_assert_true (capra_device_select ("1", NULL) == second);
  g_assert_nonnull (capra_device_select ("1,0", NULL));
  g_setenv ("CAPRA_DEVICE", "1,0", TRUE);
  assert_list ("", second, first);
  g_assert_false (capra_device_is_default (NULL));
  g_unsetenv ("CAPRA_DEVICE");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_device_select_several (bad[i], &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE);
      g_assert_nonnull (strstr (error->message, bad[i]));
      g_assert_null (capra_device_select (bad[i], NULL));
    }
}

static void
test_bandwidth (void)
{
  g_autoptr (GError) error = NULL;
  double rate = capra_device_measure_copy (support_device (0), &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (rate, >, 1e8);
  g_assert_cmpfloat (rate, <, 1e14);
  rate = capra_device_measure_arithmetic (support_device (0), &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (rate, >, 1e8);
  g_assert_cmpfloat (rate, <, 1e15);
}

/* One record, with a duration. */
static void
test_keep_busy (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) records = NULL;

  capra_timeline_reset ();
  g_assert_true (capra_device_keep_busy (support_device (0), &error));
  g_assert_no_error (error);
  records = capra_timeline_records (0);
  g_assert_cmpuint (records->len, ==, 1);
  g_assert_cmpuint (g_array_index (records, CapraRecord, 0).end - g_array_index (records, CapraRecord, 0).start, >,
                    10000);
}

static void
none_child (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_device_select (NULL, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE);
  g_assert_nonnull (strstr (error->message, "pocl-opencl-icd"));
}

/* Child processes get the complete list of drivers, although the loader truncates it. */
static void
test_environment (void)
{
  static const char drivers[] = "/nowhere/libone.so:/nowhere/libother.so";

  if (g_test_subprocess ())
    {
      g_setenv ("OCL_ICD_FILENAMES", drivers, TRUE);
      capra_device_list (NULL);
      g_assert_cmpstr (g_getenv ("OCL_ICD_FILENAMES"), ==, drivers);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* No platform: the loader searches an empty folder only. */
static void
test_none (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);

  if (g_test_subprocess ())
    {
      none_child ();
      return;
    }
  g_unsetenv ("OCL_ICD_FILENAMES");
  g_setenv ("OCL_ICD_VENDORS", folder, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  g_unsetenv ("OCL_ICD_VENDORS");
}

/* The name of the file for a process with these arguments, separated by spaces. */
static char *
name_recent (const char *program, const char *arguments)
{
  g_auto (GStrv) list = g_strsplit (arguments, " ", -1);

  return capra_recent_device_name (program, g_get_tmp_dir (), (const char *const *) list);
}

/* Scripts of an interpreter are different programs, as are programs of one name in different folders. */
static void
test_recent_names (void)
{
  char *scripts[2], *names[4];
  static const char *const unknown[] = { "python3", "python3 -c pass", "python3 -m x", "python3 missing.py",
                                         "python3 -" };

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *line = NULL, *base = NULL, *relative = NULL, *again = NULL;
      int descriptor = g_file_open_tmp ("capra-XXXXXX.py", &scripts[i], NULL);

      g_assert_cmpint (descriptor, >=, 0);
      g_close (descriptor, NULL);
      base = g_path_get_basename (scripts[i]);
      line = g_strdup_printf ("python3 -u %s --option", scripts[i]);
      relative = g_strdup_printf ("python3 %s", base);
      names[i] = name_recent ("/usr/bin/python3.11", line);
      again = name_recent ("/usr/bin/python3.11", relative);
      g_assert_true (g_str_has_prefix (names[i], "python3.11-"));
      g_assert_cmpstr (names[i], ==, again);
    }
  g_assert_cmpstr (names[0], !=, names[1]);
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    g_assert_null (name_recent ("/usr/bin/python3.11", unknown[i]));
  names[2] = name_recent ("/usr/bin/gimp-2.10", "gimp-2.10 a.png");
  names[3] = name_recent ("/opt/bin/gimp-2.10", "gimp-2.10 a.png");
  g_assert_true (g_str_has_prefix (names[2], "gimp-2.10-") && g_str_has_prefix (names[3], "gimp-2.10-"));
  g_assert_cmpstr (names[2], !=, names[3]);
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_assert_cmpint (g_unlink (scripts[i]), ==, 0);
      g_free (scripts[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (names[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device/list", test_list);
  g_test_add_func ("/device/select", test_select);
  g_test_add_func ("/device/origin", test_origin);
  g_test_add_func ("/device/default", test_default);
  g_test_add_func ("/device/unknown", test_unknown);
  g_test_add_func ("/device/all", test_all);
  g_test_add_func ("/device/lists", test_lists);
  g_test_add_func ("/device/bandwidth", test_bandwidth);
  g_test_add_func ("/device/keep-busy", test_keep_busy);
  g_test_add_func ("/device/environment", test_environment);
  g_test_add_func ("/device/none", test_none);
  g_test_add_func ("/device/recent-names", test_recent_names);
  return g_test_run ();
}
