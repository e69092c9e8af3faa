/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of tables: numbers as text, CSV, JSON and files. */
#include <locale.h>
#include <math.h>
#include <string.h>
#include <gio/gio.h>
#include <glib/gstdio.h>

#include "tests/support/support-json.h"
#include "tests/support/support.h"

static const char *const columns[] = { "label", "mean", NULL };

static CapraTable *
table_sample (void)
{
  CapraTable *table = capra_table_new (columns);

  capra_table_add_row (table, (double[]){ 1, 0.1 });
  capra_table_add_row (table, (double[]){ 20, NAN });
  return table;
}

static void
test_access (void)
{
  g_autoptr (CapraTable) table = table_sample ();
  g_autoptr (CapraTable) other = capra_table_ref (table);

  g_assert_cmpuint (capra_table_get_rows (other), ==, 2);
  g_assert_cmpuint (capra_table_get_columns (other), ==, 2);
  g_assert_cmpstr (capra_table_get_name (other, 1), ==, "mean");
  g_assert_cmpfloat (capra_table_get (other, 1, 0), ==, 20);
  g_assert_true (isnan (capra_table_get (other, 1, 1)));
}

static void
test_numbers (void)
{
  static const struct {
    double value;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { -0.0, "-0" },
    { 0.1, "0.1" },
    { -2.5, "-2.5" },
    { 1.0 / 3, "0.3333333333333333" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 16777217, "16777217" },
    { 9007199254740992.0, "9007199254740992" },
    { -9007199254740991.0, "-9007199254740991" },
    { 1e300, "1e+300" },
    { 5e-324, "5e-324" },
    { 1.7976931348623157e308, "1.7976931348623157e+308" },
    { (double) 0.1f, "0.10000000149011612" },
    { INFINITY, "inf" },
    { -INFINITY, "-inf" },
    { NAN, "nan" },
    { -NAN, "nan" },
  };
  static const char *const one[] = { "x", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CapraTable) table = capra_table_new (one);
      g_autofree char *wanted = g_strdup_printf ("x\r\n%s\r\n", cases[i].text);
      g_autofree char *csv = NULL;

      capra_table_add_row (table, &cases[i].value);
      csv = capra_table_to_csv (table);
      g_assert_cmpstr (csv, ==, wanted);
    }
}

/* Any double reads back the same. */
static void
test_round_trip (void)
{
  static const char *const one[] = { "x", NULL };

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (CapraTable) table = capra_table_new (one);
      g_autofree char *csv = NULL;
      guint64 bits = ((guint64) g_test_rand_int () << 32) | (guint32) g_test_rand_int ();
      double value;

      memcpy (&value, &bits, sizeof value);
      if (isnan (value))
        continue;
      capra_table_add_row (table, &value);
      csv = capra_table_to_csv (table);
      g_assert_cmpfloat (g_ascii_strtod (csv + strlen ("x\r\n"), NULL), ==, value);
    }
}

/* Any number in JSON reads back the same; NaN and infinities are null. */
static void
test_json_round_trip (void)
{
  static const char *const one[] = { "x", NULL };
  g_autoptr (CapraTable) table = capra_table_new (one);
  g_autofree char *json = NULL;
  g_autoptr (JsonNode) root = NULL;

  for (guint i = 0; i < 20000; i++)
    {
      guint64 bits = ((guint64) g_test_rand_int () << 32) | (guint32) g_test_rand_int ();
      double value;

      memcpy (&value, &bits, sizeof value);
      if (i % 4 == 0)
        value = round (ldexp ((double) (gint64) bits, -(int) (i % 60)));
      capra_table_add_row (table, &value);
    }
  capra_table_add_row (table, (double[]){ -0.0 });
  json = capra_table_to_json (table);
  root = support_json_parse (json);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (root)), ==, 20001);
  for (guint i = 0; i <= 20000; i++)
    {
      JsonObject *row = json_array_get_object_element (json_node_get_array (root), i);
      double value = capra_table_get (table, i, 0);

      if (isfinite (value))
        g_assert_cmpfloat (json_object_get_double_member (row, "x"), ==, value);
      else
        g_assert_true (json_object_get_null_member (row, "x"));
    }
  g_assert_true (
    signbit (json_object_get_double_member (json_array_get_object_element (json_node_get_array (root), 20000), "x")));
}

static void
test_text (void)
{
  g_autoptr (CapraTable) table = table_sample ();
  g_autofree char *text = capra_table_to_text (table);

  g_assert_cmpstr (text, ==,
                   "label  mean\n"
                   "    1   0.1\n"
                   "   20   nan\n");
}

static void
test_csv (void)
{
  static const char *const names[] = { "plain", "with, comma", "a \"quote\"", NULL };
  g_autoptr (CapraTable) table = capra_table_new (names);
  g_autofree char *csv = NULL;

  capra_table_add_row (table, (double[]){ 1, -0.5, 1e-7 });
  csv = capra_table_to_csv (table);
  g_assert_cmpstr (csv, ==,
                   "plain,\"with, comma\",\"a \"\"quote\"\"\"\r\n"
                   "1,-0.5,1e-07\r\n");
}

static void
test_json (void)
{
  static const char *const names[] = { "a\"\\\n", "b", NULL };
  g_autoptr (CapraTable) table = capra_table_new (names);
  g_autofree char *empty = capra_table_to_json (table);
  g_autofree char *json = NULL;

  g_assert_cmpstr (empty, ==, "[]\n");
  capra_table_add_row (table, (double[]){ 1, 0.25 });
  capra_table_add_row (table, (double[]){ NAN, INFINITY });
  json = capra_table_to_json (table);
  g_assert_cmpstr (json, ==,
                   "[\n"
                   "  {\"a\\\"\\\\\\n\":1,\"b\":0.25},\n"
                   "  {\"a\\\"\\\\\\n\":null,\"b\":null}\n"
                   "]\n");
}

/* Numbers have a decimal point in every locale. */
static void
test_locale (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_NUMERIC, NULL));
  g_autoptr (CapraTable) table = table_sample ();
  g_autofree char *csv = NULL, *json = NULL;

  if (!setlocale (LC_NUMERIC, "de_DE.UTF-8") && !setlocale (LC_NUMERIC, "fr_FR.UTF-8"))
    {
      g_test_skip ("no locale with a decimal comma is installed");
      return;
    }
  csv = capra_table_to_csv (table);
  json = capra_table_to_json (table);
  setlocale (LC_NUMERIC, before);
  g_assert_cmpstr (csv, ==, "label,mean\r\n1,0.1\r\n20,nan\r\n");
  g_assert_nonnull (strstr (json, "{\"label\":1,\"mean\":0.1000000000"));
}

static void
test_save (void)
{
  g_autoptr (CapraTable) table = table_sample ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename (folder, "t.csv", NULL);
  g_autofree char *json = g_build_filename (folder, "t.json", NULL);
  g_autofree char *contents = NULL, *wanted = capra_table_to_csv (table);

  g_assert_true (g_file_set_contents (csv, "old", -1, NULL));
  g_assert_true (capra_table_save (table, csv, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (csv, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, wanted);

  g_clear_pointer (&contents, g_free);
  g_clear_pointer (&wanted, g_free);
  wanted = capra_table_to_json (table);
  g_assert_true (capra_table_save (table, json, &error));
  g_assert_true (g_file_get_contents (json, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, wanted);

  g_unlink (csv);
  g_unlink (json);
  g_assert_cmpint (g_rmdir (folder), ==, 0); /* no other file is in the folder */
}

/* A symbolic link still points to the file, and a device is still a device. */
static void
test_save_special (void)
{
  g_autoptr (CapraTable) table = table_sample ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "t.csv", NULL);
  g_autofree char *link = g_build_filename (folder, "link.csv", NULL);
  g_autofree char *contents = NULL, *wanted = capra_table_to_csv (table);
  g_autoptr (GFile) made = g_file_new_for_path (link);

  g_assert_true (g_file_set_contents (file, "old", -1, NULL));
  g_assert_true (g_file_make_symbolic_link (made, file, NULL, NULL));
  g_assert_true (capra_table_save (table, link, &error));
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_get_contents (file, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, wanted);

  g_assert_true (capra_table_save (table, "/dev/null", &error));
  g_assert_false (g_file_test ("/dev/null", G_FILE_TEST_IS_REGULAR));

  g_unlink (link);
  g_unlink (file);
  g_rmdir (folder);
}

static void
test_save_error (void)
{
  g_autoptr (CapraTable) table = table_sample ();
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *missing = g_build_filename (folder, "no", "t.csv", NULL);
  const char *paths[] = { missing, folder };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (capra_table_save (table, paths[i], &error));
      g_assert_cmpuint (error->domain, ==, G_FILE_ERROR);
      g_assert_nonnull (strstr (error->message, paths[i]));
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* NumPy's format, version 3.0, read by the letter: a header that ends at a multiple of 64 bytes, then the values. */
static void
test_npy (void)
{
  static const char *const names[] = { "label", "mean", "it's \\ \303\251", NULL };
  const double rows[2][3] = { { 1, 0.1, -0.0 }, { G_MAXDOUBLE, NAN, INFINITY } };
  g_autoptr (CapraTable) table = capra_table_new (names), empty = capra_table_new (names);
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL), *path = g_build_filename (folder, "t.npy", NULL);
  g_autofree char *header = NULL, *contents = NULL, *none = NULL;
  g_autoptr (GError) error = NULL;
  const char *order = G_BYTE_ORDER == G_LITTLE_ENDIAN ? "<" : ">";
  gsize length, start;

  for (guint i = 0; i < 2; i++)
    capra_table_add_row (table, rows[i]);
  g_assert_true (capra_table_save (table, path, &error));
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_cmpmem (contents, 8, "\x93NUMPY\3\0", 8);
  start = 12 + ((guint8) contents[8] | (gsize) (guint8) contents[9] << 8);
  g_assert_cmpmem (contents + 10, 2, "\0\0", 2);
  g_assert_cmpuint (start % 64, ==, 0);
  g_assert_cmpuint (length, ==, start + sizeof rows);
  g_assert_cmpmem (contents + start, sizeof rows, rows, sizeof rows);
  header = g_strdup_printf ("{'descr': [('label', '%sf8'), ('mean', '%sf8'), ('it\\'s \\\\ \303\251', '%sf8')], "
                            "'fortran_order': False, 'shape': (2,), }",
                            order, order, order);
  contents[start - 1] = '\0';
  g_assert_cmpstr (g_strchomp (contents + 12), ==, header);
  g_assert_true (capra_table_save (empty, path, &error));
  g_assert_true (g_file_get_contents (path, &none, &length, NULL));
  g_assert_cmpuint (length % 64, ==, 0);
  g_assert_nonnull (strstr (none + 12, "'shape': (0,)"));
  g_unlink (path);
  g_rmdir (folder);
}

/* Columns with tabs between them, in full precision; the names of columns as in CSV. */
static void
test_tsv (void)
{
  static const char *const names[] = { "label", "a\tb", NULL };
  g_autoptr (CapraTable) table = capra_table_new (names);
  g_autofree char *text = NULL;

  capra_table_add_row (table, (const double[]){ 1, 1.0 / 3 });
  capra_table_add_row (table, (const double[]){ 2, NAN });
  text = capra_table_to_tsv (table);
  g_assert_cmpstr (text, ==, "label\t\"a\tb\"\n1\t0.3333333333333333\n2\tnan\n");
}

static void
test_print (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (CapraTable) table = table_sample ();

      g_assert_true (capra_table_save (table, "-", NULL));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*label  mean\n    1   0.1\n   20   nan\n*");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table/access", test_access);
  g_test_add_func ("/table/numbers", test_numbers);
  g_test_add_func ("/table/round-trip", test_round_trip);
  g_test_add_func ("/table/text", test_text);
  g_test_add_func ("/table/csv", test_csv);
  g_test_add_func ("/table/json", test_json);
  g_test_add_func ("/table/json-round-trip", test_json_round_trip);
  g_test_add_func ("/table/locale", test_locale);
  g_test_add_func ("/table/save", test_save);
  g_test_add_func ("/table/save-special", test_save_special);
  g_test_add_func ("/table/save-error", test_save_error);
  g_test_add_func ("/table/npy", test_npy);
  g_test_add_func ("/table/tsv", test_tsv);
  g_test_add_func ("/table/print", test_print);
  return g_test_run ();
}
