/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quirks: which entries hold for a device, what they change, and files with errors. Each case runs in a process of its
 * own, since the files are read once. */
#include <gio/gio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "algorithms/label/label.h"
#include "algorithms/threshold/threshold.h"
#include "tests/support/support-json.h"
#include "tests/support/support.h"

/* The entries of the user that hold have these names, separated by commas. */
#define EXPECTED "CAPRA_TEST_QUIRKS"

static char *folder; /* the user's configuration */

/* Writes the user's file, and runs the test @child in another process. */
static void
run_child (const char *entries, const char *child)
{
  g_autofree char *path = g_build_filename (folder, "capra", "quirks.ini", NULL);

  g_assert_true (g_file_set_contents (path, entries, -1, NULL));
  g_test_trap_subprocess (child, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* An entry for all devices. */
static char *
new_entry (const char *name, const char *lines)
{
  return g_strdup_printf ("[%s]\nplatform=*\nreason=a test\n%s\n", name, lines);
}

/* What is shipped has no errors, and names kernels and variants that exist. */
static void
test_shipped (void)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data ("/capra/quirks.ini", 0, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) names = NULL;

  g_assert_true (g_key_file_load_from_bytes (file, bytes, G_KEY_FILE_NONE, NULL));
  names = g_key_file_get_groups (file, NULL);
  g_assert_cmpuint (g_strv_length (names), >, 0);
  for (char **name = names; *name; name++)
    {
      g_auto (GStrv) kernels = g_key_file_get_string_list (file, *name, "kernels", NULL, NULL);
      g_autofree char *variant = g_key_file_get_string (file, *name, "variant", NULL);
      g_auto (GStrv) parts = variant ? g_strsplit (variant, "=", 2) : NULL;

      for (char **kernel = kernels; kernel && *kernel; kernel++)
        {
          g_autofree char *path = g_strdup_printf ("/capra/kernels/%s.cl", *kernel);

          g_assert_true (strchr (*kernel, '*') || g_resources_get_info (path, 0, NULL, NULL, NULL));
        }
      if (parts)
        g_assert_true (g_key_file_has_group (capra_tuning_candidates (), parts[0]));
    }
  g_setenv (EXPECTED, "", TRUE);
  /* Also as the user's file: warnings end the child. */
  run_child (g_bytes_get_data (bytes, NULL), "/quirks/subprocess/strict");
}

static void
check_names (void)
{
  const GPtrArray *quirks = capra_quirks_list (support_device (0));
  GString *names = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i < quirks->len; i++)
    {
      const CapraQuirk *quirk = quirks->pdata[i];

      if (quirk->file && g_str_has_prefix (quirk->name, "test"))
        g_string_append_printf (names, "%s%s", names->len > 0 ? "," : "", quirk->name);
    }
  text = g_string_free (names, FALSE);
  g_assert_cmpstr (text, ==, g_getenv (EXPECTED));
}

static void
names_child (void)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK); /* errors of the file are warnings */
  check_names ();
}

static void
test_match (void)
{
  const CapraDeviceInfo *info = capra_device_get_info (support_device (0));
  const char *digits = info->driver + strcspn (info->driver, "0123456789");
  int major = atoi (digits);
  g_autofree char *small = g_utf8_strdown (info->platform_name, -1), *large = g_utf8_strup (info->name, -1);
  g_autofree char *entries = NULL;

  g_assert_true (*digits);
#define REST "action=refuse-kernels\nkernels=none\nreason=a test\n"
  entries = g_strdup_printf ("[test1]\nplatform=%s\n" REST "[test2]\ndevice=%s\n" REST
                             "[test3]\nvendor=*\nplatform=Unknown*\n" REST "[test4]\nvendor=*\ndriver-from=%d\n" REST
                             "[test5]\nvendor=*\ndriver-from=%d\n" REST "[test6]\nvendor=*\ndriver-before=%d\n" REST
                             "[test7]\nvendor=*\ndriver-before=%d.0\n" REST
                             "[test8]\nvendor=*\ndriver-from=0.99.5\n" REST "[test9]\ndevice=*\naction=none\n",
                             small, large, major, major + 1, major + 1, major);
  g_setenv (EXPECTED, "test1,test2,test4,test6,test8", TRUE);
  run_child (entries, "/quirks/subprocess/strict");
}

static void
test_wrong (void)
{
  static const char *const lines[][2] = {
    { "platform=*", "line 1: *before the first entry*" },
    { "[test1", "line 2: *name of an entry*" },
    { "[]", "line 3: *name of an entry*" },
    { "[test2]", NULL },
    { "reason", "line 5: \"reason\" is neither*" },
    { "[test3]", "line 6: \"test3\" lacks action=*" },
    { "platform=*", NULL },
    { "[test4]", NULL },
    { "action=burn", "line 9: unknown action \"burn\"*refuse-device*" },
    { "[test5]", "line 10: \"test5\" lacks kernels=*" },
    { "platform=*", NULL },
    { "action=refuse-kernels", NULL },
    { "[test6]", NULL },
    { "platfrom=*", "line 14: unknown key \"platfrom\"*" },
    { "[test7]", "line 15: \"test7\" lacks platform=*" },
    { "action=refuse-device", NULL },
    { "[test8]", NULL },
    { "variant=group", "line 18: \"group\" is not a variant*" },
    { "driver-from=new", "line 19: \"new\" is not a version*" },
    { "device=", "line 20: \"device\" has no value*" },
    { "[test9]", NULL },
    { "platform=*", NULL },
    { "platform=*", "line 23: \"platform\" is set twice*" },
    { "[test10]", NULL },
    { "platform=*", NULL },
    { "action=refuse-kernels", NULL },
    { "kernels=none", NULL },
    { "reason=the rest is read", NULL },
    { "[test10]", "line 29: *exists already*" },
  };
  GString *entries = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    g_string_append_printf (entries, "%s\n", lines[i][0]);
  text = g_string_free (entries, FALSE);
  g_setenv (EXPECTED, "test10", TRUE);
  run_child (text, "/quirks/subprocess/names");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (lines[i][1])
      {
        g_autofree char *pattern = g_strdup_printf ("*quirks.ini, %s", lines[i][1]);

        g_test_trap_assert_stderr (pattern);
      }
}

/* Labels one pixel; NULL with @error set if that fails. */
static CapraArray *
label (GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;
  float value = 1;
  g_autoptr (CapraArray) mask = capra_array_new_from_data (support_device (0), &CAPRA_SHAPE_2D (1, 1, CAPRA_F32),
                                                           &value, error);
  guint32 count = 0;

  return mask ? capra_label (mask, &options, &count, error) : NULL;
}

static void
options_child (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (label (&error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_BUILD);
  g_assert_nonnull (strstr (error->message, "-Dkernel=broken -Dother"));
}

static void
test_options (void)
{
  g_autofree char *one = new_entry ("test1", "action=add-options\nkernels=x*;label-*\noptions=-Dkernel=broken");
  g_autofree char *other = new_entry ("test2", "action=add-options\nkernels=*\noptions=-Dother");
  g_autofree char *entries = g_strconcat (one, other, NULL);

  run_child (entries, "/quirks/subprocess/options");
}

static void
refused_child (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (label (&error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_DEVICE);
  g_assert_true (capra_error_is_device_failure (error->code)); /* another device is tried */
  g_assert_nonnull (strstr (error->message, "a test"));
  g_assert_nonnull (strstr (error->message, "replace the entry \"test\" in quirks.ini"));
}

static void
test_kernels (void)
{
  g_autofree char *entry = new_entry ("test", "action=refuse-kernels\nkernels=label-*");

  run_child (entry, "/quirks/subprocess/refused");
}

static void
device_child (void)
{
  const GPtrArray *devices = support_devices ();
  g_autoptr (GPtrArray) all = capra_device_select_several ("all", NULL);
  g_autoptr (GError) error = NULL;
  CapraDevice *best = capra_device_select ("auto", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, devices->len - 1);
  g_assert_true (best == devices->pdata[0]);
  g_assert_true (all->pdata[0] == best);
}

/* capra_device_explain() lists it as refused, and the quirk with its reason. */
static void
explained_child (void)
{
  g_autoptr (GPtrArray) findings = capra_device_explain ();
  guint refused = 0;

  for (guint i = 0; i < findings->len; i++)
    {
      const CapraFinding *finding = findings->pdata[i];

      g_assert_false (finding->kind == CAPRA_FINDING_DEVICE && finding->state == CAPRA_FINDING_USED);
      refused += finding->kind == CAPRA_FINDING_KERNELS && strstr (finding->reason, "a test") != NULL;
    }
  g_assert_cmpuint (refused, ==, support_devices ()->len);
}

/* The one of two devices that would be the default is refused: PoCL's "basic" has one thread, and comes first. */
static void
test_device (void)
{
  g_autofree char *entry = new_entry ("test", "action=refuse-device"), *kept = g_strdup (g_getenv ("POCL_DEVICES"));

  run_child (entry, "/quirks/subprocess/refused");
  run_child (entry, "/quirks/subprocess/explained");
  if (!g_str_has_prefix (capra_device_get_info (support_device (0))->driver, "3.1+") || !kept)
    {
      g_test_skip ("devices of different names: only with PoCL 3.1");
      return;
    }
  g_setenv ("POCL_DEVICES", "basic pthread", TRUE);
  run_child ("[test]\ndevice=pthread*\naction=refuse-device\nreason=a test\n", "/quirks/subprocess/device");
  g_setenv ("POCL_DEVICES", kept, TRUE);
}

static void
refuse_to_end (void)
{
  _exit (EXIT_FAILURE);
}

/* exit() in a forked child does not call the functions that were registered before the fork. */
static void
children_child (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = capra_array_new (support_device (0), &CAPRA_SHAPE_2D (8, 8, CAPRA_F32), &error);
  int status = 0;
  pid_t child;

  g_assert_no_error (error);
  atexit (refuse_to_end);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    exit (EXIT_SUCCESS);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  _exit (status == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void
test_children (void)
{
  g_autofree char *entry = new_entry ("test", "action=end-children");

  run_child (entry, "/quirks/subprocess/children");
}

static void
variant_child (void)
{
  CapraDevice *device = support_device (0);
  const char *other = capra_tuning_get_word (device, "label.variant", NULL), *avoided = g_getenv (EXPECTED);
  g_autofree char *forced = g_strdup_printf ("label.variant=%s", avoided);
  g_autoptr (CapraArray) labels = label (NULL);

  g_assert_nonnull (labels);
  g_assert_cmpstr (other, !=, avoided);
  g_assert_true (capra_quirks_avoid (device, "label.variant", avoided));
  g_assert_false (capra_quirks_avoid (device, "label.variant", other));
  g_assert_false (capra_quirks_avoid (device, "label", avoided));
  g_setenv ("CAPRA_TUNING", forced, TRUE);
  g_assert_cmpstr (capra_tuning_get_word (device, "label.variant", NULL), ==, avoided);
}

static void
test_variant (void)
{
  const char *used = capra_tuning_get_word (support_device (0), "label.variant", NULL);
  g_autofree char *line = g_strdup_printf ("action=avoid-variant\nvariant=label.variant=%s", used);
  g_autofree char *entry = new_entry ("test", line);

  g_setenv (EXPECTED, used, TRUE);
  run_child (entry, "/quirks/subprocess/variant");
}

/* Otsu's kernel, which PoCL 3.1 compiles wrongly without the option of the shipped file: this process then ends by a
 * signal, or finds another threshold. */
static void
compiler_child (void)
{
  float values[999];
  double value = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) image = NULL;

  support_force_tuning ("histogram.variant=group,threshold.search=device");
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = i % 3 == 0 ? 0.25f : i % 3 == 1 ? 0.75f : 1.0f;
  image = support_array (support_device (0), 37, 27, 1, 1, values);
  g_assert_true (capra_threshold_find (image, CAPRA_THRESHOLD_OTSU, &value, &error));
  g_assert_no_error (error);
  /* The middle of the first bin of 256 between 0.25 and 1: of equal variances the first is taken. */
  g_assert_cmpfloat_with_epsilon (value, 0.25 + 0.75 / 512, 1e-6);
}

static void
test_compiler (void)
{
  run_child ("", "/quirks/subprocess/compiler");
}

static void
test_devices (void)
{
  g_autofree char *entry = new_entry ("test", "action=refuse-kernels\nkernels=label-*;none\nlink=https://example.org");
  g_autofree char *path = g_build_filename (folder, "capra", "quirks.ini", NULL), *output = NULL, *json_output = NULL;
  g_autofree char *text = g_strconcat (g_getenv ("CAPRA_PROGRAM"), " devices", NULL);
  g_autofree char *as_json = g_strconcat (text, " --json", NULL);
  g_autofree char *why = g_strconcat (text, " --why", NULL), *reasons = NULL;
  g_autoptr (JsonNode) json = NULL;
  JsonObject *quirk = NULL;
  int status = 0;

  g_assert_true (g_file_set_contents (path, entry, -1, NULL));
  g_assert_true (g_spawn_command_line_sync (text, &output, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_nonnull (strstr (output, " test: the kernels label-*, none are not used: a test (https://example.org)\n"));
  g_assert_true (g_spawn_command_line_sync (why, &reasons, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_nonnull (strstr (reasons, "quirk test of 0: "));
  g_assert_true (g_spawn_command_line_sync (as_json, &json_output, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  json = support_json_parse (json_output);
  quirk = support_json_find (
    json_object_get_array_member (json_array_get_object_element (json_node_get_array (json), 0), "quirks"), "name",
    "test");
  g_assert_cmpstr (json_object_get_string_member (quirk, "action"), ==, "refuse-kernels");
  g_assert_cmpstr (json_object_get_string_member (quirk, "file"), ==, path);
}

int
main (int argc, char **argv)
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  if (!g_test_subprocess ())
    {
      g_autofree char *own = NULL;

      folder = g_dir_make_tmp ("capra-quirks-XXXXXX", NULL);
      own = g_build_filename (folder, "capra", NULL);
      g_assert_cmpint (g_mkdir_with_parents (own, 0700), ==, 0);
      g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
    }
  g_test_add_func ("/quirks/shipped", test_shipped);
  g_test_add_func ("/quirks/match", test_match);
  g_test_add_func ("/quirks/wrong", test_wrong);
  g_test_add_func ("/quirks/options", test_options);
  g_test_add_func ("/quirks/kernels", test_kernels);
  g_test_add_func ("/quirks/device", test_device);
  g_test_add_func ("/quirks/children", test_children);
  g_test_add_func ("/quirks/variant", test_variant);
  g_test_add_func ("/quirks/compiler", test_compiler);
  g_test_add_func ("/quirks/devices", test_devices);
  g_test_add_func ("/quirks/subprocess/strict", check_names);
  g_test_add_func ("/quirks/subprocess/names", names_child);
  g_test_add_func ("/quirks/subprocess/options", options_child);
  g_test_add_func ("/quirks/subprocess/refused", refused_child);
  g_test_add_func ("/quirks/subprocess/explained", explained_child);
  g_test_add_func ("/quirks/subprocess/device", device_child);
  g_test_add_func ("/quirks/subprocess/children", children_child);
  g_test_add_func ("/quirks/subprocess/variant", variant_child);
  g_test_add_func ("/quirks/subprocess/compiler", compiler_child);
  status = g_test_run ();
  if (folder)
    {
      g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", folder);

      g_free (folder);
      g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
    }
  return status;
}
