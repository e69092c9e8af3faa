/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frame-button: shows and chooses the frame of a document's file, and the data set that it is in. */
#include "ui/panel/window/frame-button.h"

#include <glib/gi18n-lib.h>

struct _CapraFrameButton {
  GtkBox parent_instance;
  CapraDocument *document;
  GtkWidget *datasets; /* a GtkDropDown with a GtkStringList */
  GtkWidget *name, *number, *count;
};

G_DEFINE_FINAL_TYPE (CapraFrameButton, capra_frame_button, GTK_TYPE_BOX)

/* The number that people give the first frame. */
static double
get_first (CapraFrameButton *self)
{
  return capra_document_get_frames_kind (self->document) == CAPRA_FRAMES_OF_DATA ? 0.0 : 1.0;
}

static void
on_value_changed (CapraFrameButton *self)
{
  double number = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->number)) - get_first (self);

  capra_document_set_frame (self->document, (guint64) MAX (number, 0.0));
}

static void
on_dataset_selected (CapraFrameButton *self)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->datasets));

  if (item)
    capra_document_set_dataset (self->document, gtk_string_object_get_string (item));
}

/* The end of a long path says more than its start. */
static void
on_setup_dataset (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_width_chars (GTK_LABEL (label), 6);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 16);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_list_item_set_child (item, label);
}

static void
on_bind_dataset (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  const char *name = gtk_string_object_get_string (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), name);
  gtk_widget_set_tooltip_text (label, name);
}

/* Not the model of the same list again: it may be the one whose selection has just changed. */
static void
set_list (CapraFrameButton *self, const char *const *list)
{
  GListModel *model = gtk_drop_down_get_model (GTK_DROP_DOWN (self->datasets));
  guint count = model ? g_list_model_get_n_items (model) : 0;
  gboolean same = g_strv_length ((char **) list) == count;
  g_autoptr (GtkStringList) other = NULL;

  for (guint i = 0; same && i < count; i++)
    same = g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), i), list[i]);
  if (same)
    return;
  other = gtk_string_list_new (list);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->datasets), G_LIST_MODEL (other));
}

static void
update_datasets (CapraFrameButton *self)
{
  static const char *const none[] = { NULL };
  char **names = capra_document_get_datasets (self->document);
  const char *const *list = names ? (const char *const *) names : none;
  const char *chosen = capra_document_get_dataset (self->document);
  GtkDropDown *datasets = GTK_DROP_DOWN (self->datasets);

  g_signal_handlers_block_by_func (datasets, on_dataset_selected, self);
  set_list (self, list);
  for (guint i = 0; list[i]; i++)
    if (g_strcmp0 (list[i], chosen) == 0)
      gtk_drop_down_set_selected (datasets, i);
  g_signal_handlers_unblock_by_func (datasets, on_dataset_selected, self);
  gtk_widget_set_visible (self->datasets, *list != NULL);
}

static void
set_texts (CapraFrameButton *self, double first, double last)
{
  gboolean pages = capra_document_get_frames_kind (self->document) == CAPRA_FRAMES_PAGES;
  const char *name = pages ? _ ("Page of the file") : _ ("Frame of the file");
  g_autofree char *count = first > 0.0 ? g_strdup_printf (_ ("of %.0f"), last)
                                       : g_strdup_printf (_ ("of 0–%.0f"), last);
  g_autofree char *tip = g_strdup_printf (_ ("%s, from %.0f to %.0f"), name, first, last);

  gtk_label_set_text (GTK_LABEL (self->name), pages ? _ ("Page") : _ ("Frame"));
  gtk_label_set_text (GTK_LABEL (self->count), count);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->number), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* A frame that could not be read is not the one of the image. */
static void
update (CapraFrameButton *self)
{
  guint64 count = capra_document_get_n_frames (self->document);
  double first = get_first (self), last = first + (count > 1 ? (double) (count - 1) : 0.0);
  GtkSpinButton *number = GTK_SPIN_BUTTON (self->number);

  g_signal_handlers_block_by_func (number, on_value_changed, self);
  gtk_spin_button_set_range (number, first, last);
  gtk_spin_button_set_value (number, first + (double) capra_document_get_frame (self->document));
  g_signal_handlers_unblock_by_func (number, on_value_changed, self);
  set_texts (self, first, last);
  update_datasets (self);
  gtk_widget_set_visible (self->name, count > 1);
  gtk_widget_set_visible (self->number, count > 1);
  gtk_widget_set_visible (self->count, count > 1);
  gtk_widget_set_visible (GTK_WIDGET (self), count > 1 || gtk_widget_get_visible (self->datasets));
}

static void
capra_frame_button_dispose (GObject *object)
{
  g_clear_object (&CAPRA_FRAME_BUTTON (object)->document);
  G_OBJECT_CLASS (capra_frame_button_parent_class)->dispose (object);
}

static void
capra_frame_button_class_init (CapraFrameButtonClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_frame_button_dispose;
}

static GtkWidget *
new_datasets (CapraFrameButton *self)
{
  GtkWidget *datasets = gtk_drop_down_new (NULL, NULL);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup_dataset), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_dataset), NULL);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (datasets), factory);
  gtk_widget_set_tooltip_text (datasets, _ ("Data set of the file"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (datasets), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Data set of the file"),
                                  -1);
  g_signal_connect_swapped (datasets, "notify::selected", G_CALLBACK (on_dataset_selected), self);
  return datasets;
}

static void
capra_frame_button_init (CapraFrameButton *self)
{
  GtkBox *box = GTK_BOX (self);

  self->datasets = new_datasets (self);
  self->name = gtk_label_new (NULL);
  self->number = gtk_spin_button_new_with_range (0, 1, 1);
  self->count = gtk_label_new (NULL);
  gtk_box_set_spacing (box, 6);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->number), 3);
  gtk_widget_add_css_class (self->count, "numeric");
  gtk_box_append (box, self->datasets);
  gtk_box_append (box, self->name);
  gtk_box_append (box, self->number);
  gtk_box_append (box, self->count);
  g_signal_connect_swapped (self->number, "value-changed", G_CALLBACK (on_value_changed), self);
}

void
capra_frame_button_set_document (CapraFrameButton *self, CapraDocument *document)
{
  g_return_if_fail (CAPRA_IS_FRAME_BUTTON (self));
  g_return_if_fail (!self->document);
  self->document = g_object_ref (document);
  g_signal_connect_object (document, "notify::loading", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "notify::image", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}
