/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor: base class of the widgets that show and edit the value of one property. */
#include "ui/panel/steps/editors/editor.h"

#include "ui/panel/widgets/accessible.h"
#include "ui/pipeline/text/value-text.h"

typedef struct {
  GParamSpec *property;
  GValue value;
  GtkWidget *line, *header, *control;
  GtkWidget *message; /* NULL before the first one */
  gboolean showing;   /* controls change because a value is shown, not because the user edits */
} CapraEditorPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CapraEditor, capra_editor, GTK_TYPE_BOX)

enum { PROP_0, PROP_PROPERTY, PROP_VALUE, PROP_HEADER, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static CapraEditorPrivate *
get_private (CapraEditor *self)
{
  return capra_editor_get_instance_private (self);
}

static void
store_value (CapraEditorPrivate *priv, const GValue *value)
{
  if (G_IS_VALUE (&priv->value))
    g_value_unset (&priv->value);
  g_value_init (&priv->value, G_VALUE_TYPE (value));
  g_value_copy (value, &priv->value);
}

/* With the message, which screen readers then read with the control. */
static void
describe (CapraEditor *self, GtkWidget *widget)
{
  GParamSpec *property = get_private (self)->property;
  const char *blurb = g_param_spec_get_blurb (property), *message = capra_editor_get_message (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  g_param_spec_get_nick (property), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  message ? message
                                  : blurb ? blurb
                                          : "",
                                  -1);
  capra_accessible_complete (widget);
}

static void
capra_editor_constructed (GObject *object)
{
  CapraEditorPrivate *priv = get_private (CAPRA_EDITOR (object));
  const char *blurb = g_param_spec_get_blurb (priv->property);

  G_OBJECT_CLASS (capra_editor_parent_class)->constructed (object);
  if (blurb && *blurb)
    gtk_widget_set_tooltip_text (priv->line, blurb);
}

static void
capra_editor_get_object_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  CapraEditorPrivate *priv = get_private (CAPRA_EDITOR (object));

  switch (id)
    {
    case PROP_PROPERTY: g_value_set_param (value, priv->property); break;
    case PROP_VALUE: g_value_set_boxed (value, G_IS_VALUE (&priv->value) ? &priv->value : NULL); break;
    case PROP_HEADER: g_value_set_object (value, priv->header); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_editor_set_object_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  CapraEditor *self = CAPRA_EDITOR (object);

  switch (id)
    {
    case PROP_PROPERTY: get_private (self)->property = g_value_dup_param (value); break;
    case PROP_VALUE: capra_editor_set_value (self, g_value_get_boxed (value)); break;
    case PROP_HEADER: capra_editor_set_header (self, g_value_get_object (value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
capra_editor_finalize (GObject *object)
{
  CapraEditorPrivate *priv = get_private (CAPRA_EDITOR (object));

  if (G_IS_VALUE (&priv->value))
    g_value_unset (&priv->value);
  g_clear_pointer (&priv->property, g_param_spec_unref);
  G_OBJECT_CLASS (capra_editor_parent_class)->finalize (object);
}

static void
capra_editor_class_init (CapraEditorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = capra_editor_constructed;
  object_class->get_property = capra_editor_get_object_property;
  object_class->set_property = capra_editor_set_object_property;
  object_class->finalize = capra_editor_finalize;
  properties[PROP_PROPERTY] = g_param_spec_param ("property", NULL, NULL, G_TYPE_PARAM,
                                                  G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_VALUE] = g_param_spec_boxed ("value", NULL, NULL, G_TYPE_VALUE,
                                               G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_HEADER] = g_param_spec_object ("header", NULL, NULL, GTK_TYPE_WIDGET,
                                                 G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
capra_editor_init (CapraEditor *self)
{
  CapraEditorPrivate *priv = get_private (self);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 2);
  gtk_widget_add_css_class (GTK_WIDGET (self), "capra-property");
  priv->line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (self), priv->line);
}

GParamSpec *
capra_editor_get_property (CapraEditor *editor)
{
  return get_private (editor)->property;
}

const GValue *
capra_editor_get_value (CapraEditor *editor)
{
  return &get_private (editor)->value;
}

void
capra_editor_set_value (CapraEditor *editor, const GValue *value)
{
  CapraEditorPrivate *priv = get_private (editor);

  g_return_if_fail (CAPRA_IS_EDITOR (editor) && G_IS_VALUE (value));
  store_value (priv, value);
  priv->showing = TRUE;
  if (CAPRA_EDITOR_GET_CLASS (editor)->show)
    CAPRA_EDITOR_GET_CLASS (editor)->show (editor, value);
  priv->showing = FALSE;
  g_object_notify_by_pspec (G_OBJECT (editor), properties[PROP_VALUE]);
}

void
capra_editor_set_header (CapraEditor *editor, GtkWidget *header)
{
  CapraEditorPrivate *priv = get_private (editor);

  g_return_if_fail (CAPRA_IS_EDITOR (editor));
  if (priv->header == header)
    return;
  if (priv->header)
    gtk_box_remove (GTK_BOX (priv->line), priv->header);
  priv->header = header;
  if (header)
    gtk_box_prepend (GTK_BOX (priv->line), header);
  g_object_notify_by_pspec (G_OBJECT (editor), properties[PROP_HEADER]);
}

GtkWidget *
capra_editor_get_control (CapraEditor *editor)
{
  return get_private (editor)->control;
}

void
capra_editor_add_beside (CapraEditor *editor, GtkWidget *widget)
{
  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (get_private (editor)->line), widget);
}

void
capra_editor_add_below (CapraEditor *editor, GtkWidget *widget)
{
  gtk_box_append (GTK_BOX (editor), widget);
  describe (editor, widget);
}

void
capra_editor_set_control (CapraEditor *editor, GtkWidget *control)
{
  get_private (editor)->control = control;
  describe (editor, control);
}

const char *
capra_editor_get_message (CapraEditor *editor)
{
  GtkWidget *message = get_private (editor)->message;

  return message && gtk_widget_get_visible (message) ? gtk_label_get_text (GTK_LABEL (message)) : NULL;
}

static GtkWidget *
add_message (CapraEditor *self)
{
  GtkWidget *message = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (message), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (message), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (message), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (message, "caption");
  gtk_widget_add_css_class (message, "error");
  gtk_box_append (GTK_BOX (self), message);
  return message;
}

void
capra_editor_set_message (CapraEditor *editor, const char *message)
{
  CapraEditorPrivate *priv = get_private (editor);

  g_return_if_fail (CAPRA_IS_EDITOR (editor));
  if (g_strcmp0 (message, capra_editor_get_message (editor)) == 0)
    return;
  if (!priv->message)
    priv->message = add_message (editor);
  gtk_label_set_text (GTK_LABEL (priv->message), message ? message : "");
  gtk_widget_set_visible (priv->message, message != NULL);
  if (priv->control)
    describe (editor, priv->control);
}

void
capra_editor_set_error (CapraEditor *editor, const GError *error)
{
  GtkWidget *control = get_private (editor)->control;

  g_return_if_fail (CAPRA_IS_EDITOR (editor) && control);
  if (error)
    gtk_widget_add_css_class (control, "error");
  else
    gtk_widget_remove_css_class (control, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_STATE_INVALID,
                               error ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  capra_editor_set_message (editor, error ? error->message : NULL);
}

void
capra_editor_take_value (CapraEditor *editor, const GValue *value)
{
  CapraEditorPrivate *priv = get_private (editor);

  if (priv->showing)
    return;
  store_value (priv, value);
  g_object_notify_by_pspec (G_OBJECT (editor), properties[PROP_VALUE]);
}

void
capra_editor_take_text (CapraEditor *editor, const char *text)
{
  CapraEditorPrivate *priv = get_private (editor);
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  gboolean valid;

  if (priv->showing)
    return;
  valid = capra_value_from_text (priv->property, text, &value, &error);
  capra_editor_set_error (editor, error);
  if (valid)
    capra_editor_take_value (editor, &value);
}

void
capra_editor_ignore_wheel (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}
