/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aux-row: the image on the second input (aux) of a step: none, the image itself, an earlier result, or a file. */
#include "ui/panel/steps/aux-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/resources.h"
#include "ui/panel/widgets/accessible.h"
#include "ui/panel/widgets/file-entry.h"

struct _CapraAuxRow {
  AdwPreferencesRow parent_instance;
  CapraStepModel *model;
  CapraStep *step;
  GtkWidget *box, *title, *drop_down, *file, *entry;
  GArray *ids;      /* of guint: of the earlier steps, in the order of the list */
  gboolean showing; /* the selection changes because a source is shown, not because the user selects */
};

G_DEFINE_FINAL_TYPE (CapraAuxRow, capra_aux_row, ADW_TYPE_PREFERENCES_ROW)

enum { PROP_0, PROP_MODEL, PROP_STEP, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

/* Positions in the list: these two, then one for each earlier step, then the file. */
enum { NONE, IMAGE, FIRST_STEP };

static guint
get_file_position (CapraAuxRow *self)
{
  return FIRST_STEP + self->ids->len;
}

static guint
find_position (CapraAuxRow *self, CapraAuxSource *aux)
{
  if (!aux)
    return NONE;
  if (capra_aux_source_get_kind (aux) == CAPRA_AUX_INPUT)
    return IMAGE;
  for (guint i = 0; i < self->ids->len; i++)
    if (g_array_index (self->ids, guint, i) == capra_aux_source_get_step (aux))
      return FIRST_STEP + i;
  return capra_aux_source_get_path (aux) ? get_file_position (self) : GTK_INVALID_LIST_POSITION;
}

static GtkStringList *
list_sources (CapraAuxRow *self)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  g_array_set_size (self->ids, 0);
  gtk_string_list_append (list, _ ("None"));
  gtk_string_list_append (list, _ ("The image itself"));
  for (guint i = 0; i < capra_step_model_get_length (self->model); i++)
    {
      CapraStep *step = capra_step_model_get_step (self->model, i);
      guint id = capra_step_get_id (step);
      g_autofree char *title = capra_step_dup_title (step);
      g_autofree char *text = g_strdup_printf (_ ("Result of %u. %s"), i + 1, title);

      if (step == self->step)
        break;
      g_array_append_val (self->ids, id);
      gtk_string_list_append (list, text);
    }
  gtk_string_list_append (list, _ ("A file"));
  return list;
}

static gboolean
have_same_strings (GtkStringList *a, GtkStringList *b)
{
  guint length = g_list_model_get_n_items (G_LIST_MODEL (a));

  for (guint i = 0; i < length; i++)
    if (g_strcmp0 (gtk_string_list_get_string (a, i), gtk_string_list_get_string (b, i)) != 0)
      return FALSE;
  return g_list_model_get_n_items (G_LIST_MODEL (b)) == length;
}

static void
update (CapraAuxRow *self)
{
  GtkDropDown *drop_down = GTK_DROP_DOWN (self->drop_down);
  CapraAuxSource *aux = capra_step_get_aux (self->step);
  g_autoptr (GtkStringList) list = list_sources (self);
  guint position = find_position (self, aux);
  const char *path = aux ? capra_aux_source_get_path (aux) : NULL;

  self->showing = TRUE;
  if (!have_same_strings (list, GTK_STRING_LIST (gtk_drop_down_get_model (drop_down))))
    gtk_drop_down_set_model (drop_down, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (drop_down, position);
  gtk_widget_set_visible (self->file, position == get_file_position (self));
  if (path && strcmp (path, gtk_editable_get_text (GTK_EDITABLE (self->entry))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), path);
  self->showing = FALSE;
}

static void
on_selected (CapraAuxRow *self)
{
  guint position = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->drop_down));
  g_autoptr (CapraAuxSource) aux = NULL;

  if (self->showing || !self->step || position == GTK_INVALID_LIST_POSITION)
    return;
  if (position == IMAGE)
    aux = capra_aux_source_new_input ();
  else if (position == get_file_position (self))
    aux = capra_aux_source_new_file (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  else if (position >= FIRST_STEP)
    aux = capra_aux_source_new_step (g_array_index (self->ids, guint, position - FIRST_STEP));
  capra_step_set_aux (self->step, aux);
}

/* On Enter and when the focus leaves, not on every key: each path would be loaded. */
static void
take_path (CapraAuxRow *self)
{
  g_autoptr (CapraAuxSource) aux = capra_aux_source_new_file (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  if (self->step && gtk_widget_get_visible (self->file))
    capra_step_set_aux (self->step, aux);
}

static void
set_title (CapraAuxRow *self)
{
  const char *operation = capra_step_get_operation (self->step);
  const char *title = gegl_operation_get_key (operation, CAPRA_OPERATION_AUX_TITLE);
  const char *description = gegl_operation_get_key (operation, CAPRA_OPERATION_AUX_DESCRIPTION);

  if (!title)
    title = _ ("Second image");
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_widget_set_tooltip_text (self->title,
                               description ? description : _ ("The image on the operation's second input (aux)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  capra_accessible_complete (GTK_WIDGET (self->drop_down));
}

static void
capra_aux_row_constructed (GObject *object)
{
  CapraAuxRow *self = CAPRA_AUX_ROW (object);

  G_OBJECT_CLASS (capra_aux_row_parent_class)->constructed (object);
  set_title (self);
  update (self);
  g_signal_connect_object (self->step, "changed::aux", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

static void
capra_aux_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CapraAuxRow *self = CAPRA_AUX_ROW (object);

  switch (id)
    {
    case PROP_MODEL: g_value_set_object (value, self->model); break;
    case PROP_STEP: g_value_set_object (value, self->step); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_aux_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  CapraAuxRow *self = CAPRA_AUX_ROW (object);

  switch (id)
    {
    case PROP_MODEL: self->model = g_value_dup_object (value); break;
    case PROP_STEP: self->step = g_value_dup_object (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_aux_row_dispose (GObject *object)
{
  CapraAuxRow *self = CAPRA_AUX_ROW (object);

  g_clear_object (&self->step);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (capra_aux_row_parent_class)->dispose (object);
}

static void
capra_aux_row_finalize (GObject *object)
{
  g_array_unref (CAPRA_AUX_ROW (object)->ids);
  G_OBJECT_CLASS (capra_aux_row_parent_class)->finalize (object);
}

static void
capra_aux_row_class_init (CapraAuxRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = capra_aux_row_constructed;
  object_class->get_property = capra_aux_row_get_property;
  object_class->set_property = capra_aux_row_set_property;
  object_class->dispose = capra_aux_row_dispose;
  object_class->finalize = capra_aux_row_finalize;
  properties[PROP_MODEL] = g_param_spec_object ("model", NULL, NULL, CAPRA_TYPE_STEP_MODEL, flags);
  properties[PROP_STEP] = g_param_spec_object ("step", NULL, NULL, CAPRA_TYPE_STEP, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "aux-row.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraAuxRow, box);
  gtk_widget_class_bind_template_child (widget_class, CapraAuxRow, title);
  gtk_widget_class_bind_template_child (widget_class, CapraAuxRow, drop_down);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
}

static void
capra_aux_row_init (CapraAuxRow *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->ids = g_array_new (FALSE, FALSE, sizeof (guint));
  gtk_widget_init_template (GTK_WIDGET (self));
  self->file = capra_file_entry_new (&self->entry);
  gtk_box_append (GTK_BOX (self->box), self->file);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (take_path), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "leave", G_CALLBACK (take_path), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (self->entry, focus);
}

GtkWidget *
capra_aux_row_new (CapraStepModel *model, CapraStep *step)
{
  return g_object_new (CAPRA_TYPE_AUX_ROW, "model", model, "step", step, NULL);
}
