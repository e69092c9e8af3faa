/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding things in the panel: pinned areas, the narrow window, the readout, keys for areas and pages, the chooser. */
#include <gegl.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "ui/panel/preview/histogram.h"
#include "ui/panel/preview/probe.h"
#include "ui/panel/preview/status-bar.h"
#include "ui/panel/steps/catalog.h"
#include "ui/panel/steps/chooser.h"
#include "ui/panel/steps/operation-pictures.h"
#include "ui/panel/steps/step-list.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/sidebar.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/gegl-start.h"

static GeglBuffer *
make_image (void)
{
  const GeglRectangle extent = { 0, 0, 300, 200 };
  GeglBuffer *buffer = gegl_buffer_new (&extent, babl_format ("R'G'B'A float"));
  g_autofree float *pixels = g_new (float, 300 * 200 * 4);

  for (int i = 0; i < 300 * 200; i++)
    {
      pixels[4 * i] = (float) (i % 300) / 300.0f;
      pixels[4 * i + 1] = (float) (i / 300) / 200.0f;
      pixels[4 * i + 2] = (i % 300) / 40 % 2 ? 0.9f : 0.1f;
      pixels[4 * i + 3] = 1.0f;
    }
  gegl_buffer_set (buffer, &extent, 0, NULL, pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static CapraPanelWindow *
open_window (int width, int height, guint steps)
{
  g_autoptr (GeglBuffer) image = make_image ();
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "image.png", NULL, NULL);
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  for (guint i = 0; i < steps; i++)
    {
      g_autoptr (CapraStep) step = capra_step_new ("gegl:gaussian-blur");

      capra_step_model_insert (pipeline, step, -1);
    }
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (GTK_WIDGET (window)) && gtk_widget_get_width (GTK_WIDGET (window)) > 0);
  shot_rest (0.2);
  g_test_message ("%d x %d", gtk_widget_get_width (GTK_WIDGET (window)), gtk_widget_get_height (GTK_WIDGET (window)));
  SHOT_WAIT_FOR (shot_is_complete (window));
  return window;
}

/* Where @widget is in the window. */
static graphene_rect_t
get_place (CapraPanelWindow *window, GtkWidget *widget)
{
  graphene_rect_t place;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &place));
  return place;
}

static void
assert_inside (CapraPanelWindow *window, GtkWidget *widget)
{
  graphene_rect_t place = get_place (window, widget);

  g_assert_true (gtk_widget_get_mapped (widget));
  g_assert_cmpfloat (place.origin.x, >=, 0);
  g_assert_cmpfloat (place.origin.y, >=, 0);
  g_assert_cmpfloat (place.origin.x + place.size.width, <=, gtk_widget_get_width (GTK_WIDGET (window)));
  g_assert_cmpfloat (place.origin.y + place.size.height, <=, gtk_widget_get_height (GTK_WIDGET (window)));
}

static GtkWidget *
find_add_button (CapraPanelWindow *window)
{
  return gtk_widget_get_ancestor (shot_find_label (GTK_WIDGET (window), "Add Step"), GTK_TYPE_BUTTON);
}

static GtkAdjustment *
get_scroll (GtkWidget *list)
{
  GtkWidget *row = capra_step_list_get_row (CAPRA_STEP_LIST (list), 0);
  GtkWidget *scroller = gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW);

  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
}

/* The histogram and the button stay when the list is scrolled. */
static void
test_pinned (void)
{
  CapraPanelWindow *window = open_window (800, 600, 12);
  GtkWidget *histogram = shot_find (GTK_WIDGET (window), CAPRA_TYPE_HISTOGRAM);
  GtkWidget *add = find_add_button (window), *list = shot_find (GTK_WIDGET (window), CAPRA_TYPE_STEP_LIST);
  GtkAdjustment *scroll = get_scroll (list);
  graphene_rect_t before = get_place (window, histogram), after;

  assert_inside (window, histogram);
  assert_inside (window, add);
  g_assert_cmpfloat (gtk_adjustment_get_upper (scroll), >, gtk_adjustment_get_page_size (scroll));
  gtk_adjustment_set_value (scroll, gtk_adjustment_get_upper (scroll));
  shot_rest (0.3);
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll), >, 0.0);
  after = get_place (window, histogram);
  g_assert_true (graphene_rect_equal (&before, &after));
  assert_inside (window, add);
  shot_rest (1.0); /* thumbnails */
  shot_take (GTK_WIDGET (window), "pinned");
  shot_close (GTK_WIDGET (window));
}

static int
get_sidebar_width (CapraPanelWindow *window)
{
  return gtk_widget_get_width (shot_find (GTK_WIDGET (window), CAPRA_TYPE_SIDEBAR));
}

static int
count_lines (CapraPanelWindow *window, const char *title)
{
  GtkWidget *label = shot_find_label (shot_find (GTK_WIDGET (window), CAPRA_TYPE_STEP_LIST), title);

  return pango_layout_get_line_count (gtk_label_get_layout (GTK_LABEL (label)));
}

/* A narrow window leaves most of its width to the picture, and the titles of steps are not cut into single words. */
static void
test_narrow (void)
{
  CapraPanelWindow *window = open_window (800, 600, 1);
  GtkWidget *canvas = GTK_WIDGET (capra_panel_window_get_canvas (window));
  int narrow = get_sidebar_width (window);

  g_assert_cmpint (gtk_widget_get_width (canvas), >=, 480);
  g_assert_cmpint (gtk_widget_get_height (canvas), >=, 420);
  g_assert_cmpint (narrow, <=, 310);
  if (gegl_has_operation ("capra:measure"))
    {
      shot_add_step (window, "capra:label");
      shot_add_step (window, "capra:measure");
      shot_rest (0.3);
      g_assert_cmpint (count_lines (window, "Label Regions"), <=, 2);
      g_assert_cmpint (count_lines (window, "Measure Regions"), <=, 2);
    }
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (capra_step_list_get_row (
                                   CAPRA_STEP_LIST (shot_find (GTK_WIDGET (window), CAPRA_TYPE_STEP_LIST)), 0)),
                                 TRUE);
  shot_rest (1.0);
  shot_take (GTK_WIDGET (window), "narrow");
  /* Long translations are cut, rather than that the sidebar covers the picture. */
  gtk_label_set_label (GTK_LABEL (shot_find_label (GTK_WIDGET (window), "Add Step")), "Einen Schritt hinzufügen");
  gtk_label_set_label (GTK_LABEL (shot_find_label (GTK_WIDGET (window), "Free Unused Memory")),
                       "Den zurzeit unbenutzten Speicher freigeben");
  shot_rest (0.3);
  g_assert_cmpint (get_sidebar_width (window), ==, narrow);
  g_assert_cmpint (gtk_widget_get_width (canvas), >=, 480);
  shot_close (GTK_WIDGET (window));
  window = open_window (1600, 1000, 1);
  SHOT_WAIT_FOR (get_sidebar_width (window) >= 370);
  shot_rest (1.0);
  shot_take (GTK_WIDGET (window), "wide");
  shot_close (GTK_WIDGET (window));
}

/* The sidebar is beside the picture and its controls, at each zoom. */
static void
assert_beside (CapraPanelWindow *window)
{
  GtkWidget *sidebar = shot_find (GTK_WIDGET (window), CAPRA_TYPE_SIDEBAR);
  GtkWidget *fit = shot_find_icon (GTK_WIDGET (window), "zoom-fit-best-symbolic");
  static const double zooms[] = { 0.5, 1.0, 8.0 };
  graphene_rect_t place;

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_action_group_activate_action (G_ACTION_GROUP (window), "zoom-to", g_variant_new_double (zooms[i]));
      shot_rest (0.3);
      place = get_place (window, fit);
      g_assert_false (adw_flap_get_folded (ADW_FLAP (gtk_widget_get_ancestor (sidebar, ADW_TYPE_FLAP))));
      g_assert_cmpfloat (place.origin.x + place.size.width, <=, get_place (window, sidebar).origin.x);
    }
}

/* Text of one and a half times the usual size has a sidebar that is wider by as much, where there is room. */
static void
test_large_text (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  CapraPanelWindow *window = NULL;
  int dpi = 0, usual = 0;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
  window = open_window (1400, 900, 1);
  SHOT_WAIT_FOR (get_sidebar_width (window) >= 370);
  usual = get_sidebar_width (window);
  shot_close (GTK_WIDGET (window));
  g_object_set (settings, "gtk-xft-dpi", 144 * 1024, NULL);
  window = open_window (1400, 900, 1);
  SHOT_WAIT_FOR (get_sidebar_width (window) >= 3 * usual / 2 - 1);
  shot_rest (1.0);
  shot_take (GTK_WIDGET (window), "large-text");
  shot_close (GTK_WIDGET (window));
  window = open_window (800, 600, 4);
  SHOT_WAIT_FOR (get_sidebar_width (window) >= 300);
  shot_rest (1.0);
  assert_beside (window);
  shot_take (GTK_WIDGET (window), "large-text-narrow");
  shot_close (GTK_WIDGET (window));
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

/* The values after the steps are readable at every width: beside the buttons, or above them. */
static void
test_readout (void)
{
  static const int widths[] = { 420, 500, 700, 900 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GtkWidget *bar = g_object_new (CAPRA_TYPE_STATUS_BAR, "valign", GTK_ALIGN_END, NULL);
      GtkWidget *window = shot_window (bar, widths[i], 200), *label = NULL, *button = NULL;
      PangoLayout *layout = NULL;
      graphene_rect_t text, tools;
      g_autofree char *name = g_strdup_printf ("readout-%d", widths[i]);

      g_object_set (bar, "pointer-text",
                    "1234, 1234    0.1234  0.1234  0.1234  0.1234\n"
                    "→  0.4321  0.4321  0.4321  0.4321",
                    "time-text", "12.3 s", NULL);
      shot_rest (0.2);
      label = shot_find_label (bar, "→");
      layout = gtk_label_get_layout (GTK_LABEL (label));
      g_assert_cmpint (pango_layout_get_line_count (layout), ==, 2);
      g_assert_false (pango_layout_is_ellipsized (layout));
      button = shot_find_icon (bar, "zoom-fit-best-symbolic");
      g_assert_true (gtk_widget_compute_bounds (label, bar, &text));
      g_assert_true (gtk_widget_compute_bounds (button, bar, &tools));
      g_assert_false (graphene_rect_intersection (&text, &tools, NULL));
      g_assert_cmpint (tools.origin.y > text.origin.y + 10, ==, i < 3); /* above the buttons */
      if (i % 3 == 0)
        shot_take (window, name);
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

static gboolean
has_focus_in (CapraPanelWindow *window, GType type)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));

  return focus && (G_TYPE_CHECK_INSTANCE_TYPE (focus, type) || gtk_widget_get_ancestor (focus, type));
}

static void
test_areas (void)
{
  CapraPanelWindow *window = open_window (1000, 700, 1);
  GActionGroup *actions = G_ACTION_GROUP (window);
  GtkWidget *sidebar = shot_find (GTK_WIDGET (window), CAPRA_TYPE_SIDEBAR);
  static const char *const pages[] = { "devices", "memory", "timings", "steps" };

  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  g_action_group_activate_action (actions, "next-area", NULL);
  g_assert_true (has_focus_in (window, CAPRA_TYPE_CANVAS));
  g_action_group_activate_action (actions, "next-area", NULL);
  g_assert_true (has_focus_in (window, CAPRA_TYPE_SIDEBAR));
  g_action_group_activate_action (actions, "next-area", NULL);
  g_assert_true (has_focus_in (window, ADW_TYPE_HEADER_BAR));
  g_action_group_activate_action (actions, "next-area", NULL);
  g_assert_true (has_focus_in (window, CAPRA_TYPE_CANVAS));
  g_action_group_activate_action (actions, "previous-area", NULL);
  g_assert_true (has_focus_in (window, ADW_TYPE_HEADER_BAR));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_action_group_activate_action (actions, "show-page", g_variant_new_string (pages[i]));
      g_assert_cmpstr (capra_sidebar_get_page (CAPRA_SIDEBAR (sidebar)), ==, pages[i]);
      if (!g_str_equal (pages[i], "memory")) /* no device is in use: nothing can have the focus */
        g_assert_true (has_focus_in (window, CAPRA_TYPE_SIDEBAR));
    }
  shot_close (GTK_WIDGET (window));
}

static gboolean
is_found (GListModel *catalog, const char *query, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (catalog); i++)
    {
      g_autoptr (CapraOperationInfo) info = g_list_model_get_item (catalog, i);

      if (g_str_equal (capra_operation_info_get_name (info), name))
        return capra_operation_info_match (info, query) > 0;
    }
  g_error ("%s is not in the catalog", name);
}

static void
test_synonyms (void)
{
  g_autoptr (GListModel) catalog = capra_catalog_new ();

  g_assert_true (is_found (catalog, "smooth", "capra:gaussian-blur"));
  g_assert_true (is_found (catalog, "Smooth", "gegl:median-blur"));
  g_assert_true (is_found (catalog, "segment", "capra:threshold"));
  g_assert_true (is_found (catalog, "segment", "capra:label"));
  g_assert_true (is_found (catalog, "otsu", "capra:threshold"));
  g_assert_true (is_found (catalog, "count cells", "capra:threshold"));
  g_assert_true (is_found (catalog, "particle analysis", "capra:measure"));
  g_assert_true (is_found (catalog, "saxs", "capra:azimuthal-integrate"));
  g_assert_true (is_found (catalog, "count cells", "capra:label"));
  g_assert_true (is_found (catalog, "count cells", "capra:measure"));
  g_assert_false (is_found (catalog, "count cells", "capra:gaussian-blur"));
  g_assert_false (is_found (catalog, "segment", "capra:box-blur"));
}

/* Operations that need no file have a picture, those that make a table an icon. */
static void
test_pictures (void)
{
  g_autoptr (GListModel) catalog = capra_catalog_new ();
  g_autoptr (CapraOperationPictures) pictures = capra_operation_pictures_new ();
  guint shown = 0, count = g_list_model_get_n_items (catalog);

  for (guint i = 0; i < count; i++)
    {
      g_autoptr (CapraOperationInfo) info = g_list_model_get_item (catalog, i);

      capra_operation_pictures_request (pictures, capra_operation_info_get_name (info));
    }
  SHOT_WAIT_FOR (!capra_operation_pictures_is_busy (pictures));
  for (guint i = 0; i < count; i++)
    {
      g_autoptr (CapraOperationInfo) info = g_list_model_get_item (catalog, i);
      const char *name = capra_operation_info_get_name (info);

      if (capra_operation_pictures_request (pictures, name))
        shown++;
      else
        g_test_message ("no picture: %s", name);
    }
  g_assert_cmpuint (shown * 10, >, count * 9);
  g_assert_nonnull (capra_operation_pictures_request (pictures, "gegl:add"));
  if (gegl_has_operation ("capra:threshold"))
    {
      g_assert_nonnull (capra_operation_pictures_request (pictures, "capra:threshold"));
      g_assert_nonnull (capra_operation_pictures_request (pictures, "capra:convolve"));
      g_assert_null (capra_operation_pictures_request (pictures, "capra:measure"));
      g_assert_cmpstr (capra_operation_pictures_get_icon ("capra:measure"), ==, "x-office-spreadsheet-symbolic");
    }
}

static void
test_chooser (void)
{
  CapraPanelWindow *window = open_window (1000, 800, 0);
  GtkWidget *search = NULL;

  g_action_group_activate_action (G_ACTION_GROUP (window), "add-step", NULL);
  search = shot_find (shot_find (GTK_WIDGET (window), CAPRA_TYPE_CHOOSER), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (search), "count cells");
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "Label"));
  shot_rest (1.5);
  shot_take (GTK_WIDGET (window), "chooser-synonyms");
  gtk_editable_set_text (GTK_EDITABLE (search), "");
  shot_rest (3.0);
  shot_take (GTK_WIDGET (window), "chooser");
  /* Steps that are pasted meanwhile are seen. */
  shot_add_step (window, "gegl:invert-linear");
  SHOT_WAIT_FOR (gtk_widget_get_mapped (find_add_button (window)) && !gtk_widget_get_mapped (search));
  shot_close (GTK_WIDGET (window));
}

static void
test_background (void)
{
  for (int region = 0; region < 2; region++)
    {
      const CapraProbe probe = { .count = 1, .label = TRUE, .values = { region } };
      g_autoptr (GString) text = g_string_new (NULL);

      capra_probe_append_values (&probe, FALSE, text);
      g_assert_cmpstr (text->str, ==, region ? "Region 1" : "Background");
    }
}

/* The colors of a palette are bytes, as in the result, with alpha only where the palette has it. */
static void
test_palette_readout (void)
{
  const guint8 colors[] = { 0, 0, 0, 114, 173, 210 }, pixels[] = { 1, 255, 1, 0 };
  const Babl *formats[2] = { NULL, NULL };

  babl_new_palette (NULL, &formats[0], &formats[1]);
  babl_palette_set_palette (formats[0], babl_format ("R'G'B' u8"), (gpointer) colors, 2);
  babl_palette_set_palette (formats[1], babl_format ("R'G'B' u8"), (gpointer) colors, 2);
  for (int alpha = 0; alpha < 2; alpha++)
    {
      g_autoptr (GeglBuffer) buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 1, 1), formats[alpha]);
      g_autoptr (GString) text = g_string_new (NULL);
      CapraProbe probe;

      gegl_buffer_set (buffer, NULL, 0, formats[alpha], pixels, GEGL_AUTO_ROWSTRIDE);
      capra_probe_buffer (buffer, 0, 0, &probe);
      capra_probe_append_values (&probe, FALSE, text);
      g_assert_cmpstr (text->str, ==, alpha ? "114  173  210  255" : "114  173  210");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  capra_gegl_start ();
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/find/palette-readout", test_palette_readout);
  g_test_add_func ("/find/pinned", test_pinned);
  g_test_add_func ("/find/narrow", test_narrow);
  g_test_add_func ("/find/large-text", test_large_text);
  g_test_add_func ("/find/readout", test_readout);
  g_test_add_func ("/find/areas", test_areas);
  if (gegl_has_operation ("capra:label"))
    g_test_add_func ("/find/synonyms", test_synonyms);
  g_test_add_func ("/find/pictures", test_pictures);
  g_test_add_func ("/find/chooser", test_chooser);
  g_test_add_func ("/find/background", test_background);
  return g_test_run ();
}
