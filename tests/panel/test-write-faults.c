/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the panel while a write to a file fails: each write, alone or with all later ones. A file is complete, as it
 * was before, or does not exist, and nothing else is left. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <string.h>

#include "ui/figure/page.h"
#include "ui/panel/steps/presets.h"
#include "ui/panel/window/state-file.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/write/save.h"
#include "tests/panel/steps.h"
#include "tests/support/support.h"

#define OLD "older"

static char *folder;
static GeglBuffer *image;

static char *
get_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* The states of two windows, in the file of a session. */
static gboolean
write_session (const char *path, GError **error)
{
  CapraWindowState states[] = { { "file:///image.tif", "capra:box-blur" }, { NULL, "gegl:invert" } };
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  CapraStateFile *file = capra_state_file_open ("session", error);
  gboolean done = FALSE;

  if (!file)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    g_ptr_array_add (all, &states[i]);
  done = capra_state_file_write (file, all, error);
  capra_state_file_close (file);
  return done;
}

static gboolean
write_preset (const char *path, GError **error)
{
  g_autoptr (GPtrArray) steps = steps_make_blur ("3");

  return capra_presets_save ("smooth", steps, error);
}

/* A graph, or timings. */
static gboolean
write_graph (const char *path, GError **error)
{
  g_autoptr (GPtrArray) steps = steps_make_blur ("3");
  g_autofree char *xml = capra_steps_to_xml (steps);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return capra_save_text (file, xml, error);
}

static gboolean
write_table (const char *path, GError **error)
{
  static const char *const columns[] = { "x", "area", NULL };
  g_autoptr (CapraTable) table = capra_table_new (columns);

  for (guint i = 0; i < 50; i++)
    capra_table_add_row (table, (double[]){ i, i * 1.5 });
  return capra_table_save (table, path, error);
}

static gboolean
write_image (const char *path, GError **error)
{
  g_autoptr (GPtrArray) steps = steps_make_blur ("3");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return capra_save (file, image, steps, 8, NULL, NULL, error);
}

static gboolean
write_figure (const char *path, GError **error)
{
  const CapraPageStyle style = { 12, 0x000000, 0xffffff };
  CapraPage *page = capra_page_new (&style);
  gboolean saved;

  cairo_rectangle (page->cr, 0, 0, 30, 20);
  cairo_stroke (page->cr);
  saved = capra_page_save (page, path, error);
  capra_page_free (page);
  return saved;
}

/* @name: of the file, relative to the folder that is also that of the user's data and states */
static const struct {
  const char *name;
  gboolean (*write) (const char *path, GError **error);
  const char *end; /* nullable: that of a complete file which differs from time to time, in its numbers or its date */
} files[] = {
  { "capra/session.ini", write_session },
  { "capra/presets/smooth.xml", write_preset },
  { "graph.xml", write_graph },
  { "table.csv", write_table },
  { "table.json", write_table },
  { "table.npy", write_table },
  { "image.png", write_image },
  { "image.tif", write_image },
  { "image.jpg", write_image },
  { "image.webp", write_image },
  { "image.ppm", write_image },
  { "image.exr", write_image },
  { "image.hdr", write_image },
  { "image.gegl", write_image },
  { "figure.png", write_figure },
  { "figure.svg", write_figure, "</svg>\n" },
  { "figure.pdf", write_figure, "%%EOF\n" },
};

static GLogWriterOutput
discard (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  return level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL) ? g_log_writer_default (level, fields, n, data)
                                                            : G_LOG_WRITER_HANDLED;
}

/* The file's contents; NULL if it does not exist. */
static GBytes *
read_file (const char *path)
{
  char *contents = NULL;
  gsize length = 0;

  return g_file_get_contents (path, &contents, &length, NULL) ? g_bytes_new_take (contents, length) : NULL;
}

static gboolean
is_complete (guint i, GBytes *found, GBytes *expected)
{
  const char *end = files[i].end;
  gsize length = 0;
  const char *contents = g_bytes_get_data (found, &length);

  if (!end)
    return g_bytes_equal (found, expected);
  return length > strlen (end) && memcmp (contents + length - strlen (end), end, strlen (end)) == 0;
}

/* Only the file itself, and the lock of a session, may be in its folder. */
static void
assert_nothing_else (const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path), *base = g_path_get_basename (path);
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    if (!g_str_equal (name, base) && !g_str_has_suffix (name, ".lock") && !g_str_equal (name, "capra")
        && !g_str_equal (name, "presets"))
      g_error ("%s is left beside %s", name, path);
}

/* Writes the file with a fault. Returns FALSE if it has no such write. */
static gboolean
try_moment (guint i, guint moment, const char *rest, gboolean replaced, GBytes *expected)
{
  g_autofree char *path = get_path (files[i].name), *faults = g_strdup_printf ("file:%u%s", moment, rest);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) found = NULL, old = g_bytes_new_static (OLD, strlen (OLD));
  gboolean written, reached, good;

  g_remove (path);
  if (replaced)
    g_assert_true (g_file_set_contents (path, OLD, -1, NULL));
  g_assert_true (capra_fault_set (faults, NULL));
  written = files[i].write (path, &error);
  reached = capra_fault_get_calls (CAPRA_FAULT_FILE) >= moment;
  capra_fault_set (NULL, NULL);
  g_assert_cmpint (written, ==, error == NULL);
  found = read_file (path);
  if (reached)
    g_assert_false (written);
  if (!reached)
    good = found && is_complete (i, found, expected);
  else
    good = replaced ? found && g_bytes_equal (found, old) : !found;
  if (!good)
    g_error ("%s, %s: the file is %s", files[i].name, faults, found ? "not as expected" : "lost");
  assert_nothing_else (path);
  return reached;
}

static void
test_file (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data), moments = 0;
  g_autofree char *path = get_path (files[i].name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) expected = NULL;
  gboolean more = TRUE;

  g_assert_true (files[i].write (path, &error));
  g_assert_no_error (error);
  expected = read_file (path);
  g_assert_nonnull (expected);
  for (guint moment = 1; more; moment++)
    {
      more = try_moment (i, moment, "", moment % 2 == 0, expected);
      more |= try_moment (i, moment, "-", moment % 2 != 0, expected);
      moments += more;
    }
  g_assert_cmpuint (moments, >, 0);
  g_test_message ("%u moments", moments);
  g_remove (path);
}

int
main (int argc, char *argv[])
{
  int status;

  folder = g_dir_make_tmp ("capra-test-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_log_set_writer_func (discard, NULL, NULL);
  gegl_init (&argc, &argv);
  image = steps_make_image (203, 117, "R'G'B' u8");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_strconcat ("/write-faults/", files[i].name, NULL);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_file);
    }
  status = g_test_run ();
  g_object_unref (image);
  gegl_exit ();
  return status;
}
