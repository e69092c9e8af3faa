/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooser: lists operations, filtered by a search, a category or to the favorites. */
#include "ui/panel/steps/chooser.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/resources.h"
#include "ui/panel/steps/catalog.h"
#include "ui/panel/steps/operation-pictures.h"

struct _CapraChooser {
  GtkBox parent_instance;
  GtkWidget *search, *category, *list, *stack;
  GListModel *catalog;
  GtkFilter *filter;
  GtkSorter *sorter;
  GListModel *shown;
  GtkSliceListModel *rows; /* of @shown, those that the list has so far */
  guint growing;           /* adds rows to the list; 0 while it has all */
  guint frames;            /* since it has only the first rows */
  GStrv categories;
  GSettings *settings;
  CapraOperationPictures *pictures;
};

#define FIRST_ROWS 24  /* more than fit into most windows */
#define FIRST_FRAMES 3 /* until they are drawn */
#define ROWS_A_FRAME 8 /* that are added after them */
#define PICTURE_SIZE 40
#define ICON_SIZE 24
#define HANDLER "capra-handler" /* of the picture of a row */

G_DEFINE_FINAL_TYPE (CapraChooser, capra_chooser, GTK_TYPE_BOX)

enum { ALL, FAVORITES, CAPRA, N_FIXED }; /* first entries of the list of categories */
enum { PROP_0, PROP_SETTINGS, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
enum { CHOSEN, CLOSED, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean
is_in_category (CapraChooser *self, CapraOperationInfo *info)
{
  guint category = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->category));

  switch (category)
    {
    case ALL: return TRUE;
    case FAVORITES: return capra_operation_info_get_favorite (info);
    case CAPRA: return capra_operation_info_is_capra (info);
    default:
      return category == GTK_INVALID_LIST_POSITION
             || g_strv_contains (capra_operation_info_get_categories (info), self->categories[category - N_FIXED]);
    }
}

static gboolean
is_shown (gpointer item, gpointer data)
{
  CapraChooser *self = data;

  return is_in_category (self, item)
         && capra_operation_info_match (item, gtk_editable_get_text (GTK_EDITABLE (self->search)));
}

/* Pictures are rendered while the chooser is shown, once the first rows are drawn. */
static void
pause_pictures (CapraChooser *self)
{
  if (self->pictures)
    capra_operation_pictures_set_paused (self->pictures,
                                         !gtk_widget_get_mapped (GTK_WIDGET (self)) || self->frames < FIRST_FRAMES);
}

/* The frame of the first rows is drawn before others are added. */
static gboolean
add_rows (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  CapraChooser *self = CAPRA_CHOOSER (widget);
  guint size = gtk_slice_list_model_get_size (self->rows);

  if (gtk_widget_get_mapped (widget))
    {
      if (++self->frames < FIRST_FRAMES)
        return G_SOURCE_CONTINUE;
      pause_pictures (self);
      gtk_slice_list_model_set_size (self->rows, size + ROWS_A_FRAME);
      if (size + ROWS_A_FRAME < g_list_model_get_n_items (self->shown))
        return G_SOURCE_CONTINUE;
      gtk_slice_list_model_set_size (self->rows, G_MAXUINT);
    }
  self->growing = 0;
  return G_SOURCE_REMOVE;
}

/* Adds the rows that the list lacks, while the chooser is shown. */
static void
grow (CapraChooser *self)
{
  if (self->rows && !self->growing && gtk_slice_list_model_get_size (self->rows) != G_MAXUINT)
    self->growing = gtk_widget_add_tick_callback (GTK_WIDGET (self), add_rows, NULL, NULL);
}

/* The list creates and measures all its rows before it draws the first one, which takes more than half a second for all
 * operations. So it has few rows at first. */
static void
show_first_rows (CapraChooser *self)
{
  gtk_slice_list_model_set_size (self->rows, FIRST_ROWS);
  self->frames = 0;
  pause_pictures (self);
  grow (self);
}

static void
on_mapped (CapraChooser *self)
{
  pause_pictures (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    grow (self);
}

static void
refilter (CapraChooser *self)
{
  gboolean any;

  if (!self->filter)
    return;
  show_first_rows (self);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  gtk_sorter_changed (self->sorter, GTK_SORTER_CHANGE_DIFFERENT);
  any = g_list_model_get_n_items (self->shown) > 0;
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), any ? "list" : "nothing");
  /* A list keeps its first visible row where it is, with better matches above it, out of sight. */
  if (any)
    gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", 0);
}

static void
on_search_changed (CapraChooser *self)
{
  refilter (self);
}

static void
on_category (CapraChooser *self)
{
  refilter (self);
}

static void
on_back (CapraChooser *self)
{
  g_signal_emit (self, signals[CLOSED], 0);
}

static void
choose (CapraChooser *self, guint position)
{
  g_autoptr (CapraOperationInfo) info = g_list_model_get_item (self->shown, position);

  if (info)
    g_signal_emit (self, signals[CHOSEN], 0, capra_operation_info_get_name (info));
}

static void
on_activate (CapraChooser *self, guint position)
{
  choose (self, position);
}

static void
on_search_activate (CapraChooser *self)
{
  if (!self->shown)
    return;
  refilter (self); /* "search-changed" comes a moment after the last key */
  choose (self, 0);
}

/* From all of its widgets, as from the search. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  on_back (CAPRA_CHOOSER (widget));
  return TRUE;
}

/* From the search to the row of the first match: Tab leads to the categories, and then to a button in the row. */
static gboolean
on_down (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  CapraChooser *self = CAPRA_CHOOSER (widget);
  GtkWidget *row = NULL;

  if (!self->shown || !gtk_widget_get_focus_child (self->search))
    return FALSE;
  refilter (self); /* see on_search_activate() */
  row = gtk_widget_get_first_child (self->list);
  return row && gtk_widget_grab_focus (row);
}

static void
save_favorites (CapraChooser *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (self->catalog); i++)
    {
      g_autoptr (CapraOperationInfo) info = g_list_model_get_item (self->catalog, i);

      if (capra_operation_info_get_favorite (info))
        g_ptr_array_add (names, (gpointer) capra_operation_info_get_name (info));
    }
  g_ptr_array_add (names, NULL);
  if (self->settings)
    g_settings_set_strv (self->settings, "favorites", (const char *const *) names->pdata);
}

static void
load_favorites (CapraChooser *self)
{
  g_auto (GStrv) names = self->settings ? g_settings_get_strv (self->settings, "favorites") : NULL;

  for (guint i = 0; names && i < g_list_model_get_n_items (self->catalog); i++)
    {
      g_autoptr (CapraOperationInfo) info = g_list_model_get_item (self->catalog, i);

      capra_operation_info_set_favorite (
        info, g_strv_contains ((const char *const *) names, capra_operation_info_get_name (info)));
    }
}

static void
on_star (GtkToggleButton *star, GtkListItem *item)
{
  CapraOperationInfo *info = gtk_list_item_get_item (item);
  CapraChooser *self;
  gboolean active = gtk_toggle_button_get_active (star);

  gtk_button_set_icon_name (GTK_BUTTON (star), active ? "starred-symbolic" : "non-starred-symbolic");
  if (!info || capra_operation_info_get_favorite (info) == active)
    return;
  capra_operation_info_set_favorite (info, active);
  self = CAPRA_CHOOSER (gtk_widget_get_ancestor (GTK_WIDGET (star), CAPRA_TYPE_CHOOSER));
  if (self)
    save_favorites (self);
}

static GtkWidget *
make_label (const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (class)
    {
      gtk_widget_add_css_class (label, class);
      gtk_widget_add_css_class (label, "dim-label");
    }
  return label;
}

static GtkWidget *
make_star (GtkListItem *item)
{
  GtkWidget *star = gtk_toggle_button_new ();

  gtk_button_set_icon_name (GTK_BUTTON (star), "non-starred-symbolic");
  gtk_widget_add_css_class (star, "flat");
  gtk_widget_add_css_class (star, "capra-star");
  gtk_widget_set_valign (star, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (star, _ ("Favorite"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (star), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Favorite"), -1);
  g_signal_connect (star, "toggled", G_CALLBACK (on_star), item);
  return star;
}

/* A mark of operations that run on the device, and the description, which may be cut, unlike the title above. */
static GtkWidget *
make_about (void)
{
  GtkWidget *about = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *mark = gtk_label_new (_ ("Device"));

  gtk_widget_add_css_class (mark, "caption");
  gtk_widget_add_css_class (mark, "capra-mark");
  gtk_widget_set_valign (mark, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (mark, _ ("Runs on the OpenCL device"));
  gtk_box_append (GTK_BOX (about), mark);
  gtk_box_append (GTK_BOX (about), make_label ("caption"));
  return about;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *picture = gtk_image_new (), *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  gtk_widget_set_size_request (picture, PICTURE_SIZE, -1);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_margin_top (texts, 6);
  gtk_widget_set_margin_bottom (texts, 6);
  gtk_box_append (GTK_BOX (texts), make_label (NULL));
  gtk_box_append (GTK_BOX (texts), make_about ());
  gtk_box_append (GTK_BOX (row), picture);
  gtk_box_append (GTK_BOX (row), texts);
  gtk_box_append (GTK_BOX (row), make_star (item));
  gtk_list_item_set_child (item, row);
}

static void
on_picture (CapraOperationPictures *pictures, GdkPaintable *paintable, GtkImage *picture)
{
  gtk_image_set_from_paintable (picture, paintable);
  gtk_image_set_pixel_size (picture, PICTURE_SIZE);
}

static void
forget_picture (CapraChooser *self, GtkImage *picture)
{
  gulong handler = GPOINTER_TO_SIZE (g_object_steal_data (G_OBJECT (picture), HANDLER));

  if (handler && self->pictures)
    g_signal_handler_disconnect (self->pictures, handler);
}

static void
show_picture (CapraChooser *self, GtkImage *picture, const char *operation)
{
  g_autofree char *signal = g_strdup_printf ("ready::%s", operation);
  GdkPaintable *paintable = NULL;
  gulong handler;

  forget_picture (self, picture);
  paintable = capra_operation_pictures_request (self->pictures, operation);
  if (paintable)
    on_picture (self->pictures, paintable, picture);
  else
    {
      gtk_image_set_from_icon_name (picture, capra_operation_pictures_get_icon (operation));
      gtk_image_set_pixel_size (picture, ICON_SIZE);
    }
  handler = g_signal_connect_object (self->pictures, signal, G_CALLBACK (on_picture), picture, 0);
  g_object_set_data (G_OBJECT (picture), HANDLER, GSIZE_TO_POINTER (handler));
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer chooser)
{
  CapraOperationInfo *info = gtk_list_item_get_item (item);
  GtkWidget *row = gtk_list_item_get_child (item);
  GtkWidget *picture = gtk_widget_get_first_child (row), *texts = gtk_widget_get_next_sibling (picture);
  GtkWidget *title = gtk_widget_get_first_child (texts), *about = gtk_widget_get_last_child (texts);
  const char *description = capra_operation_info_get_description (info);

  gtk_label_set_text (GTK_LABEL (title), capra_operation_info_get_title (info));
  gtk_widget_set_visible (gtk_widget_get_first_child (about), capra_operation_info_is_capra (info));
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (about)),
                      *description ? description : capra_operation_info_get_name (info));
  gtk_widget_set_tooltip_text (texts, description);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (gtk_widget_get_last_child (row)),
                                capra_operation_info_get_favorite (info));
  show_picture (chooser, GTK_IMAGE (picture), capra_operation_info_get_name (info));
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer chooser)
{
  forget_picture (chooser, GTK_IMAGE (gtk_widget_get_first_child (gtk_list_item_get_child (item))));
}

/* Favorites first, then the best matches of the search; otherwise in the order of the catalog. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  CapraOperationInfo *one = (gpointer) a, *other = (gpointer) b;
  const char *query = gtk_editable_get_text (GTK_EDITABLE (CAPRA_CHOOSER (data)->search));
  int favorite = capra_operation_info_get_favorite (other) - capra_operation_info_get_favorite (one);

  if (favorite || !*query)
    return favorite;
  return capra_operation_info_match (other, query) - capra_operation_info_match (one, query);
}

static void
fill (CapraChooser *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkSelectionModel) selection = NULL;
  GtkSortListModel *sorted;

  self->catalog = capra_catalog_new ();
  self->pictures = capra_operation_pictures_new ();
  capra_operation_pictures_set_paused (self->pictures, TRUE);
  load_favorites (self);
  self->categories = capra_catalog_get_categories (self->catalog);
  gtk_string_list_append (names, _ ("All Operations"));
  gtk_string_list_append (names, _ ("Favorites"));
  gtk_string_list_append (names, _ ("Capra"));
  for (guint i = 0; self->categories[i]; i++)
    gtk_string_list_take (names, capra_catalog_make_title (self->categories[i]));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->category), G_LIST_MODEL (names));

  self->filter = GTK_FILTER (gtk_custom_filter_new (is_shown, self, NULL));
  self->sorter = GTK_SORTER (gtk_custom_sorter_new (compare, self, NULL));
  sorted = gtk_sort_list_model_new (g_object_ref (self->catalog), g_object_ref (self->sorter));
  self->shown = G_LIST_MODEL (gtk_filter_list_model_new (G_LIST_MODEL (sorted), g_object_ref (self->filter)));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), self);
  self->rows = gtk_slice_list_model_new (g_object_ref (self->shown), 0, FIRST_ROWS);
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->rows))));
  gtk_list_view_set_factory (GTK_LIST_VIEW (self->list), factory);
  gtk_list_view_set_model (GTK_LIST_VIEW (self->list), selection);
}

void
capra_chooser_start (CapraChooser *self)
{
  g_return_if_fail (CAPRA_IS_CHOOSER (self));
  if (!self->catalog)
    fill (self);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  refilter (self);
  gtk_widget_grab_focus (self->search);
}

static void
capra_chooser_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_object (value, CAPRA_CHOOSER (object)->settings);
}

static void
capra_chooser_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  g_set_object (&CAPRA_CHOOSER (object)->settings, g_value_get_object (value));
}

static void
capra_chooser_dispose (GObject *object)
{
  CapraChooser *self = CAPRA_CHOOSER (object);

  if (self->growing)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->growing);
  self->growing = 0;
  g_clear_object (&self->rows);
  g_clear_object (&self->shown);
  g_clear_object (&self->filter);
  g_clear_object (&self->sorter);
  g_clear_object (&self->catalog);
  g_clear_object (&self->pictures);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->categories, g_strfreev);
  G_OBJECT_CLASS (capra_chooser_parent_class)->dispose (object);
}

static void
capra_chooser_class_init (CapraChooserClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = capra_chooser_get_property;
  object_class->set_property = capra_chooser_set_property;
  object_class->dispose = capra_chooser_dispose;
  properties[PROP_SETTINGS] = g_param_spec_object ("settings", NULL, NULL, G_TYPE_SETTINGS,
                                                   G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signals[CHOSEN] = g_signal_new ("chosen", CAPRA_TYPE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_STRING);
  signals[CLOSED] = g_signal_new ("closed", CAPRA_TYPE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraChooser, search);
  gtk_widget_class_bind_template_child (widget_class, CapraChooser, category);
  gtk_widget_class_bind_template_child (widget_class, CapraChooser, list);
  gtk_widget_class_bind_template_child (widget_class, CapraChooser, stack);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_category);
  gtk_widget_class_bind_template_callback (widget_class, on_back);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_mapped);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, 0, on_down, NULL);
}

static void
capra_chooser_init (CapraChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
