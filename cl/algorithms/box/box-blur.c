/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur: one pass an axis, with sums over runs (kernels/box.clh, after van Herk 1992). */
#include "algorithms/box/box-blur.h"
#include "algorithms/box/box-private.h"
#include "algorithms/separable/taps.h"
#include "runtime/launch/tuning.h"

/* Below so many samples a plain weighted sum is faster. */
#define FEWEST 16
/* A box on an axis, with what reaches far beyond the axis taken apart. */
typedef struct {
  CapraBox box;
  double whole, low, high; /* weights of the whole line, its first and its last sample */
} BoxPlan;

static double
box_sum (gconstpointer scale, gint64 first, gint64 step, gint64 count)
{
  return *(const double *) scale * (double) count;
}

/* FALSE if a weighted sum of few samples does as well. */
static gboolean
box_plan (const CapraAxis *axis, gint64 radius, BoxPlan *plan)
{
  double scale = 1.0 / (2.0 * (double) radius + 1.0);
  gint64 count = 2 * radius + 1, low = -radius;

  *plan = (BoxPlan){ .box = { .length = axis->length,
                              .source = axis->source,
                              .n_source = axis->n_source,
                              .n_result = axis->n_result,
                              .border = axis->border,
                              .scale = (float) scale } };

  if (axis->border == CAPRA_BORDER_WRAP || axis->border == CAPRA_BORDER_MIRROR)
    {
      gint64 copies = axis->border == CAPRA_BORDER_WRAP ? 1 : 2, period = copies * axis->length;

      /* Not beyond one period; where the box is not so wide, where the outputs themselves stand. */
      low = (axis->result + low) % period;
      if (period < FEWEST)
        return FALSE;
      if (count >= 2 * period)
        {
          plan->whole = (double) ((count / period - 1) * copies) * scale;
          count = count % period + period;
        }
    }
  else
    {
      gint64 begin = axis->result, last = begin + axis->n_result - 1, high = radius;

      /* By the axis, not by the outputs asked for: sums are the same for every part of an image. */
      if (begin >= 0 && last < axis->length)
        begin = 0, last = (gint64) axis->length - 1;
      if (radius >= axis->length)
        low = MAX (low, -last), high = MIN (radius, (gint64) axis->length - 1 - begin);
      if (axis->border == CAPRA_BORDER_CLAMP && low <= high)
        {
          plan->low = (double) (low + radius) * scale;
          plan->high = (double) (radius - high) * scale;
        }
      count = high - low + 1;
      low += axis->result;
    }
  plan->box.first = (cl_int) low;
  plan->box.count = (cl_int) count;
  return count >= FEWEST;
}

char *
capra_box_options (const CapraShape *shape, int lanes, gboolean more)
{
  g_autofree char *layout = lanes > 0 ? g_strdup_printf ("-DVEC=%d", lanes)
                                      : g_strdup_printf ("-DCHANNELS=%u", shape->channels);

  return g_strdup_printf ("-DIN=%s %s%s", capra_launch_type (shape->type), layout, more ? " -DMORE" : "");
}

void
capra_box_anchor (CapraBox *box, const CapraAxis *axis, int grid)
{
  box->skip = ((axis->result % grid) + grid) % grid;
  box->first -= box->skip;
  box->n_result += box->skip;
}

/* What the box adds to all outputs of a line, in an array of one value a line. */
static CapraArray *
run_more (CapraArray *input, const CapraAxis *axis, const BoxPlan *plan, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape lines = capra_axis_shape (shape, axis->number, 1);
  g_autoptr (CapraArray) more = capra_array_new_uninitialized (input->context, &lines, error);
  g_autofree char *options = capra_box_options (shape, 1, FALSE);
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  CapraLaunch launch;

  if (!more)
    return NULL;
  capra_launch_begin (&launch, input->context, "box-sums", options, "box_more");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, more);
  capra_launch_ulong (&launch, pitch);
  capra_launch_float (&launch, (float) plan->whole);
  capra_launch_float (&launch, (float) plan->low);
  capra_launch_float (&launch, (float) plan->high);
  capra_launch_value (&launch, &plan->box, sizeof plan->box);
  if (!capra_launch_run_2d (&launch, pitch, capra_axis_slabs (shape, axis->number), 64, 1,
                            capra_shape_bytes (plan->whole > 0.0 ? shape : &lines), error))
    return NULL;
  return g_steal_pointer (&more);
}

static CapraArray *
run_sums (CapraArray *input, const CapraAxis *axis, BoxPlan *plan, GError **error)
{
  CapraShape result = capra_axis_shape (&input->shape, axis->number, axis->n_result);
  const char *variant = capra_tuning_get_word (input->context->device, "box-blur.variant", "group");
  gboolean cpu = g_str_equal (variant, "vector");
  g_autoptr (CapraArray) output = capra_array_new_uninitialized (input->context, &result, error);
  g_autoptr (CapraArray) more = NULL;

  if (!output)
    return NULL;
  if (plan->whole > 0.0 || plan->low > 0.0 || plan->high > 0.0)
    {
      more = run_more (input, axis, plan, error);
      if (!more)
        return NULL;
    }
  if (!(cpu ? capra_box_run_cpu : capra_box_run_gpu) (input, output, more, axis, &plan->box, error))
    return NULL;
  return g_steal_pointer (&output);
}

/* The pass along @axis; NULL without an error if it would change nothing and @skip allows to leave it
 * out. */
static CapraArray *
box_pass (CapraArray *input, const CapraAxis *axis, int radius, gboolean skip, GError **error)
{
  double scale = 1.0 / (2.0 * radius + 1.0);
  g_autoptr (CapraTaps) taps = NULL;
  BoxPlan plan;

  if (box_plan (axis, radius, &plan))
    return run_sums (input, axis, &plan, error);
  taps = capra_taps_new (axis, radius, radius, box_sum, &scale);
  if (skip && capra_taps_is_identity (taps, axis))
    return NULL;
  return capra_taps_run (input, axis, taps, 0.0f, error);
}

CapraArray *
capra_box_blur (CapraArray *input, const int radius[3], CapraBorder border, const CapraWindow *window, GError **error)
{
  g_autoptr (CapraArray) current = NULL;
  CapraWindow resolved;

  g_return_val_if_fail (input && radius, NULL);

  for (int i = 0; i < 3; i++)
    if (radius[i] < 0)
      {
        g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, "cannot blur with radius %d along %c; give 0 or more",
                     radius[i], "xyz"[i]);
        return NULL;
      }
  if (!capra_window_resolve (input, window, radius[0], radius[0], radius[1], radius[1], border, &resolved, error))
    return NULL;

  if (capra_axis_misses (&resolved, radius, border))
    return capra_axis_zeros (input, &resolved, error);

  current = capra_array_ref (input);
  for (int number = 2; number >= 0; number--)
    {
      g_autoptr (GError) failure = NULL;
      CapraArray *blurred = NULL;
      CapraAxis axis;

      capra_axis_init (&axis, number, input, &resolved, border);
      /* At the last axis a copy is made if nothing else was done. */
      blurred = box_pass (current, &axis, radius[number], number > 0 || current != input, &failure);
      if (failure)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return NULL;
        }
      if (!blurred)
        continue;
      capra_array_unref (current);
      current = blurred;
    }
  return g_steal_pointer (&current);
}
