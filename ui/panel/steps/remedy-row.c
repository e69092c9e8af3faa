/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remedy-row: what helps a step that has failed or that lacks a step before it, and a button that does it. */
#include "ui/panel/steps/remedy-row.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/accessible.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/text/pipeline-command.h"

/* What the button does. */
typedef enum { REMEDY_NONE, REMEDY_MOVE, REMEDY_THRESHOLD, REMEDY_NUMBERS } Remedy;

struct _CapraRemedyRow {
  AdwPreferencesRow parent_instance;
  CapraStepModel *model;
  CapraStep *step;
  GtkLabel *text;
  GtkButton *button;
};

G_DEFINE_FINAL_TYPE (CapraRemedyRow, capra_remedy_row, ADW_TYPE_PREFERENCES_ROW)

/* (nullable): the last enabled step before @step that labels regions. */
static CapraStep *
find_label (CapraStepModel *model, CapraStep *step)
{
  for (int i = capra_step_model_find (model, capra_step_get_id (step)) - 1; i >= 0; i--)
    {
      CapraStep *before = capra_step_model_get_step (model, (guint) i);
      int numbers = 0;

      if (capra_step_get_enabled (before)
          && capra_operation_find_labels_property (capra_step_get_operation (before), &numbers))
        return before;
    }
  return NULL;
}

/* The result of an operation with a table is its input. */
static gboolean
keeps_labels (CapraStep *step)
{
  static const char *const operations[] = { "gegl:nop", "gegl:crop" };

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    if (g_str_equal (capra_step_get_operation (step), operations[i]))
      return TRUE;
  return capra_operation_has_table (capra_step_get_operation (step)) || !capra_step_get_enabled (step);
}

/* (nullable): the first step between @label and @step that changes labels, as numbers or as colors. */
static CapraStep *
find_change (CapraStepModel *model, CapraStep *label, CapraStep *step)
{
  guint end = (guint) capra_step_model_find (model, capra_step_get_id (step));

  for (guint i = (guint) capra_step_model_find (model, capra_step_get_id (label)) + 1; i < end; i++)
    if (!keeps_labels (capra_step_model_get_step (model, i)))
      return capra_step_model_get_step (model, i);
  return NULL;
}

/* Whether @step has labeled an image in which at most one region was found, and which was not thresholded. */
static gboolean
lacks_threshold (CapraStepModel *model, CapraStep *step)
{
  int position = capra_step_model_find (model, capra_step_get_id (step)), numbers = 0;
  double regions = 0;

  if (!capra_step_get_enabled (step) || capra_step_get_error (step)
      || !capra_operation_find_labels_property (capra_step_get_operation (step), &numbers)
      || !capra_step_get_result (step, "count", &regions) || regions > 1)
    return FALSE;
  for (int i = 0; i < position; i++)
    {
      CapraStep *before = capra_step_model_get_step (model, (guint) i);

      if (capra_step_get_enabled (before) && g_str_has_suffix (capra_step_get_operation (before), "threshold"))
        return FALSE;
    }
  return position >= 0;
}

static gboolean
renders_numbers (CapraStep *label)
{
  int numbers = 0;
  GParamSpec *property = capra_operation_find_labels_property (capra_step_get_operation (label), &numbers);
  g_auto (GValue) value = G_VALUE_INIT;

  if (capra_step_get_raw_values (label) && capra_step_is_default (label, property))
    return TRUE; /* see capra_raw_values_adapt() */
  capra_step_get (label, property, &value);
  return g_value_get_enum (&value) == numbers;
}

/* Whether @step computes with the colors of regions, which it would take for values, instead of their numbers. */
static gboolean
reads_colors (CapraStepModel *model, CapraStep *step)
{
  CapraStep *label = capra_operation_reads_numbers (capra_step_get_operation (step)) ? find_label (model, step) : NULL;

  return label && capra_step_get_enabled (step) && !renders_numbers (label) && !find_change (model, label, step);
}

static Remedy
find_remedy (CapraRemedyRow *self)
{
  CapraStep *label = capra_step_get_needs_labels (self->step) ? find_label (self->model, self->step) : NULL;

  if (label && find_change (self->model, label, self->step))
    return REMEDY_MOVE;
  if (reads_colors (self->model, self->step))
    return REMEDY_NUMBERS;
  return lacks_threshold (self->model, self->step) ? REMEDY_THRESHOLD : REMEDY_NONE;
}

static gboolean
replace_name (const GMatchInfo *match, GString *text, gpointer data)
{
  g_autofree char *name = g_match_info_fetch (match, 0);
  g_autofree char *title = capra_operation_get_title (name);

  if (gegl_has_operation (name))
    g_string_append_printf (text, "“%s”", title);
  else
    g_string_append (text, name);
  return FALSE;
}

/* @message with the titles of operations in place of their names. */
static char *
replace_names (const char *message)
{
  g_autoptr (GRegex) names = g_regex_new ("\\b[a-z]+:[a-z0-9][a-z0-9-]*", 0, 0, NULL);

  return g_regex_replace_eval (names, message, -1, 0, 0, replace_name, NULL, NULL);
}

char *
capra_remedy_row_get_message (CapraStepModel *model, CapraStep *step)
{
  CapraStep *label = find_label (model, step), *change = label ? find_change (model, label, step) : NULL;
  g_autofree char *title = label ? capra_step_dup_title (label) : capra_operation_get_title ("capra:label");

  if (!capra_step_get_error (step))
    return NULL;
  if (!capra_step_get_needs_labels (step) || (label && !change))
    return replace_names (capra_step_get_error (step));
  if (change)
    {
      g_autofree char *other = capra_step_dup_title (change);

      /* Translators: both %s are titles of steps, of which the first one is behind the second one. */
      return g_strdup_printf (_ ("“%s” has changed the regions of “%s”. Move this step before it."), other, title);
    }
  /* Translators: %s is the title of a step. */
  return g_strdup_printf (_ ("Needs the numbers of regions. Add “%s” before this step."), title);
}

char *
capra_remedy_row_describe_failure (CapraStepModel *model, const GError *error)
{
  guint n = g_error_matches (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FAILED)
              ? capra_step_model_get_length (model)
              : 0;

  for (guint i = 0; i < n; i++)
    {
      CapraStep *step = capra_step_model_get_step (model, i);
      g_autofree char *title = capra_step_dup_title (step);
      g_autofree char *message = capra_remedy_row_get_message (model, step);

      if (message)
        /* Translators: the title of a step, and why it has failed. */
        return g_strdup_printf (_ ("“%s”: %s"), title, message);
    }
  return replace_names (error->message);
}

/* What the row says, beside what the step says of its error (g_free). */
static char *
describe (CapraRemedyRow *self, Remedy remedy)
{
  CapraStep *label = find_label (self->model, self->step);
  g_autofree char *title = label ? capra_step_dup_title (label) : NULL;

  if (remedy == REMEDY_THRESHOLD)
    return g_strdup (_ ("Every pixel above 0 is part of one region. Add a threshold before this step."));
  if (remedy == REMEDY_NUMBERS)
    /* Translators: %s is the title of a step. */
    return g_strdup_printf (
      _ ("“%s” renders colors, so these results describe the colors, not the numbers of regions."), title);
  return g_strdup ("");
}

static void
update (CapraRemedyRow *self)
{
  static const char *const labels[] = { [REMEDY_NONE] = "",
                                        [REMEDY_MOVE] = N_ ("_Move Behind Labels"),
                                        [REMEDY_THRESHOLD] = N_ ("Add _Threshold"),
                                        [REMEDY_NUMBERS] = N_ ("Render as _Numbers") };
  Remedy remedy = find_remedy (self);
  g_autofree char *text = describe (self, remedy);

  gtk_button_set_label (self->button, *labels[remedy] ? _ (labels[remedy]) : "");
  capra_accessible_complete (GTK_WIDGET (self));
  gtk_label_set_text (self->text, text);
  gtk_widget_set_visible (GTK_WIDGET (self->text), *text != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self), remedy != REMEDY_NONE);
}

static void
move_behind (CapraStepModel *model, CapraStep *step, CapraStep *label)
{
  capra_step_model_move (model, step, (guint) capra_step_model_find (model, capra_step_get_id (label)) + 1);
}

/* With a method that finds the threshold, since a fixed one suits few images. */
static void
add_threshold (CapraRemedyRow *self)
{
  g_autoptr (GPtrArray) steps = capra_steps_from_command ("capra:threshold method=otsu", NULL);

  g_return_if_fail (steps && steps->len == 1);
  capra_step_model_insert (self->model, steps->pdata[0],
                           capra_step_model_find (self->model, capra_step_get_id (self->step)));
}

static void
render_numbers (CapraStep *label)
{
  int numbers = 0;
  GParamSpec *property = capra_operation_find_labels_property (capra_step_get_operation (label), &numbers);
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (property));
  g_value_set_enum (&value, numbers);
  capra_step_set (label, property, &value);
}

/* This row disappears: the focus goes to the row of the step, which the list may have created anew. */
static void
on_clicked (CapraRemedyRow *self)
{
  g_autoptr (GtkWidget) row = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_EXPANDER_ROW);
  guint id = capra_step_get_id (self->step);

  g_object_ref (row);
  switch (find_remedy (self))
    {
    case REMEDY_MOVE: move_behind (self->model, self->step, find_label (self->model, self->step)); break;
    case REMEDY_THRESHOLD: add_threshold (self); break;
    case REMEDY_NUMBERS: render_numbers (find_label (self->model, self->step)); break;
    case REMEDY_NONE: break;
    }
  if (gtk_widget_get_root (row))
    gtk_root_set_focus (gtk_widget_get_root (row), NULL); /* else it would move on from this row */
  g_signal_emit_by_name (row, "focus-step", id);
}

static void
capra_remedy_row_dispose (GObject *object)
{
  CapraRemedyRow *self = CAPRA_REMEDY_ROW (object);

  g_clear_object (&self->model);
  g_clear_object (&self->step);
  G_OBJECT_CLASS (capra_remedy_row_parent_class)->dispose (object);
}

static void
capra_remedy_row_class_init (CapraRemedyRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_remedy_row_dispose;
}

static void
capra_remedy_row_init (CapraRemedyRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *title = gtk_label_new (_ ("Regions"));
  GtkWidget *text = gtk_label_new (NULL), *button = gtk_button_new_with_mnemonic ("");

  self->text = GTK_LABEL (text);
  self->button = GTK_BUTTON (button);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _ ("Regions"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (self->text, 0);
  gtk_label_set_wrap (self->text, TRUE);
  gtk_label_set_wrap_mode (self->text, PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (text, "caption");
  gtk_widget_add_css_class (text, "dim-label");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (box, "capra-property");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_clicked), self);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), text); /* has the whole width: large text is long in a narrow sidebar */
  gtk_box_append (GTK_BOX (box), button);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
}

GtkWidget *
capra_remedy_row_new (CapraStepModel *model, CapraStep *step)
{
  CapraRemedyRow *self = g_object_new (CAPRA_TYPE_REMEDY_ROW, NULL);

  self->model = g_object_ref (model);
  self->step = g_object_ref (step);
  g_signal_connect_object (step, "notify::error", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (step, "notify::results", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
