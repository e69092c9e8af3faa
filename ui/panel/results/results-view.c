/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-view: the rows of a table in columns, which sort them. */
#include "ui/panel/results/results-view.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/results/results-reason.h"
#include "ui/panel/widgets/column-view.h"

#define COLUMN_KEY "capra-column"
#define MIN_CHARS 3

struct _CapraResultsView {
  GtkWidget parent_instance;
  GtkWidget *scrolled;
  GtkColumnView *table;
  CapraResultsRows *rows;
  char *names;       /* of the columns that the widget has */
  int noted;         /* see note_column() */
  gboolean building; /* the columns are being replaced */
};

/* What the cells of a column share. Its factory owns it. */
typedef struct {
  CapraResultsView *view;
  guint column;
  guint chars;      /* width of all cells: the longest text so far */
  GPtrArray *cells; /* of GtkListItem: not owned */
} Column;

G_DEFINE_FINAL_TYPE (CapraResultsView, capra_results_view, GTK_TYPE_WIDGET)

static guint activated_signal;

static void
column_free (gpointer data)
{
  Column *column = data;

  g_ptr_array_unref (column->cells);
  g_free (column);
}

/* Inscriptions, unlike labels, need no new layout of the table if their text changes. */
static void
on_setup (Column *column, GtkListItem *item)
{
  GtkWidget *cell = gtk_inscription_new (NULL);

  gtk_inscription_set_xalign (GTK_INSCRIPTION (cell), 1.0f);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell), GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell), column->chars);
  gtk_widget_add_css_class (cell, "numeric");
  gtk_list_item_set_child (item, cell);
  g_ptr_array_add (column->cells, item);
}

static void
on_teardown (Column *column, GtkListItem *item)
{
  g_ptr_array_remove_fast (column->cells, item);
}

/* The letter and the sign of an exponent can be wider than digits. */
static guint
count_chars (const char *text)
{
  return (guint) g_utf8_strlen (text, -1) + (strpbrk (text, "e") ? 1 : 0);
}

static void
on_bind (Column *column, GtkListItem *item)
{
  CapraResultsRows *rows = column->view->rows;
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  guint position = gtk_list_item_get_position (item);
  GtkWidget *cell = gtk_list_item_get_child (item);
  g_autofree char *text = NULL, *reason = NULL;

  if (position < g_list_model_get_n_items (G_LIST_MODEL (rows))
      && column->column < capra_results_table_get_columns (table))
    {
      guint row = capra_results_rows_get_row (rows, position);

      text = capra_results_table_dup_text (table, row, column->column);
      reason = capra_results_dup_reason (capra_results_table_get_data (table), row, column->column);
    }
  gtk_inscription_set_text (GTK_INSCRIPTION (cell), text);
  if (reason || gtk_widget_get_has_tooltip (cell))
    gtk_widget_set_tooltip_text (cell, reason);
  if (!text || count_chars (text) <= column->chars)
    return;
  column->chars = count_chars (text);
  for (guint i = 0; i < column->cells->len; i++)
    gtk_inscription_set_min_chars (GTK_INSCRIPTION (gtk_list_item_get_child (column->cells->pdata[i])), column->chars);
}

static GtkColumnViewColumn *
get_column (CapraResultsView *self, guint column)
{
  g_autoptr (GtkColumnViewColumn) found = g_list_model_get_item (gtk_column_view_get_columns (self->table), column);

  return found; /* the widget holds a reference */
}

static void
on_rows_changed (CapraResultsView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->table);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      GtkListItemFactory *factory = gtk_column_view_column_get_factory (get_column (self, i));
      Column *column = g_object_get_data (G_OBJECT (factory), COLUMN_KEY);

      for (guint cell = 0; cell < column->cells->len; cell++)
        if (gtk_list_item_get_item (column->cells->pdata[cell]))
          on_bind (column, column->cells->pdata[cell]);
    }
}

/* The widget asks sorters to compare items, but the list sorts itself, which is much faster. The first sorter that is
 * called is that of the column that the user has chosen. */
static int
note_column (gconstpointer a, gconstpointer b, gpointer data)
{
  CapraResultsView *self = (gpointer) a;

  self->noted = GPOINTER_TO_INT (data);
  return GTK_ORDERING_SMALLER;
}

static void
on_sorter_changed (CapraResultsView *self)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (self->table);
  GtkOrdering order = GTK_ORDERING_EQUAL;

  if (!self->rows || self->building)
    return;
  self->noted = -1;
  order = gtk_sorter_compare (sorter, self, self->rows);
  capra_results_rows_sort (self->rows, self->noted, order == GTK_ORDERING_LARGER);
}

static void
add_column (CapraResultsView *self, CapraResultsTable *table, guint which)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Column *shared = g_new (Column, 1);
  g_autofree char *header = capra_results_table_dup_short_header (table, which);
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (header, factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (note_column, GUINT_TO_POINTER (which), NULL));

  *shared = (Column){ self, which, MIN_CHARS, g_ptr_array_new () };
  g_object_set_data_full (G_OBJECT (factory), COLUMN_KEY, shared, column_free);
  g_signal_connect_swapped (factory, "setup", G_CALLBACK (on_setup), shared);
  g_signal_connect_swapped (factory, "teardown", G_CALLBACK (on_teardown), shared);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_bind), shared);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, TRUE); /* where a table is narrower than its view, GTK draws a shadow */
  gtk_column_view_append_column (self->table, column);
  capra_column_view_align_title (self->table, column);
}

static char *
join_names (CapraResultsTable *table)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < capra_results_table_get_columns (table); i++)
    g_string_append_printf (names, "%s\n", capra_results_table_get_name (table, i));
  return g_string_free (names, FALSE);
}

static void
update_shown (CapraResultsView *self)
{
  CapraResultsTable *table = capra_results_rows_get_table (self->rows);

  for (guint i = 0; i < capra_results_table_get_columns (table); i++)
    capra_column_view_set_shown (get_column (self, i), capra_results_table_get_shown (table, i));
}

/* The columns, if they are others than before. */
static void
update_columns (CapraResultsView *self)
{
  CapraResultsTable *table = capra_results_rows_get_table (self->rows);
  g_autofree char *names = join_names (table);
  GListModel *columns = gtk_column_view_get_columns (self->table);

  if (!*names || g_strcmp0 (names, self->names) == 0)
    return;
  g_free (self->names);
  self->names = g_steal_pointer (&names);
  self->building = TRUE;
  while (g_list_model_get_n_items (columns) > 0)
    gtk_column_view_remove_column (self->table, get_column (self, 0));
  for (guint i = 0; i < capra_results_table_get_columns (table); i++)
    add_column (self, table, i);
  self->building = FALSE;
  on_sorter_changed (self); /* the widget does not sort by the new columns */
  update_shown (self);
}

static void
on_activate (CapraResultsView *self, guint position)
{
  g_signal_emit (self, activated_signal, 0, capra_results_rows_get_row (self->rows, position));
}

static void
update_busy (CapraResultsView *self)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_STATE_BUSY,
                               capra_results_rows_get_busy (self->rows), -1);
}

void
capra_results_view_set_rows (CapraResultsView *view, CapraResultsRows *rows)
{
  g_return_if_fail (CAPRA_IS_RESULTS_VIEW (view));
  if (view->rows == rows)
    return;
  if (view->rows)
    {
      g_signal_handlers_disconnect_by_data (capra_results_rows_get_table (view->rows), view);
      g_signal_handlers_disconnect_by_data (view->rows, view);
    }
  gtk_column_view_set_model (view->table, NULL);
  g_set_object (&view->rows, rows);
  if (!rows)
    return;
  g_clear_pointer (&view->names, g_free);
  g_signal_connect_swapped (capra_results_rows_get_table (rows), "changed", G_CALLBACK (update_columns), view);
  g_signal_connect_swapped (capra_results_rows_get_table (rows), "shown-changed", G_CALLBACK (update_shown), view);
  g_signal_connect_swapped (rows, "changed", G_CALLBACK (on_rows_changed), view);
  g_signal_connect_swapped (rows, "notify::busy", G_CALLBACK (update_busy), view);
  update_columns (view);
  update_busy (view);
  gtk_column_view_set_model (view->table, GTK_SELECTION_MODEL (rows));
}

void
capra_results_view_scroll_to (CapraResultsView *view, guint row)
{
  int position = view->rows ? capra_results_rows_find (view->rows, row) : -1;

  g_return_if_fail (CAPRA_IS_RESULTS_VIEW (view));
  if (position >= 0)
    capra_column_view_scroll_to (view->table, (guint) position);
}

void
capra_results_view_sort (CapraResultsView *view, guint column, gboolean descending)
{
  GtkColumnViewColumn *found = get_column (view, column);

  g_return_if_fail (CAPRA_IS_RESULTS_VIEW (view));
  if (found)
    gtk_column_view_sort_by_column (view->table, found, descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

static void
capra_results_view_dispose (GObject *object)
{
  CapraResultsView *self = CAPRA_RESULTS_VIEW (object);

  if (self->scrolled)
    capra_results_view_set_rows (self, NULL);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (capra_results_view_parent_class)->dispose (object);
}

static void
capra_results_view_finalize (GObject *object)
{
  g_free (CAPRA_RESULTS_VIEW (object)->names);
  G_OBJECT_CLASS (capra_results_view_parent_class)->finalize (object);
}

static void
capra_results_view_class_init (CapraResultsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_results_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = capra_results_view_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  activated_signal = g_signal_new ("activated", CAPRA_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
capra_results_view_init (CapraResultsView *self)
{
  GtkWidget *table = gtk_column_view_new (NULL);

  self->table = GTK_COLUMN_VIEW (table);
  capra_column_view_leave_by_tab (self->table);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_column_view_set_show_column_separators (self->table, TRUE);
  gtk_widget_add_css_class (table, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (table), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Numbers"), -1);
  g_signal_connect_swapped (table, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_object (gtk_column_view_get_sorter (self->table), "changed", G_CALLBACK (on_sorter_changed), self,
                           G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), table);
  gtk_widget_set_vexpand (self->scrolled, TRUE);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}
