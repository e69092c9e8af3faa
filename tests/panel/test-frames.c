/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FITS cubes in the panel: the first plane, choosing another one, and the keywords; the data sets of HDF5
 * files. */
#include <gegl.h>
#include <glib/gstdio.h>
#ifdef HAVE_HDF5
#include <hdf5.h>
#endif
#include <math.h>
#include <string.h>

#include "capra.h"
#include "tests/panel/shot.h"
#include "ui/panel/batch/batch-item.h"
#include "ui/panel/batch/batch-window.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/read/frames.h"
#include "ui/pipeline/text/shell-command.h"

#define WIDTH 160
#define HEIGHT 120
#define PLANES 5
#define BLOCK 2880

static char *folder;

/* Of a pixel counted from the top. */
static float
get_value (int plane, int x, int y)
{
  return x < 8 && y < 8 ? NAN : (float) (plane * 1000 + y) + (float) x / 256;
}

static GFile *
write_cube (void)
{
  static const char *const cards[] = { "SIMPLE  =                    T", "BITPIX  =                  -32",
                                       "NAXIS   =                    3", "NAXIS1  =                  160",
                                       "NAXIS2  =                  120", "NAXIS3  =                    5",
                                       "OBJECT  = 'a cube <&>'",         "END" };
  g_autoptr (GString) file = g_string_new (NULL);
  g_autofree char *path = g_build_filename (folder, "cube.fits", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    g_string_append_printf (file, "%-80s", cards[i]);
  while (file->len % BLOCK)
    g_string_append_c (file, ' ');
  for (int plane = 0; plane < PLANES; plane++)
    for (int y = HEIGHT - 1; y >= 0; y--)
      for (int x = 0; x < WIDTH; x++)
        {
          float value = get_value (plane, x, y);
          guint32 bits;

          memcpy (&bits, &value, sizeof bits);
          bits = GUINT32_TO_BE (bits);
          g_string_append_len (file, (const char *) &bits, sizeof bits);
        }
  while (file->len % BLOCK)
    g_string_append_c (file, '\0');
  g_assert_true (g_file_set_contents (path, file->str, (gssize) file->len, NULL));
  return g_file_new_for_path (path);
}

static void
assert_plane (CapraPanelWindow *window, int plane)
{
  CapraProbe probe = { .x = -1 };
  double expected = (double) get_value (plane, 30, 70);

  for (int i = 0; i < 200; i++)
    {
      capra_preview_probe (capra_panel_window_get_preview (window), 30, 70);
      shot_rest (0.05);
      capra_preview_get_probe (capra_panel_window_get_preview (window), &probe);
      if (probe.x == 30 && probe.count > 0 && fabs (probe.values[0] - expected) < 1e-3)
        return;
    }
  g_assert_cmpfloat_with_epsilon (probe.values[0], expected, 1e-3);
}

static void
test_planes (void)
{
  g_autoptr (GFile) file = write_cube ();
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  CapraCanvas *canvas = capra_panel_window_get_canvas (window);
  GtkWidget *button = shot_find (GTK_WIDGET (window), GTK_TYPE_SPIN_BUTTON);

  gtk_window_present (GTK_WINDOW (window));
  g_assert_false (gtk_widget_is_visible (button));
  capra_document_open (capra_panel_window_get_document (window), file);
  SHOT_WAIT_FOR (gtk_widget_is_visible (button));
  assert_plane (window, 0);
  capra_canvas_zoom_to (canvas, 4.0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (button), 3);
  assert_plane (window, 3);
  g_assert_cmpfloat (capra_canvas_get_scale (canvas), ==, 4.0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (button), 100); /* the last one */
  assert_plane (window, PLANES - 1);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (button)), ==, PLANES - 1);
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "cube");
  shot_close (GTK_WIDGET (window));
}

static GtkWidget *
find_keywords (CapraPanelWindow *window)
{
  g_autoptr (GList) list = gtk_window_list_toplevels ();

  for (GList *item = list; item; item = item->next)
    if (gtk_window_get_transient_for (GTK_WINDOW (item->data)) == GTK_WINDOW (window)
        && shot_find (item->data, GTK_TYPE_TEXT_VIEW))
      return item->data;
  return NULL;
}

static void
test_keywords (void)
{
  g_autoptr (GFile) file = write_cube ();
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  GtkWidget *keywords = NULL;
  g_autofree char *text = NULL;

  gtk_window_present (GTK_WINDOW (window));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "show-keywords"));
  capra_document_open (capra_panel_window_get_document (window), file);
  SHOT_WAIT_FOR (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "show-keywords"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "show-keywords", NULL);
  keywords = find_keywords (window);
  g_assert_nonnull (keywords);
  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (shot_find (keywords, GTK_TYPE_TEXT_VIEW))), "text", &text,
                NULL);
  g_assert_nonnull (strstr (text, "OBJECT  = 'a cube <&>'"));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (keywords));
  shot_take (keywords, "keywords");
  shot_close (GTK_WIDGET (window));
}

#ifdef HAVE_HDF5
/* Each value is @value. */
static void
write_dataset (hid_t file, const char *name, int rank, const hsize_t *dims, float value)
{
  hid_t space = H5Screate_simple (rank, dims, NULL);
  hid_t dataset = H5Dcreate2 (file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  gsize count = (gsize) H5Sget_simple_extent_npoints (space);
  g_autofree float *values = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    values[i] = value;
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (dataset);
  H5Sclose (space);
}

static void
write_attribute (hid_t object, const char *name, const char *text)
{
  hid_t space = H5Screate (H5S_SCALAR), type = H5Tcopy (H5T_C_S1), attribute = -1;

  H5Tset_size (type, strlen (text));
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Awrite (attribute, type, text), >=, 0);
  H5Aclose (attribute);
  H5Tclose (type);
  H5Sclose (space);
}

/* The file names no default, unless NeXus' attribute "default" names @chosen. */
static GFile *
write_datasets (const char *name, const char *chosen)
{
  static const hsize_t dims[3] = { 4, HEIGHT, WIDTH };
  g_autofree char *path = g_build_filename (folder, name, NULL);
  hid_t file = -1;

  capra_hdf5_lock ();
  file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  write_dataset (file, "a flat", 2, dims + 1, 0.25f);
  write_dataset (file, "stack", 3, dims, 0.5f);
  if (chosen)
    write_attribute (file, "default", chosen);
  H5Fclose (file);
  capra_hdf5_unlock ();
  return g_file_new_for_path (path);
}

static void
assert_value (CapraPanelWindow *window, double expected)
{
  CapraProbe probe = { .x = -1 };

  SHOT_WAIT_FOR (capra_panel_window_get_preview (window));
  for (int i = 0; i < 200 && !(probe.count > 0 && fabs (probe.values[0] - expected) < 1e-6); i++)
    {
      capra_preview_probe (capra_panel_window_get_preview (window), 30, 70);
      shot_rest (0.05);
      capra_preview_get_probe (capra_panel_window_get_preview (window), &probe);
    }
  g_assert_cmpfloat_with_epsilon (probe.values[0], expected, 1e-6);
}

/* The one with frames is opened although it is not the first, and another can be chosen. */
static void
test_datasets (void)
{
  g_autoptr (GFile) file = write_datasets ("sets.h5", NULL);
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  GtkWidget *number = shot_find (GTK_WIDGET (window), GTK_TYPE_SPIN_BUTTON);
  GtkDropDown *sets = GTK_DROP_DOWN (shot_find (gtk_widget_get_parent (number), GTK_TYPE_DROP_DOWN));

  gtk_window_present (GTK_WINDOW (window));
  g_assert_false (gtk_widget_is_visible (GTK_WIDGET (sets)));
  capra_document_open (capra_panel_window_get_document (window), file);
  SHOT_WAIT_FOR (gtk_widget_is_visible (GTK_WIDGET (sets)) && gtk_widget_is_visible (number));
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (sets)), ==, 2);
  g_assert_cmpstr (gtk_string_object_get_string (gtk_drop_down_get_selected_item (sets)), ==, "/stack");
  assert_value (window, 0.5);
  /* Without a default, programs must be told which. */
  g_assert_cmpstr (capra_document_get_chosen_dataset (capra_panel_window_get_document (window)), ==, "/stack");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (number), 3);
  assert_value (window, 0.5);
  gtk_drop_down_set_selected (sets, 1);
  assert_value (window, 0.25);
  SHOT_WAIT_FOR (!gtk_widget_is_visible (number) && gtk_widget_is_visible (GTK_WIDGET (sets)));
  g_assert_cmpstr (gtk_string_object_get_string (gtk_drop_down_get_selected_item (sets)), ==, "/a flat");
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_take (GTK_WIDGET (window), "data-sets");
  shot_close (GTK_WIDGET (window));
}

/* The default of a NeXus file is opened, and the others can be chosen. */
static void
test_default_dataset (void)
{
  g_autoptr (GFile) file = write_datasets ("default.h5", "a flat");
  g_autofree char *path = g_file_get_path (file);
  g_auto (GStrv) sets = capra_hdf5_list_datasets (path);
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  CapraDocument *document = capra_panel_window_get_document (window);

  g_assert_cmpuint (g_strv_length (sets), ==, 2);
  g_assert_cmpstr (sets[0], ==, "/a flat");
  g_assert_cmpstr (sets[1], ==, "/stack");
  gtk_window_present (GTK_WINDOW (window));
  capra_document_open (document, file);
  assert_value (window, 0.25);
  g_assert_cmpstr (capra_document_get_dataset (document), ==, "/a flat");
  g_assert_null (capra_document_get_chosen_dataset (document)); /* other files may have another default */
  capra_document_set_dataset (document, "/stack");
  assert_value (window, 0.5);
  g_assert_cmpstr (capra_document_get_chosen_dataset (document), ==, "/stack");
  shot_close (GTK_WIDGET (window));
}

/* The frames of the numbered files of an Eiger detector are one sequence: there is nothing to choose. */
static void
test_numbered_files (void)
{
  static const hsize_t dims[3] = { 2, HEIGHT, WIDTH };
  g_autofree char *path = g_build_filename (folder, "x_master.h5", NULL);
  g_auto (GStrv) sets = NULL;
  hid_t file = -1, group = -1;

  capra_hdf5_lock ();
  for (guint i = 1; i <= 2; i++)
    {
      g_autofree char *part = g_strdup_printf ("%s/x_data_%06u.h5", folder, i);

      file = H5Fcreate (part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
      write_dataset (file, "data", 3, dims, 0.5f);
      H5Fclose (file);
    }
  file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate2 (file, "/entry", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  write_attribute (group, "NX_class", "NXentry");
  H5Gclose (group);
  group = H5Gcreate2 (file, "/entry/data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  write_attribute (group, "NX_class", "NXdata");
  H5Lcreate_external ("x_data_000001.h5", "/data", group, "data_000001", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external ("x_data_000002.h5", "/data", group, "data_000002", H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose (group);
  H5Fclose (file);
  capra_hdf5_unlock ();
  sets = capra_hdf5_list_datasets (path);
  g_assert_cmpuint (g_strv_length (sets), ==, 0);
  g_assert_cmpuint (capra_frames_count (path, NULL, NULL), ==, 4);
}

static CapraPanelWindow *
get_window (CapraPanelApplication *application)
{
  return CAPRA_PANEL_WINDOW (gtk_application_get_windows (GTK_APPLICATION (application))->data);
}

/* The next session opens the data set and the frame that were chosen. */
static void
test_restored_dataset (void)
{
  g_autoptr (GFile) file = write_datasets ("restored.h5", "a flat");
  CapraPanelApplication *application = shot_start ();
  CapraDocument *document = capra_panel_window_get_document (get_window (application));

  capra_document_open_frame (document, file, "/stack", 2);
  assert_value (get_window (application), 0.5);
  shot_quit (application);
  application = shot_start ();
  g_assert_cmpuint (shot_count_windows (application), ==, 1);
  assert_value (get_window (application), 0.5);
  document = capra_panel_window_get_document (get_window (application));
  g_assert_cmpstr (capra_document_get_dataset (document), ==, "/stack");
  g_assert_cmpuint (capra_document_get_frame (document), ==, 2);
  capra_document_set_dataset (document, "/a flat");
  assert_value (get_window (application), 0.25);
  shot_quit (application);
}

static CapraBatchWindow *
find_batch (void)
{
  g_autoptr (GList) list = gtk_window_list_toplevels ();

  for (GList *item = list; item; item = item->next)
    if (CAPRA_IS_BATCH_WINDOW (item->data))
      return item->data;
  return NULL;
}

/* "Apply to Many" reads the data set that was chosen in the window. */
static void
test_batch_dataset (void)
{
  g_autoptr (GFile) file = write_datasets ("batch.h5", NULL), output = g_file_new_for_path (folder);
  g_autoptr (GFile) result = g_file_get_child (output, "batch-capra.tif");
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  CapraBatchWindow *batch = NULL;
  g_autoptr (CapraImage) image = NULL;
  g_autoptr (CapraBatchItem) item = NULL;
  float value = 0.0f;

  gtk_window_present (GTK_WINDOW (window));
  capra_document_open_frame (capra_panel_window_get_document (window), file, "/a flat", 0);
  assert_value (window, 0.25);
  shot_add_step (window, "gegl:invert-linear");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.apply-to-many", NULL);
  SHOT_WAIT_FOR ((batch = find_batch ()) != NULL);
  capra_batch_window_set_names (batch, "{name}-capra.tif");
  g_list_store_append (files, file);
  capra_batch_window_add (batch, G_LIST_MODEL (files));
  SHOT_WAIT_FOR (g_list_model_get_n_items (capra_batch_window_get_items (batch)) == 1);
  capra_batch_window_set_output (batch, output);
  shot_take (GTK_WIDGET (batch), "batch-data-set");
  item = g_list_model_get_item (capra_batch_window_get_items (batch), 0);
  g_signal_emit_by_name (shot_find_button (GTK_WIDGET (batch), "_Apply"), "clicked");
  SHOT_WAIT_FOR (capra_batch_item_get_state (item) != CAPRA_BATCH_WAITING);
  g_assert_cmpstr (capra_batch_item_get_message (item), ==, NULL);
  image = capra_image_load (result, NULL);
  g_assert_nonnull (image);
  gegl_buffer_sample (image->buffer, 30, 70, NULL, &value, babl_format ("Y float"), GEGL_SAMPLER_NEAREST,
                      GEGL_ABYSS_NONE);
  g_assert_cmpfloat_with_epsilon (value, 0.75f, 1e-3f);
  gtk_window_destroy (GTK_WINDOW (batch));
  shot_close (GTK_WIDGET (window));
}

/* A command names it. */
static void
test_dataset_command (void)
{
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 1, 1), babl_format ("Y float"));
  const CapraCommandFiles files = { "sets.h5", "result.tif", "result.csv", "/a flat", 3 };
  g_autofree char *line = capra_steps_to_shell_command (steps, image, FALSE, &files);

  g_assert_nonnull (strstr (line, "capra run --dataset='/a flat' --frames=3 sets.h5 "));
}
#endif

int
main (int argc, char **argv)
{
  g_autofree char *programs = g_path_get_dirname (g_getenv ("CAPRA_PROGRAM"));
  g_autofree char *path = g_strdup_printf ("%s:%s", programs, g_getenv ("PATH"));
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("capra-frames-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_setenv ("PATH", path, TRUE);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  if (capra_fits_is_supported ())
    {
      g_test_add_func ("/frames/planes", test_planes);
      g_test_add_func ("/frames/keywords", test_keywords);
    }
#ifdef HAVE_HDF5
  g_test_add_func ("/frames/data-sets", test_datasets);
  g_test_add_func ("/frames/data-set-command", test_dataset_command);
  g_test_add_func ("/frames/default-data-set", test_default_dataset);
  g_test_add_func ("/frames/numbered-files", test_numbered_files);
  g_test_add_func ("/frames/restored-data-set", test_restored_dataset);
  g_test_add_func ("/frames/batch-data-set", test_batch_dataset);
#endif
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}
