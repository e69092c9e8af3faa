/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory view: a memory card for each device in use, sampled twice a second. */
#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "ui/panel/monitor/memory-card.h"
#include "ui/panel/monitor/memory-view.h"
#include "ui/panel/widgets/units.h"

#define INTERVAL 500                      /* ms */
#define MAX_WAIT (2 * G_TIME_SPAN_SECOND) /* for processes that free memory */

struct _CapraMemoryView {
  GtkWidget parent_instance;
  GtkWidget *stack, *empty, *cards, *free, *freed;
  CapraProcesses *processes;
  GCancellable *cancellable;
  guint timer;
  gboolean querying; /* a thread queries NVML */
  gint64 asked;      /* when processes were asked to free memory; 0 when the result is complete */
  guint64 before;    /* bytes that they had freed until then */
};

G_DEFINE_FINAL_TYPE (CapraMemoryView, capra_memory_view, GTK_TYPE_WIDGET)

static CapraMemoryCard *
find_card (CapraMemoryView *view, const char *id)
{
  for (GtkWidget *child = gtk_widget_get_first_child (view->cards); child; child = gtk_widget_get_next_sibling (child))
    if (g_str_equal (capra_memory_card_get_id (CAPRA_MEMORY_CARD (child)), id))
      return CAPRA_MEMORY_CARD (child);
  return NULL;
}

/* Adds cards for devices that are used for the first time. Cards are not removed. */
static void
add_cards (CapraMemoryView *view, const CapraMonitorProcess *process)
{
  for (guint i = 0; i < process->devices->len; i++)
    {
      const CapraMonitorDevice *device = process->devices->pdata[i];

      if (device->memory.budget > 0 && !find_card (view, device->id))
        {
          g_autofree char *title = capra_process_device_title (process, i);

          gtk_box_append (GTK_BOX (view->cards), capra_memory_card_new (device->id, title));
        }
    }
  if (gtk_widget_get_first_child (view->cards))
    gtk_stack_set_visible_child_name (GTK_STACK (view->stack), "cards");
}

static void
update_cards (CapraMemoryView *view)
{
  for (GtkWidget *child = gtk_widget_get_first_child (view->cards); child; child = gtk_widget_get_next_sibling (child))
    capra_memory_card_update (CAPRA_MEMORY_CARD (child), view->processes);
}

/* Shows how much memory has been freed since the request. */
static void
update_freed (CapraMemoryView *view)
{
  guint64 now = capra_processes_get_freed (view->processes);
  gboolean over = g_get_monotonic_time () > view->asked + MAX_WAIT;

  if (!view->asked)
    return;
  if (now > view->before)
    {
      g_autofree char *bytes = capra_units_bytes (now - view->before);
      /* Translators: %s is an amount of memory. */
      g_autofree char *text = g_strdup_printf (_ ("Freed: %s"), bytes);

      gtk_label_set_text (GTK_LABEL (view->freed), text);
    }
  else if (over)
    gtk_label_set_text (GTK_LABEL (view->freed), _ ("There was no unused memory."));
  if (over)
    view->asked = 0;
}

static void
on_event (CapraProcesses *processes, const CapraMonitorProcess *process, CapraMonitorEvent event, gpointer data)
{
  CapraMemoryView *view = data;

  if (event != CAPRA_MONITOR_LEFT)
    add_cards (view, process);
  update_cards (view);
  update_freed (view);
}

/* In a thread, since the driver may be slow. The data of the task are ids, its result is an array of CapraCard. */
static void
query_cards (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  char **ids = data;
  GArray *found = g_array_new (FALSE, TRUE, sizeof (CapraCard));

  for (guint i = 0; ids[i]; i++)
    {
      CapraCard card = { 0 };

      if (!capra_nvml_query (ids[i], &card))
        card.total = 0;
      g_array_append_val (found, card);
    }
  g_task_return_pointer (task, found, (GDestroyNotify) g_array_unref);
}

static void
on_cards_queried (GObject *source, GAsyncResult *result, gpointer data)
{
  CapraMemoryView *view = CAPRA_MEMORY_VIEW (source);
  char **ids = g_task_get_task_data (G_TASK (result));
  g_autoptr (GArray) found = g_task_propagate_pointer (G_TASK (result), NULL);

  view->querying = FALSE;
  for (guint i = 0; found && i < found->len; i++)
    {
      CapraMemoryCard *card = find_card (view, ids[i]);
      const CapraCard *whole = &g_array_index (found, CapraCard, i);

      if (card)
        capra_memory_card_sample (card, whole->total ? whole : NULL);
    }
}

static gboolean
on_timer (gpointer data)
{
  CapraMemoryView *view = data;
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_autoptr (GTask) task = NULL;

  update_freed (view);
  if (view->querying || !gtk_widget_get_first_child (view->cards))
    return G_SOURCE_CONTINUE;
  for (GtkWidget *child = gtk_widget_get_first_child (view->cards); child; child = gtk_widget_get_next_sibling (child))
    g_strv_builder_add (ids, capra_memory_card_get_id (CAPRA_MEMORY_CARD (child)));
  view->querying = TRUE;
  task = g_task_new (view, view->cancellable, on_cards_queried, NULL);
  g_task_set_task_data (task, g_strv_builder_end (ids), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, query_cards);
  return G_SOURCE_CONTINUE;
}

static void
on_free (CapraMemoryView *view)
{
  view->asked = g_get_monotonic_time ();
  view->before = capra_processes_get_freed (view->processes);
  gtk_label_set_text (GTK_LABEL (view->freed), "");
  capra_processes_free_unused (view->processes);
}

static void
capra_memory_view_dispose (GObject *object)
{
  CapraMemoryView *view = CAPRA_MEMORY_VIEW (object);

  g_clear_handle_id (&view->timer, g_source_remove);
  g_cancellable_cancel (view->cancellable);
  g_clear_object (&view->processes);
  g_clear_pointer (&view->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (capra_memory_view_parent_class)->dispose (object);
}

static void
capra_memory_view_finalize (GObject *object)
{
  g_clear_object (&CAPRA_MEMORY_VIEW (object)->cancellable);
  G_OBJECT_CLASS (capra_memory_view_parent_class)->finalize (object);
}

static void
capra_memory_view_class_init (CapraMemoryViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = capra_memory_view_dispose;
  G_OBJECT_CLASS (class)->finalize = capra_memory_view_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/capra/Panel/views/memory-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryView, stack);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryView, empty);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryView, cards);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryView, free);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryView, freed);
  gtk_widget_class_bind_template_callback (widget_class, on_free);
}

static void
capra_memory_view_init (CapraMemoryView *view)
{
  gtk_widget_init_template (GTK_WIDGET (view));
  view->cancellable = g_cancellable_new ();
  view->timer = g_timeout_add (INTERVAL, on_timer, view);
}

GtkWidget *
capra_memory_view_new (CapraProcesses *processes)
{
  CapraMemoryView *view = g_object_new (CAPRA_TYPE_MEMORY_VIEW, NULL);
  const GPtrArray *list = capra_processes_list (processes);
  const char *error = capra_processes_get_error (processes);

  view->processes = g_object_ref (processes);
  g_signal_connect_object (processes, "event", G_CALLBACK (on_event), view, 0);
  for (guint i = 0; i < list->len; i++)
    add_cards (view, list->pdata[i]);
  update_cards (view);
  if (error)
    adw_status_page_set_description (ADW_STATUS_PAGE (view->empty), error);
  return GTK_WIDGET (view);
}
