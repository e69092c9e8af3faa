/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the samples that a reader decodes. */
#include "tests/panel/collect.h"

#include <glib/gstdio.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "ui/pipeline/error.h"

static char *folder;

int
collect_run (void)
{
  int status = 0;

  folder = g_dir_make_tmp ("capra-numbers-XXXXXX", NULL);
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}

char *
collect_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static gboolean
begin (const CapraSampleLayout *layout, gpointer data, GError **error)
{
  CollectedNumbers *numbers = data;

  numbers->layout = *layout;
  numbers->values = g_new0 (double, (gsize) layout->width *(gsize) layout->height *(gsize) layout->channels);
  return TRUE;
}

static gboolean
take (int y, int rows, gconstpointer samples, gpointer data, GError **error)
{
  CollectedNumbers *numbers = data;
  gsize row = (gsize) numbers->layout.width * (gsize) numbers->layout.channels;

  g_assert_cmpint (y, ==, numbers->rows);
  numbers->rows += rows;
  return capra_samples_to_doubles (numbers->layout.type, samples, row * (gsize) rows,
                                   numbers->values + (gsize) y * row);
}

CapraSampleSink
collect_sink (CollectedNumbers *numbers)
{
  return (CapraSampleSink){ begin, take, numbers };
}

char *
collect_write (const char *name, gconstpointer bytes, gsize length)
{
  char *path = collect_path (name);

  g_remove (path); /* GLib waits for the disk when it replaces a file */
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
  return path;
}

CollectedNumbers
collect_numbers (CapraSampleReader read, const char *path)
{
  CollectedNumbers numbers = { .values = NULL };
  CapraSampleSink sink = collect_sink (&numbers);
  g_autofree char *remark = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (read (path, &sink, &remark, &error));
  g_assert_no_error (error);
  g_assert_cmpint (numbers.rows, ==, numbers.layout.height);
  return numbers;
}

void
collect_assert_layout (const CollectedNumbers *numbers, int width, int height, int channels, CapraSampleType type)
{
  g_assert_cmpint (numbers->layout.width, ==, width);
  g_assert_cmpint (numbers->layout.height, ==, height);
  g_assert_cmpint (numbers->layout.channels, ==, channels);
  g_assert_cmpint (numbers->layout.type, ==, type);
}

void
collect_assert_truncated_fails (CapraSampleReader read, const guint8 *bytes, gsize length)
{
  for (gsize cut = 0; cut < length; cut += 1 + length / 200)
    {
      g_autofree char *path = collect_write ("cut", bytes, cut);
      CollectedNumbers numbers = { .values = NULL };
      CapraSampleSink sink = collect_sink (&numbers);
      g_autoptr (GError) error = NULL;

      if (read (path, &sink, NULL, &error))
        g_error ("reading %zu of %zu bytes did not fail", cut, length);
      g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE);
      g_assert_cmpstr (error->message, !=, "");
      g_free (numbers.values);
    }
}

void
collect_assert_refused (CapraSampleReader read, const char *path, const char *text)
{
  CollectedNumbers numbers = { .values = NULL };
  CapraSampleSink sink = collect_sink (&numbers);
  g_autoptr (GError) error = NULL;

  g_assert_false (read (path, &sink, NULL, &error));
  g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE);
  if (!strstr (error->message, text))
    g_error ("“%s” does not contain “%s”", error->message, text);
  g_free (numbers.values);
}
