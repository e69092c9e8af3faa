/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults: which calls fail, and that everything works again afterwards. */
#include <string.h>

#include "tests/support/support.h"

#define SIDE 33
#define COUNT (SIDE * SIDE)

/* Uploads, filters, copies and downloads: an image of ones. FALSE with @error set if any of it fails. */
static gboolean
work (CapraDevice *device, GError **error)
{
  const CapraShape shape = CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_F32);
  const int radius[3] = { 2, 1, 0 };
  g_autofree float *ones = g_new (float, COUNT), *found = g_new0 (float, COUNT);
  g_autoptr (CapraArray) input = NULL, output = NULL, copied = NULL;

  for (guint i = 0; i < COUNT; i++)
    ones[i] = 1;
  input = capra_array_new_from_data (device, &shape, ones, error);
  output = input ? capra_box_blur (input, radius, CAPRA_BORDER_CLAMP, NULL, error) : NULL;
  copied = output ? capra_array_new (device, &shape, error) : NULL;
  if (!copied || !capra_array_copy (copied, output, error) || !capra_array_download (copied, found, error))
    return FALSE;
  for (guint i = 0; i < COUNT; i++)
    g_assert_cmpfloat_with_epsilon (found[i], 1, 1e-6);
  return TRUE;
}

static void
set (const char *faults)
{
  g_autoptr (GError) error = NULL;

  capra_fault_set (faults, &error);
  g_assert_no_error (error);
}

static void
test_invalid (void)
{
  const char *const invalid[] = {
    "launch",    "launch:",   "launch:0", "launch:-1", "launch:1-2",         "launch:x",
    "nothing:1", "launch:1,", ":3",       "launc:1",   "launch:99999999999", "launch: 1"
  };

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (capra_fault_set (invalid[i], &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
  g_assert_true (capra_fault_set (NULL, NULL));
  g_assert_true (capra_fault_set ("", NULL));
  g_assert_false (capra_fault_write ());
  g_assert_cmpuint (capra_fault_get_calls (CAPRA_FAULT_FILE), ==, 0);
}

/* Each call fails alone, and with all later ones, unless less memory or another way suffices. */
static void
test_moments (void)
{
  CapraDevice *device = support_device (0);
  guint calls[CAPRA_N_FAULTS], failures = 0;
  g_autoptr (GError) error = NULL;

  work (device, &error); /* builds the kernels */
  g_assert_no_error (error);
  set ("count");
  g_assert_true (work (device, NULL));
  for (guint kind = 0; kind < CAPRA_N_FAULTS; kind++)
    calls[kind] = capra_fault_get_calls (kind);
  g_assert_cmpuint (calls[CAPRA_FAULT_LAUNCH], >, 0);
  g_assert_cmpuint (calls[CAPRA_FAULT_COPY], ==, 1);
  g_assert_cmpuint (calls[CAPRA_FAULT_FILE], ==, 0);
  for (guint kind = 0; kind < CAPRA_N_FAULTS; kind++)
    for (guint i = 0; i < 2 * calls[kind]; i++)
      {
        g_autofree char *text = g_strdup_printf ("%s:%u%s", capra_fault_get_name (kind), i / 2 + 1, i % 2 ? "-" : "");
        g_autoptr (GError) failure = NULL;

        set (text);
        if (!work (device, &failure))
          {
            g_assert_nonnull (failure);
            failures++;
          }
        g_assert_cmpuint (capra_fault_get_calls (kind), >, i / 2);
        set (NULL);
        work (device, &error);
        g_assert_no_error (error);
      }
  g_assert_cmpuint (failures, >=, calls[CAPRA_FAULT_LAUNCH] + calls[CAPRA_FAULT_COPY]);
}

/* One device is lost, the other is not; or all are. */
static void
test_lost (void)
{
  g_autoptr (GError) error = NULL;

  if (support_skip_alone ())
    return;
  g_assert_true (work (support_device (0), NULL) && work (support_device (1), NULL));
  set ("device:2");
  g_assert_false (work (support_device (0), &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "CL_DEVICE_NOT_AVAILABLE"));
  g_assert_false (work (support_device (0), NULL));
  g_assert_true (work (support_device (1), NULL));
  set ("device:2-");
  g_assert_false (work (support_device (0), NULL));
  g_assert_false (work (support_device (1), NULL));
  set (NULL);
  g_assert_true (work (support_device (0), NULL) && work (support_device (1), NULL));
}

/* A file that cannot be written is as it was, or does not exist. */
static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-fault-XXXXXX", NULL), *text = NULL;
  g_autofree char *path = g_build_filename (folder, "file", NULL);

  for (guint old = 0; old < 2; old++)
    {
      g_autoptr (GError) error = NULL;

      set ("file:1");
      g_assert_false (capra_write_text (path, "new", &error));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
      g_assert_cmpint ((int) g_file_test (path, G_FILE_TEST_EXISTS), ==, (int) old);
      if (old)
        g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, old ? "old" : NULL);
      g_clear_error (&error);
      g_assert_true (capra_write_private (path, "old", &error)); /* the second write */
    }
  set (NULL);
  support_folder_remove (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fault/invalid", test_invalid);
  g_test_add_func ("/fault/moments", test_moments);
  g_test_add_func ("/fault/lost", test_lost);
  g_test_add_func ("/fault/file", test_file);
  return g_test_run ();
}
