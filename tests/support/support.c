/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of libcapra. */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/support.h"

const SupportSize support_sizes[] = {
  { 1, 1 }, { 1, 17 }, { 17, 1 }, { 2, 3 }, { 15, 16 }, { 33, 31 }, { 127, 65 }, { 257, 129 },
};
const guint support_n_sizes = G_N_ELEMENTS (support_sizes);

static pid_t process;

/* Before main(), so that no child has been forked. */
static void __attribute__ ((constructor)) remember_process (void) { process = getpid (); }

/* Called by LeakSanitizer. A forked child has no other threads, and memory that only those referred to counts as
 * leaked. */
int __lsan_is_turned_off (void);

int
__lsan_is_turned_off (void)
{
  return getpid () != process;
}

const GPtrArray *
support_devices (void)
{
  g_autoptr (GError) error = NULL;
  const GPtrArray *devices = capra_device_list (&error);

  g_assert_no_error (error);
  if (devices->len < 2 && !g_getenv ("CAPRA_TEST_DEVICE"))
    g_error ("tests need two devices, but there is only %s", capra_device_get_info (devices->pdata[0])->name);
  return devices;
}

gboolean
support_skip_alone (void)
{
  if (support_devices ()->len > 1)
    return FALSE;
  g_test_skip ("needs a second device");
  return TRUE;
}

gboolean
support_has_doubles (void)
{
  return capra_device_get_info (capra_device_select (NULL, NULL))->doubles;
}

gboolean
support_force_tuning (const char *tuning)
{
  g_auto (GStrv) pairs = g_strsplit (tuning, ",", -1);
  g_autoptr (GString) kept = g_string_new (NULL);

  for (char **pair = pairs; *pair; pair++)
    {
      g_auto (GStrv) parts = g_strsplit (*pair, "=", 2);

      if (!capra_quirks_avoid (support_device (0), parts[0], parts[1]))
        g_string_append_printf (kept, "%s%s", kept->len > 0 ? "," : "", *pair);
    }
  return g_setenv ("CAPRA_TUNING", kept->str, TRUE);
}

CapraDevice *
support_device (guint index)
{
  const GPtrArray *devices = support_devices ();
  const char *first = g_getenv ("CAPRA_TEST_DEVICE");
  g_autoptr (GError) error = NULL;
  CapraDevice *device = first ? capra_device_select (first, &error) : devices->pdata[0];
  guint place = 0;

  g_assert_no_error (error);
  if (index == 0 || devices->len == 1)
    return device;
  g_ptr_array_find ((GPtrArray *) devices, device, &place);
  return devices->pdata[index <= place ? index - 1 : index];
}

CapraMemory
support_memory (void)
{
  CapraMemory memory;

  capra_memory_query (support_device (0), &memory);
  return memory;
}

gboolean
support_devices_equal (void)
{
  const CapraDeviceInfo *first = capra_device_get_info (support_device (0));
  const CapraDeviceInfo *second = capra_device_get_info (support_device (1));

  return g_str_equal (first->platform_name, second->platform_name) && g_str_equal (first->name, second->name);
}

void
support_assert_same (const float *values, const float *expected, gsize count)
{
  double tolerance = support_devices_equal () ? 0 : 1e-6;

  for (gsize i = 0; i < count; i++)
    if (!(fabs ((double) values[i] - expected[i]) <= tolerance))
      g_error ("value %" G_GSIZE_FORMAT " is %.9g, not %.9g", i, values[i], expected[i]);
}

const char *
support_device_name (const char *device)
{
  g_auto (GStrv) parts = device ? g_strsplit (device, ",", -1) : NULL;
  g_autofree char *names = NULL;

  for (char **part = parts; part && *part; part++)
    if (g_str_equal (*part, "0") || g_str_equal (*part, "1"))
      {
        guint index = **part - '0';

        g_free (*part);
        *part = g_strdup (capra_device_get_info (support_device (index))->id);
      }
  names = parts ? g_strjoinv (",", parts) : NULL;
  return g_intern_string (names);
}

float *
support_noise (gsize count, double low, double high, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  float *values = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    values[i] = (float) (low + (high - low) * (g_rand_int (random) / 4294967296.0));
  return values;
}

CapraArray *
support_array (CapraDevice *device, gsize width, gsize height, gsize depth, guint channels, const float *values)
{
  g_autoptr (GError) error = NULL;
  CapraShape shape = { width, height, depth, channels, CAPRA_F32 };
  CapraArray *array = capra_array_new_from_data (device, &shape, values, &error);

  g_assert_no_error (error);
  return array;
}

float *
support_download (CapraArray *array)
{
  g_autoptr (GError) error = NULL;
  const CapraShape *shape = NULL;
  float *values = NULL;

  g_assert_nonnull (array); /* of a call that failed */
  shape = capra_array_get_shape (array);
  values = g_malloc (capra_shape_bytes (shape));
  g_assert_cmpint (shape->type, ==, CAPRA_F32);
  capra_array_download (array, values, &error);
  g_assert_no_error (error);
  return values;
}

void
support_assert_close (const float *values, const double *reference, gsize count, double tolerance, const char *what)
{
  for (gsize i = 0; i < count; i++)
    {
      gboolean equal = isnan (reference[i])   ? isnan (values[i])
                       : isinf (reference[i]) ? values[i] == reference[i]
                                              : fabs (values[i] - reference[i]) <= tolerance;

      if (!equal)
        g_error ("%s: value %" G_GSIZE_FORMAT " is %.9g, not %.9g (tolerance %g)", what, i, values[i], reference[i],
                 tolerance);
    }
}

guint
support_step (guint step)
{
  return g_test_slow () ? 1 : step;
}

void
support_run_cold (void)
{
  static const char *const caches[] = { "XDG_CACHE_HOME", "POCL_CACHE_DIR", "MESA_SHADER_CACHE_DIR",
                                        "CUDA_CACHE_PATH" };
  g_autofree char *folder = g_dir_make_tmp ("capra-cold-XXXXXX", NULL);
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", folder);
  char *before[G_N_ELEMENTS (caches)];

  g_assert_nonnull (folder);
  for (guint i = 0; i < G_N_ELEMENTS (caches); i++)
    {
      before[i] = g_strdup (g_getenv (caches[i]));
      g_setenv (caches[i], folder, TRUE);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  for (guint i = 0; i < G_N_ELEMENTS (caches); i++)
    {
      if (before[i])
        g_setenv (caches[i], before[i], TRUE);
      else
        g_unsetenv (caches[i]);
      g_free (before[i]);
    }
  if (system (remove) != 0)
    g_printerr ("%s stays\n", folder);
  g_test_trap_assert_passed ();
}

void
support_folder_remove (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (folder);
  g_free (folder);
}
