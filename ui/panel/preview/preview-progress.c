/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview-progress: a progress bar over the picture while it is rendered, and a spinner before the first picture. */
#include "ui/panel/preview/preview-progress.h"

#include <glib/gi18n-lib.h>

#define SLOW (600 * G_TIME_SPAN_MILLISECOND) /* after which the bar is shown */
#define LATE (150 * G_TIME_SPAN_MILLISECOND) /* after which the spinner is shown */
#define SPINNER 48                           /* its size, as that while a file is read */

struct _CapraPreviewProgress {
  GtkWidget parent_instance;
  GtkWidget *bar, *spinner;
  gboolean pictured; /* the image has been shown */
};

G_DEFINE_FINAL_TYPE (CapraPreviewProgress, capra_preview_progress, GTK_TYPE_WIDGET)

void
capra_preview_progress_reset (CapraPreviewProgress *progress)
{
  g_return_if_fail (CAPRA_IS_PREVIEW_PROGRESS (progress));
  progress->pictured = FALSE;
  gtk_widget_set_visible (progress->bar, FALSE);
  gtk_widget_set_visible (progress->spinner, FALSE);
}

/* The spinner stays if a slider moves meanwhile. */
void
capra_preview_progress_update (CapraPreviewProgress *progress, const CapraPreviewStatus *status, gint64 elapsed)
{
  gboolean late;

  g_return_if_fail (CAPRA_IS_PREVIEW_PROGRESS (progress));
  late = elapsed > LATE || gtk_widget_get_visible (progress->spinner);
  progress->pictured |= status->first_ms >= 0.0;
  gtk_widget_set_visible (progress->spinner, status->busy && !progress->pictured && late);
  gtk_widget_set_visible (progress->bar, status->busy && status->first_ms >= 0.0 && elapsed > SLOW);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (progress->bar), CLAMP (status->progress, 0.0, 1.0));
}

static void
capra_preview_progress_dispose (GObject *object)
{
  CapraPreviewProgress *self = CAPRA_PREVIEW_PROGRESS (object);

  g_clear_pointer (&self->bar, gtk_widget_unparent);
  g_clear_pointer (&self->spinner, gtk_widget_unparent);
  G_OBJECT_CLASS (capra_preview_progress_parent_class)->dispose (object);
}

static void
capra_preview_progress_class_init (CapraPreviewProgressClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_preview_progress_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
add (CapraPreviewProgress *self, GtkWidget *child, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_visible (child, FALSE);
  gtk_widget_set_parent (child, GTK_WIDGET (self));
  return child;
}

static void
capra_preview_progress_init (CapraPreviewProgress *self)
{
  self->bar = add (self, gtk_progress_bar_new (), _ ("Progress of the preview"));
  gtk_widget_set_valign (self->bar, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->bar, "osd");
  self->spinner = add (self, gtk_spinner_new (), _ ("Preparing the picture"));
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  gtk_widget_set_halign (self->spinner, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->spinner, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (self->spinner, SPINNER, SPINNER);
}
