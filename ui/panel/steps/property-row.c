/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Property-row: one property of a step: its name, its editor, and a button that resets it. */
#include "ui/panel/steps/property-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/resources.h"
#include "ui/panel/steps/editors/editor-factory.h"
#include "ui/panel/steps/editors/number-editor.h"
#include "ui/panel/widgets/wrap-layout.h"
#include "ui/pipeline/steps/property-condition.h"

struct _CapraPropertyRow {
  AdwPreferencesRow parent_instance;
  CapraStep *step;
  GParamSpec *property;
  CapraSizeLink *link; /* NULL for a property that is not one of two sizes */
  CapraEditor *editor;
  GtkWidget *header, *title, *link_button, *reset_button;
};

G_DEFINE_FINAL_TYPE (CapraPropertyRow, capra_property_row, ADW_TYPE_PREFERENCES_ROW)

enum { PROP_0, PROP_STEP, PROP_PROPERTY, PROP_LINK, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static void
on_edited (CapraPropertyRow *self)
{
  if (self->link)
    capra_size_link_set_size (self->link, self->property, capra_editor_get_value (self->editor));
  else if (self->step)
    capra_step_set (self->step, self->property, capra_editor_get_value (self->editor));
}

static void
on_reset (CapraPropertyRow *self)
{
  if (self->link)
    capra_size_link_set_size (self->link, self->property, g_param_spec_get_default_value (self->property));
  else
    capra_step_reset (self->step, self->property);
}

static void
update_value (CapraPropertyRow *self)
{
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean is_default = capra_step_is_default (self->step, self->property);

  capra_step_get (self->step, self->property, &value);
  g_signal_handlers_block_by_func (self->editor, on_edited, self);
  capra_editor_set_value (self->editor, &value);
  g_signal_handlers_unblock_by_func (self->editor, on_edited, self);
  /* Not hidden: the controls beside it would move. */
  gtk_widget_set_opacity (self->reset_button, is_default ? 0.0 : 1.0);
  gtk_widget_set_sensitive (self->reset_button, !is_default);
}

/* Hides or disables a property that the operation ignores because of the values of others. */
static void
update_conditions (CapraPropertyRow *self)
{
  const char *visible = gegl_param_spec_get_property_key (self->property, "visible");
  const char *sensitive = gegl_param_spec_get_property_key (self->property, "sensitive");

  gtk_widget_set_visible (GTK_WIDGET (self), capra_property_condition_holds (self->step, visible));
  gtk_widget_set_sensitive (GTK_WIDGET (self->editor), capra_property_condition_holds (self->step, sensitive));
}

/* "px", "°" and the like, "" if the property has no unit. */
static const char *
get_unit (GParamSpec *property)
{
  static const struct {
    const char *unit, *text;
  } units[] = {
    { "pixel-distance", N_ ("px") }, { "pixel-coordinate", N_ ("px") }, { "degree", N_ ("°") },
    { "kelvin", N_ ("K") },          { "percent", N_ ("%") },
  };
  const char *unit = gegl_param_spec_get_property_key (property, "unit");

  for (guint i = 0; unit && i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].unit) == 0)
      return _ (units[i].text);
  return "";
}

static void
set_title (CapraPropertyRow *self)
{
  const char *unit = get_unit (self->property);
  g_autofree char *nick = g_markup_escape_text (g_param_spec_get_nick (self->property), -1);
  g_autofree char *markup = *unit ? g_strdup_printf ("%s <span alpha='60%%'>%s</span>", nick, unit) : g_strdup (nick);

  gtk_label_set_markup (GTK_LABEL (self->title), markup);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  g_param_spec_get_nick (self->property), -1);
}

static void
follow (CapraPropertyRow *self, GParamSpec *property)
{
  g_autofree char *signal = g_strdup_printf ("changed::%s", property->name);

  g_signal_connect_object (self->step, signal, G_CALLBACK (update_value), self, G_CONNECT_SWAPPED);
}

static void
show_link (CapraPropertyRow *self)
{
  follow (self, capra_size_link_get_other (self->link, self->property)); /* a change of both is reported once */
  g_object_bind_property (self->link, "linked", self->link_button, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  gtk_widget_set_visible (self->link_button, TRUE);
}

/* The name of a number is not cut: if there is too little room, the number is below it. */
static void
wrap_number (CapraPropertyRow *self)
{
  GtkWidget *line = gtk_widget_get_parent (self->header);

  gtk_widget_set_layout_manager (line, g_object_new (CAPRA_TYPE_WRAP_LAYOUT, "room", -1, "spacing", 2, NULL));
}

static void
capra_property_row_constructed (GObject *object)
{
  CapraPropertyRow *self = CAPRA_PROPERTY_ROW (object);

  G_OBJECT_CLASS (capra_property_row_parent_class)->constructed (object);
  set_title (self);
  self->editor = capra_editor_new_for_property (self->property);
  capra_editor_set_header (self->editor, self->header);
  if (CAPRA_IS_NUMBER_EDITOR (self->editor))
    wrap_number (self);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), GTK_WIDGET (self->editor));
  g_signal_connect_object (self->editor, "notify::value", G_CALLBACK (on_edited), self, G_CONNECT_SWAPPED);
  update_value (self);
  update_conditions (self);
  follow (self, self->property);
  if (self->link)
    show_link (self);
  if (gegl_param_spec_get_property_key (self->property, "visible")
      || gegl_param_spec_get_property_key (self->property, "sensitive"))
    g_signal_connect_object (self->step, "changed", G_CALLBACK (update_conditions), self, G_CONNECT_SWAPPED);
}

static void
capra_property_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CapraPropertyRow *self = CAPRA_PROPERTY_ROW (object);

  switch (id)
    {
    case PROP_STEP: g_value_set_object (value, self->step); break;
    case PROP_PROPERTY: g_value_set_param (value, self->property); break;
    case PROP_LINK: g_value_set_object (value, self->link); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_property_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  CapraPropertyRow *self = CAPRA_PROPERTY_ROW (object);

  switch (id)
    {
    case PROP_STEP: self->step = g_value_dup_object (value); break;
    case PROP_PROPERTY: self->property = g_value_dup_param (value); break;
    case PROP_LINK: self->link = g_value_dup_object (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_property_row_dispose (GObject *object)
{
  CapraPropertyRow *self = CAPRA_PROPERTY_ROW (object);

  g_clear_object (&self->link);
  g_clear_object (&self->step);
  G_OBJECT_CLASS (capra_property_row_parent_class)->dispose (object);
}

static void
capra_property_row_finalize (GObject *object)
{
  g_clear_pointer (&CAPRA_PROPERTY_ROW (object)->property, g_param_spec_unref);
  G_OBJECT_CLASS (capra_property_row_parent_class)->finalize (object);
}

static void
capra_property_row_class_init (CapraPropertyRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = capra_property_row_constructed;
  object_class->get_property = capra_property_row_get_property;
  object_class->set_property = capra_property_row_set_property;
  object_class->dispose = capra_property_row_dispose;
  object_class->finalize = capra_property_row_finalize;
  properties[PROP_STEP] = g_param_spec_object ("step", NULL, NULL, CAPRA_TYPE_STEP, flags);
  properties[PROP_PROPERTY] = g_param_spec_param ("property", NULL, NULL, G_TYPE_PARAM, flags);
  properties[PROP_LINK] = g_param_spec_object ("link", NULL, NULL, CAPRA_TYPE_SIZE_LINK, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "property-row.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraPropertyRow, header);
  gtk_widget_class_bind_template_child (widget_class, CapraPropertyRow, title);
  gtk_widget_class_bind_template_child (widget_class, CapraPropertyRow, link_button);
  gtk_widget_class_bind_template_child (widget_class, CapraPropertyRow, reset_button);
  gtk_widget_class_bind_template_callback (widget_class, on_reset);
}

static void
capra_property_row_init (CapraPropertyRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

CapraEditor *
capra_property_row_get_editor (CapraPropertyRow *row)
{
  return row->editor;
}

GtkWidget *
capra_property_row_new (CapraStep *step, GParamSpec *property, CapraSizeLink *link)
{
  return g_object_new (CAPRA_TYPE_PROPERTY_ROW, "step", step, "property", property, "link", link, NULL);
}
