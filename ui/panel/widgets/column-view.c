/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Column-view: what GTK's tables lack in version 4.8. */
#include "ui/panel/widgets/column-view.h"

#include <math.h>

#define SCROLL_KEY "capra-scroll"
#define MAX_TRIES 4
#define WIDTH_KEY "capra-width" /* of a hidden column: the width that the user has chosen, or -1 */

/* Where to scroll to, as data of the view. */
typedef struct {
  guint position;
  guint tries; /* to scroll there */
  guint tick;  /* 0 while nothing is pending, or the view is not mapped */
  gboolean pending;
} Scroll;

static GtkWidget *
find_list (GtkColumnView *view)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (view));

  while (child && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* Whether the row is within a page of what is visible, as far as rows have the same height. */
static gboolean
is_near (GtkColumnView *view, guint position, guint count)
{
  GtkAdjustment *scrolled = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  double page = gtk_adjustment_get_page_size (scrolled);
  double row = gtk_adjustment_get_upper (scrolled) * (position + 0.5) / count;

  return fabs (row - (gtk_adjustment_get_value (scrolled) + page / 2)) <= page;
}

/* A list scrolls to a row when it gets its size next. It forgets that if it had no size before, or if its adjustment
 * changes in between. Hence this is done right before sizes are given, and then checked. */
static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (widget);
  Scroll *scroll = data;
  GtkWidget *list = find_list (view);
  GtkSelectionModel *model = gtk_column_view_get_model (view);
  guint count = model ? g_list_model_get_n_items (G_LIST_MODEL (model)) : 0;

  scroll->pending = scroll->position < count && scroll->tries < MAX_TRIES
                    && (scroll->tries == 0 || !is_near (view, scroll->position, count));
  if (!scroll->pending || !gtk_widget_get_mapped (widget))
    {
      scroll->tick = 0;
      return G_SOURCE_REMOVE;
    }
  if (gtk_widget_get_height (list) > 0)
    {
      gtk_widget_activate_action (list, "list.scroll-to-item", "u", scroll->position);
      scroll->tries++;
    }
  return G_SOURCE_CONTINUE;
}

static void
on_map (GtkWidget *view, Scroll *scroll)
{
  if (scroll->pending && !scroll->tick)
    scroll->tick = gtk_widget_add_tick_callback (view, on_tick, scroll, NULL);
}

void
capra_column_view_scroll_to (GtkColumnView *view, guint position)
{
  Scroll *scroll = g_object_get_data (G_OBJECT (view), SCROLL_KEY);

  if (!scroll)
    {
      scroll = g_new0 (Scroll, 1);
      g_object_set_data_full (G_OBJECT (view), SCROLL_KEY, scroll, g_free);
      g_signal_connect (view, "map", G_CALLBACK (on_map), scroll);
    }
  scroll->position = position;
  scroll->tries = 0;
  scroll->pending = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (view)))
    on_map (GTK_WIDGET (view), scroll);
}

/* The box of a title, and the lines of the label in it. */
static void
align_end (GtkWidget *box)
{
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  for (GtkWidget *child = gtk_widget_get_first_child (box); child; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LABEL (child))
      gtk_label_set_justify (GTK_LABEL (child), GTK_JUSTIFY_RIGHT);
}

void
capra_column_view_align_title (GtkColumnView *view, GtkColumnViewColumn *column)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (view)));

  for (guint i = 0; title; i++, title = gtk_widget_get_next_sibling (title))
    {
      g_autoptr (GtkColumnViewColumn) other = g_list_model_get_item (columns, i);

      if (other == column)
        align_end (gtk_widget_get_first_child (title));
    }
}

/* A list keeps its first visible row where it is, also if others are sorted before it. */
void
capra_column_view_sort_again (GtkColumnView *view)
{
  GtkAdjustment *scrolled = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  gboolean top = scrolled && gtk_adjustment_get_value (scrolled) == 0.0;

  gtk_sorter_changed (gtk_column_view_get_sorter (view), GTK_SORTER_CHANGE_DIFFERENT);
  if (top)
    capra_column_view_scroll_to (view, 0);
}

void
capra_column_view_wrap_name (GtkLabel *label, int chars)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (label, chars);
}

void
capra_column_view_set_shown (GtkColumnViewColumn *column, gboolean shown)
{
  int width = gtk_column_view_column_get_fixed_width (column);

  if (gtk_column_view_column_get_visible (column) == !!shown)
    return;
  if (!shown)
    g_object_set_data (G_OBJECT (column), WIDTH_KEY, GINT_TO_POINTER (width));
  gtk_column_view_column_set_fixed_width (
    column, shown ? GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), WIDTH_KEY)) : 0);
  gtk_column_view_column_set_visible (column, shown);
}

/* Moves the focus to the next or the previous widget outside of @view. */
static gboolean
leave (GtkWidget *view, GtkDirectionType direction)
{
  GtkWidget *(*step) (GtkWidget *) = direction == GTK_DIR_TAB_FORWARD ? gtk_widget_get_next_sibling
                                                                      : gtk_widget_get_prev_sibling;

  for (GtkWidget *widget = view; widget; widget = gtk_widget_get_parent (widget))
    for (GtkWidget *other = step (widget); other; other = step (other))
      if (gtk_widget_get_mapped (other) && gtk_widget_child_focus (other, direction))
        return TRUE;
  return FALSE;
}

static gboolean
on_key (GtkEventController *controller, guint key, guint code, GdkModifierType state)
{
  GtkWidget *view = gtk_event_controller_get_widget (controller);

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  return (key == GDK_KEY_Tab && leave (view, GTK_DIR_TAB_FORWARD))
         || (key == GDK_KEY_ISO_Left_Tab && leave (view, GTK_DIR_TAB_BACKWARD));
}

void
capra_column_view_leave_by_tab (GtkColumnView *view)
{
  GtkEventController *keys = NULL;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (view), "tab-behavior"))
    {
      g_object_set (view, "tab-behavior", 1, NULL); /* from GTK 4.12 on; 1 is its GTK_LIST_TAB_ITEM */
      return;
    }
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), NULL);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
}
