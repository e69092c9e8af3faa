/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source-row: what feeds the second input of a step. */
#include "ui/panel/steps/aux-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/widgets/file-entry.h"

struct _CapraAuxRow {
  AdwPreferencesRow parent_instance;
  CapraStepModel *pipeline;
  CapraStep *step;
  GtkWidget *choice, *file, *entry;
  GArray *ids;      /* of guint: of the earlier steps, in the order of their choices */
  gboolean showing; /* the choice changes because it is told to */
};

G_DEFINE_FINAL_TYPE (CapraAuxRow, capra_aux_row, ADW_TYPE_PREFERENCES_ROW)

/* The choices: these two, one for each earlier step, and a file. */
enum { NOTHING, IMAGE, FIRST_STEP };

static guint
get_file_choice (CapraAuxRow *self)
{
  return FIRST_STEP + self->ids->len;
}

static guint
find_choice (CapraAuxRow *self, CapraAuxSource *aux)
{
  if (!aux)
    return NOTHING;
  if (capra_aux_source_get_kind (aux) == CAPRA_AUX_INPUT)
    return IMAGE;
  for (guint i = 0; i < self->ids->len; i++)
    if (g_array_index (self->ids, guint, i) == capra_aux_source_get_step (aux))
      return FIRST_STEP + i;
  return capra_aux_source_get_path (aux) ? get_file_choice (self) : GTK_INVALID_LIST_POSITION;
}

static GtkStringList *
list_choices (CapraAuxRow *self)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  g_array_set_size (self->ids, 0);
  gtk_string_list_append (list, _ ("Nothing"));
  gtk_string_list_append (list, _ ("The image itself"));
  for (guint i = 0;
       capra_step_model_get_step (self->pipeline, i) != self->step && i < capra_step_model_get_length (self->pipeline);
       i++)
    {
      CapraStep *step = capra_step_model_get_step (self->pipeline, i);
      guint id = capra_step_get_id (step);
      g_autofree char *title = capra_operation_get_title (capra_step_get_operation (step));
      g_autofree char *text = g_strdup_printf (_ ("Result of %u. %s"), i + 1, title);

      g_array_append_val (self->ids, id);
      gtk_string_list_append (list, text);
    }
  gtk_string_list_append (list, _ ("A file"));
  return list;
}

static gboolean
is_listed (GtkStringList *list, GListModel *shown)
{
  guint length = g_list_model_get_n_items (G_LIST_MODEL (list));

  for (guint i = 0; i < length; i++)
    if (g_strcmp0 (gtk_string_list_get_string (list, i), gtk_string_list_get_string (GTK_STRING_LIST (shown), i)) != 0)
      return FALSE;
  return g_list_model_get_n_items (shown) == length;
}

static void
update (CapraAuxRow *self)
{
  CapraAuxSource *aux = capra_step_get_aux (self->step);
  g_autoptr (GtkStringList) list = list_choices (self);
  guint choice = find_choice (self, aux);
  const char *path = aux ? capra_aux_source_get_path (aux) : NULL;

  self->showing = TRUE;
  if (!is_listed (list, gtk_drop_down_get_model (GTK_DROP_DOWN (self->choice))))
    gtk_drop_down_set_model (GTK_DROP_DOWN (self->choice), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), choice);
  gtk_widget_set_visible (self->file, choice == get_file_choice (self));
  if (path && strcmp (path, gtk_editable_get_text (GTK_EDITABLE (self->entry))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), path);
  self->showing = FALSE;
}

static void
on_chosen (GObject *object, GParamSpec *pspec, gpointer data)
{
  CapraAuxRow *self = data;
  guint choice = gtk_drop_down_get_selected (GTK_DROP_DOWN (object));
  g_autoptr (CapraAuxSource) aux = NULL;

  if (self->showing || choice == GTK_INVALID_LIST_POSITION)
    return;
  if (choice == IMAGE)
    aux = capra_aux_source_new_input ();
  else if (choice == get_file_choice (self))
    aux = capra_aux_source_new_file (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  else if (choice >= FIRST_STEP)
    aux = capra_aux_source_new_step (g_array_index (self->ids, guint, choice - FIRST_STEP));
  capra_step_set_aux (self->step, aux);
}

/* The path counts when it is whole, not at every key. */
static void
on_path (GtkEntry *entry, gpointer data)
{
  CapraAuxRow *self = data;
  g_autoptr (CapraAuxSource) aux = capra_aux_source_new_file (gtk_editable_get_text (GTK_EDITABLE (entry)));

  if (self->step && gtk_widget_get_visible (self->file))
    capra_step_set_aux (self->step, aux);
}

static void
on_leave (GtkEventControllerFocus *focus, gpointer data)
{
  on_path (GTK_ENTRY (CAPRA_AUX_ROW (data)->entry), data);
}

static void
name_for_tools (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
build (CapraAuxRow *self)
{
  const char *operation = capra_step_get_operation (self->step);
  const char *title = gegl_operation_get_key (operation, "capra:aux-title");
  const char *meaning = gegl_operation_get_key (operation, "capra:aux-description");
  const char *empty[] = { NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkWidget *label;

  if (!title)
    title = _ ("Second image");
  if (!meaning)
    meaning = _ ("The image on the operation's second input (aux)");
  label = gtk_label_new (title);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  self->choice = gtk_drop_down_new_from_strings (empty);
  self->file = capra_file_entry_new (&self->entry);
  name_for_tools (self->choice, title);
  name_for_tools (self->entry, title);
  gtk_widget_add_css_class (box, "capra-property");
  gtk_widget_set_tooltip_text (label, meaning);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->choice);
  gtk_box_append (GTK_BOX (box), self->file);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  g_signal_connect (self->choice, "notify::selected", G_CALLBACK (on_chosen), self);
  g_signal_connect (self->entry, "activate", G_CALLBACK (on_path), self);
  g_signal_connect (focus, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (self->entry, focus);
}

static void
capra_aux_row_dispose (GObject *object)
{
  CapraAuxRow *self = CAPRA_AUX_ROW (object);

  g_clear_object (&self->step);
  g_clear_object (&self->pipeline);
  g_clear_pointer (&self->ids, g_array_unref);
  G_OBJECT_CLASS (capra_aux_row_parent_class)->dispose (object);
}

static void
capra_aux_row_class_init (CapraAuxRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_aux_row_dispose;
}

static void
capra_aux_row_init (CapraAuxRow *self)
{
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint));
}

GtkWidget *
capra_aux_row_new (CapraStepModel *pipeline, CapraStep *step)
{
  CapraAuxRow *self = g_object_new (CAPRA_TYPE_AUX_ROW, NULL);

  self->pipeline = g_object_ref (pipeline);
  self->step = g_object_ref (step);
  build (self);
  update (self);
  g_signal_connect_object (step, "changed::aux", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pipeline, "items-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
