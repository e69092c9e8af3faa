/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-rows: the rows of a table in the order in which they are shown, as a list for widgets. */
#include "ui/panel/results/results-rows.h"

#include "ui/panel/results/results-match.h"
#include "ui/panel/results/results-order.h"

/* Sorts, filters and finds the selection again in a thread. */
typedef struct {
  CapraTable *before, *data;
  GtkBitset *selected; /* rows of before, then of data; the thread uses it alone */
  CapraResultsOrder request;
  GArray *order;
} Job;

struct _CapraResultsRows {
  GObject parent_instance;
  CapraResultsTable *table;
  GArray *order;             /* of guint: the row of the table at each position */
  CapraTable *data;          /* that the table has or will have; NULL without one */
  CapraResultsOrder request; /* that the order has or will have */
  Job *job;                  /* that is running; NULL without one */
  gboolean again;            /* something has changed since its start */
  guint selections;          /* changes of the table's selection since its start */
  gboolean installing;       /* the table's data are being set by this object */
};

enum { PROP_BUSY = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint changed_signal, row_chosen_signal;

static void list_init (GListModelInterface *iface);
static void selection_init (GtkSelectionModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CapraResultsRows, capra_results_rows, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_init)
                                 G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, selection_init))

static GType
get_item_type (GListModel *list)
{
  return G_TYPE_OBJECT;
}

static guint
get_n_items (GListModel *list)
{
  return CAPRA_RESULTS_ROWS (list)->order->len;
}

static gpointer
get_item (GListModel *list, guint position)
{
  return position < CAPRA_RESULTS_ROWS (list)->order->len ? g_object_new (G_TYPE_OBJECT, NULL) : NULL;
}

static void
list_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

/* GTK asks for each row that it shows. */
static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (model);

  return position < self->order->len
         && gtk_bitset_contains (capra_results_table_get_selected (self->table),
                                 g_array_index (self->order, guint, position));
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint count)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (model);
  GtkBitset *selected = capra_results_table_get_selected (self->table), *positions = gtk_bitset_new_empty ();
  guint end = MIN (position + count, self->order->len);

  if (gtk_bitset_is_empty (selected))
    return positions;
  for (guint i = position; i < end; i++)
    if (gtk_bitset_contains (selected, g_array_index (self->order, guint, i)))
      gtk_bitset_add (positions, i);
  return positions;
}

static gboolean
set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (model);
  g_autoptr (GtkBitset) rows = gtk_bitset_copy (capra_results_table_get_selected (self->table));
  GtkBitsetIter iter;
  guint position, chosen = 0, n_chosen = 0;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, mask, &position); more && position < self->order->len;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      guint row = g_array_index (self->order, guint, position);

      if (!gtk_bitset_contains (selected, position))
        gtk_bitset_remove (rows, row);
      else if (gtk_bitset_add (rows, row))
        {
          chosen = row;
          n_chosen++;
        }
    }
  capra_results_table_set_selected (self->table, rows);
  if (n_chosen == 1)
    g_signal_emit (self, row_chosen_signal, 0, chosen);
  return TRUE;
}

static void
selection_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = is_selected;
  iface->get_selection_in_range = get_selection_in_range;
  iface->set_selection = set_selection;
}

/* (transfer full): the rows of @selected that are shown. */
static GtkBitset *
find_shown (const GArray *order, GtkBitset *selected)
{
  GtkBitset *shown = gtk_bitset_new_empty ();

  for (guint i = 0; i < order->len && !gtk_bitset_is_empty (selected); i++)
    if (gtk_bitset_contains (selected, g_array_index (order, guint, i)))
      gtk_bitset_add (shown, g_array_index (order, guint, i));
  return shown;
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->before, capra_table_unref);
  capra_table_unref (job->data);
  g_clear_pointer (&job->selected, gtk_bitset_unref);
  g_clear_pointer (&job->order, g_array_unref);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;

  if (job->before != job->data)
    {
      GtkBitset *selected = capra_results_match (job->before, job->data, job->selected);

      gtk_bitset_unref (job->selected);
      job->selected = selected;
    }
  job->order = capra_results_order_list (&job->request, job->data);
  g_task_return_boolean (task, TRUE);
}

/* GTK creates widgets anew for items that have changed. Only the number of rows changes for it; widgets show other rows
 * in "changed". @order: (transfer full): rows of @data */
static void
install (CapraResultsRows *self, GArray *order, CapraTable *data, GtkBitset *selected)
{
  guint before = self->order->len, same = MIN (before, order->len), after = order->len;

  g_array_unref (self->order);
  self->order = order;
  self->installing = TRUE;
  capra_results_table_replace_data (self->table, data, selected);
  self->installing = FALSE;
  if (before != after)
    g_list_model_items_changed (G_LIST_MODEL (self), same, before - same, after - same);
  if (same > 0)
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), 0, same);
  g_signal_emit (self, changed_signal, 0);
}

static void
set_job (CapraResultsRows *self, Job *job)
{
  gboolean changed = !self->job != !job;

  self->job = job;
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void on_job_done (GObject *object, GAsyncResult *result, gpointer data);

/* One job runs at a time, so that numbers that change faster than they are sorted are shown nevertheless. */
static void
update (CapraResultsRows *self)
{
  g_autoptr (GTask) task = NULL;
  CapraTable *before = capra_results_table_get_data (self->table);
  Job *job = NULL;

  self->again = self->job != NULL;
  if (self->again || !self->data)
    return;
  job = g_new0 (Job, 1);
  *job = (Job){ .before = before ? capra_table_ref (before) : NULL,
                .data = capra_table_ref (self->data),
                .selected = gtk_bitset_copy (capra_results_table_get_selected (self->table)),
                .request = self->request };
  self->selections = 0;
  task = g_task_new (self, NULL, on_job_done, NULL);
  g_task_set_task_data (task, job, job_free);
  set_job (self, job);
  g_task_run_in_thread (task, run_job);
}

/* A job whose table was removed in the meantime is ignored. A selection that has changed in the meantime is found again
 * if the rows are others. */
static void
on_job_done (GObject *object, GAsyncResult *result, gpointer data)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (object);
  Job *job = g_task_get_task_data (G_TASK (result));
  gboolean same = job->before == job->data;
  g_autoptr (GtkBitset) selected = NULL;

  if (self->job != job)
    return;
  set_job (self, NULL);
  selected = find_shown (job->order, same ? capra_results_table_get_selected (self->table) : job->selected);
  if (same || self->selections == 0)
    install (self, g_steal_pointer (&job->order), job->data, selected);
  else
    self->again = TRUE;
  if (self->again)
    update (self);
}

static void
remove_all (CapraResultsRows *self)
{
  g_autoptr (GtkBitset) none = gtk_bitset_new_empty ();

  set_job (self, NULL);
  install (self, g_array_new (FALSE, FALSE, sizeof (guint)), NULL, none);
}

/* Other data than those of this object: their rows are not known yet. */
static void
on_table_changed (CapraResultsRows *self)
{
  CapraTable *data = capra_results_table_get_data (self->table);

  if (self->installing)
    return;
  g_clear_pointer (&self->data, capra_table_unref);
  self->data = data ? capra_table_ref (data) : NULL;
  set_job (self, NULL);
  install (self, g_array_new (FALSE, FALSE, sizeof (guint)), data, capra_results_table_get_selected (self->table));
  update (self);
}

/* Rows that the filter hides are not selected. While a job runs, it is not known which those will be. */
static void
on_selection_changed (CapraResultsRows *self)
{
  self->selections++;
  if (!self->installing && !self->job && self->order->len < capra_results_table_get_rows (self->table))
    {
      g_autoptr (GtkBitset) shown = find_shown (self->order, capra_results_table_get_selected (self->table));

      capra_results_table_set_selected (self->table, shown);
    }
  if (!self->installing && self->order->len > 0)
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), 0, self->order->len);
}

CapraResultsTable *
capra_results_rows_get_table (CapraResultsRows *rows)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROWS (rows), NULL);
  return rows->table;
}

guint
capra_results_rows_get_row (CapraResultsRows *rows, guint position)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROWS (rows) && position < rows->order->len, 0);
  return g_array_index (rows->order, guint, position);
}

GArray *
capra_results_rows_get_order (CapraResultsRows *rows)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROWS (rows), NULL);
  return rows->order;
}

int
capra_results_rows_find (CapraResultsRows *rows, guint row)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROWS (rows), -1);
  for (guint i = 0; i < rows->order->len; i++)
    if (g_array_index (rows->order, guint, i) == row)
      return (int) i;
  return -1;
}

void
capra_results_rows_set_data (CapraResultsRows *rows, CapraTable *data)
{
  g_return_if_fail (CAPRA_IS_RESULTS_ROWS (rows));
  if (rows->data == data)
    return;
  g_clear_pointer (&rows->data, capra_table_unref);
  rows->data = data ? capra_table_ref (data) : NULL;
  if (data)
    update (rows);
  else
    remove_all (rows);
}

static void
set_request (CapraResultsRows *self, const CapraResultsOrder *request)
{
  if (capra_results_order_equal (&self->request, request))
    return;
  self->request = *request;
  update (self);
}

void
capra_results_rows_sort (CapraResultsRows *rows, int column, gboolean descending)
{
  CapraResultsOrder request;

  g_return_if_fail (CAPRA_IS_RESULTS_ROWS (rows));
  request = rows->request;
  request.sort_column = column;
  request.descending = !!descending;
  set_request (rows, &request);
}

void
capra_results_rows_filter (CapraResultsRows *rows, int column, double low, double high)
{
  CapraResultsOrder request;

  g_return_if_fail (CAPRA_IS_RESULTS_ROWS (rows));
  request = rows->request;
  request.filter_column = column;
  request.low = low;
  request.high = high;
  set_request (rows, &request);
}

gboolean
capra_results_rows_get_busy (CapraResultsRows *rows)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROWS (rows), FALSE);
  return rows->job != NULL;
}

static void
capra_results_rows_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, capra_results_rows_get_busy (CAPRA_RESULTS_ROWS (object)));
}

static void
capra_results_rows_finalize (GObject *object)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (object);

  g_object_unref (self->table);
  g_clear_pointer (&self->data, capra_table_unref);
  g_array_unref (self->order);
  G_OBJECT_CLASS (capra_results_rows_parent_class)->finalize (object);
}

static void
capra_results_rows_class_init (CapraResultsRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = capra_results_rows_finalize;
  G_OBJECT_CLASS (klass)->get_property = capra_results_rows_get_property;
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  changed_signal = g_signal_new ("changed", CAPRA_TYPE_RESULTS_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  row_chosen_signal = g_signal_new ("row-chosen", CAPRA_TYPE_RESULTS_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
capra_results_rows_init (CapraResultsRows *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->request = (CapraResultsOrder){ .sort_column = -1, .filter_column = -1 };
}

CapraResultsRows *
capra_results_rows_new (CapraResultsTable *table)
{
  CapraResultsRows *self = g_object_new (CAPRA_TYPE_RESULTS_ROWS, NULL);

  self->table = g_object_ref (table);
  g_signal_connect_object (table, "changed", G_CALLBACK (on_table_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (table, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  on_table_changed (self);
  return self;
}
