/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-subject: which values of a pipeline its histogram shows. */
#include "ui/panel/preview/histogram-subject.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/preview/threshold-step.h"
#include "ui/pipeline/graph/layer-target.h"

static gboolean
labels_regions (CapraStep *step)
{
  int value = 0;

  return capra_operation_find_labels_property (capra_step_get_operation (step), &value) != NULL;
}

/* Whether the step makes a table; its result is its input. */
static gboolean
measures (CapraStep *step)
{
  return capra_operation_has_table (capra_step_get_operation (step));
}

/* What belongs to the last step up to @position that is not left out. */
static CapraHistogramSubject
find_before (CapraStepModel *pipeline, int position)
{
  for (int i = position; i >= 0; i--)
    {
      CapraStep *step = capra_step_model_get_step (pipeline, (guint) i);

      if (!capra_step_get_enabled (step))
        continue;
      if (capra_threshold_step_is (step))
        return (CapraHistogramSubject){ .n_steps = (guint) i, .step = step, .threshold = step };
      if (labels_regions (step))
        return (CapraHistogramSubject){ .n_steps = (guint) i, .step = step, .labels = TRUE };
      if (!measures (step))
        return (CapraHistogramSubject){ .n_steps = (guint) i + 1, .step = step };
    }
  return (CapraHistogramSubject){ 0 };
}

static CapraHistogramSubject
find (CapraStepModel *pipeline)
{
  CapraStep *selected = capra_step_model_get_selected (pipeline);
  guint length = capra_step_model_get_length (pipeline);

  if (selected && capra_step_get_enabled (selected))
    return find_before (pipeline, capra_step_model_find (pipeline, capra_step_get_id (selected)));
  for (guint i = 0; i < length; i++)
    {
      CapraStep *step = capra_step_model_get_step (pipeline, i);

      if (capra_step_get_enabled (step) && capra_threshold_step_is (step))
        return find_before (pipeline, (int) i);
    }
  return find_before (pipeline, (int) length - 1);
}

CapraHistogramSubject
capra_histogram_subject_find (CapraStepModel *pipeline)
{
  CapraHistogramSubject subject = find (pipeline);

  subject.final = TRUE;
  for (guint i = subject.n_steps; i < capra_step_model_get_length (pipeline); i++)
    {
      CapraStep *step = capra_step_model_get_step (pipeline, i);

      if (capra_step_get_enabled (step) && !measures (step))
        subject.final = FALSE;
    }
  return subject;
}

/* Gray floats in linear light, such as those of FITS files, are values, not colors. */
static gboolean
has_values (GeglBuffer *image)
{
  const Babl *format = gegl_buffer_get_format (image);
  int flags = babl_get_model_flags (babl_format_get_model (format));

  return (flags & BABL_MODEL_FLAG_GRAY) && !(flags & (BABL_MODEL_FLAG_NONLINEAR | BABL_MODEL_FLAG_PERCEPTUAL))
         && babl_format_get_type (format, 0) == babl_type ("float");
}

const char *
capra_histogram_subject_get_format (const CapraHistogramSubject *subject, GeglBuffer *image)
{
  if (subject->threshold)
    return capra_threshold_step_is_perceptual (subject->threshold) ? "Y' float" : "Y float";
  return subject->labels || has_values (image) ? "Y float" : "R'G'B' float";
}

const char *
capra_histogram_subject_get_scale (const CapraHistogramSubject *subject, GeglBuffer *image)
{
  const char *format = capra_histogram_subject_get_format (subject, image);

  if (g_str_equal (format, "Y float"))
    return has_values (image) ? _ ("linear values") : _ ("linear luminance");
  return g_str_equal (format, "Y' float") ? _ ("perceptual (Y')") : _ ("perceptual (R'G'B')");
}

char *
capra_histogram_subject_get_title (const CapraHistogramSubject *subject, GeglBuffer *image)
{
  g_autofree char *name = subject->step ? capra_step_dup_title (subject->step) : NULL;

  if (!subject->step)
    return g_strdup (_ ("Image"));
  if (subject->final && capra_layer_target_get (image))
    return g_strdup (_ ("Layer After Apply"));
  /* Translators: %s is the title of a step. */
  return g_strdup_printf (subject->threshold || subject->labels ? _ ("Before %s") : _ ("After %s"), name);
}

const char *
capra_histogram_subject_get_explanation (const CapraHistogramSubject *subject, GeglBuffer *image)
{
  if (!capra_layer_target_get (image))
    return NULL;
  return subject->final ? _ ("Values of the whole layer as Apply will store them: inside the selection, in the layer's "
                             "precision and palette")
                        : _ ("Exact values of the step, before they are written into the layer");
}
