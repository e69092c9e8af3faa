/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur: one pass for each axis, at a cost independent of the radius (box.clh, after van Herk 1992). */
#include <glib/gi18n-lib.h>

#include "algorithms/box/box-blur.h"
#include "algorithms/box/box-pass.h"
#include "algorithms/common/color-steps.h"
#include "algorithms/separable/taps.h"
#include "runtime/device/tuning.h"

/* For boxes with fewer samples a plain weighted sum is faster. */
#define MIN_COUNT 16

/* The methods of each variant of the tuning, in order of preference. */
static const struct {
  const char *variant;
  gboolean rows; /* for axes whose samples are neighbors in memory */
  gboolean (*suits) (const CapraBoxPass *pass);
  gboolean (*run) (const CapraBoxPass *pass, GError **error);
} methods[] = {
  { "vector", TRUE, NULL, capra_box_vector_rows },
  { "vector", FALSE, NULL, capra_box_vector_columns },
  { "group", TRUE, NULL, capra_box_scan_rows },
  { "group", FALSE, capra_box_walk_columns_suits, capra_box_walk_columns },
  { "group", FALSE, NULL, capra_box_group_columns },
};

/* A box on an axis. What extends far beyond the axis is the same for all outputs of a line, and separate. */
typedef struct {
  CapraBox box;
  double whole, low, high; /* weights of the whole line, its first and its last sample */
} FoldedBox;

static double
box_sum (gconstpointer scale, gint64 first, gint64 step, gint64 count)
{
  return *(const double *) scale * (double) count;
}

/* FALSE if a plain weighted sum is as fast. */
static gboolean
fold_box (const CapraAxis *axis, gint64 radius, FoldedBox *folded)
{
  double scale = 1.0 / (2.0 * (double) radius + 1.0);
  gint64 count = 2 * radius + 1, low = -radius;

  *folded = (FoldedBox){ .box = { .length = axis->length,
                                  .source = axis->source,
                                  .n_source = axis->n_source,
                                  .n_result = axis->n_result,
                                  .border = axis->border,
                                  .scale = (float) scale } };

  if (axis->border == CAPRA_BORDER_WRAP || axis->border == CAPRA_BORDER_MIRROR)
    {
      gint64 copies = axis->border == CAPRA_BORDER_WRAP ? 1 : 2, period = copies * axis->length;

      /* Within one period of the outputs' positions. */
      low = (axis->result + low) % period;
      if (period < MIN_COUNT)
        return FALSE;
      if (count >= 2 * period)
        {
          folded->whole = (double) ((count / period - 1) * copies) * scale;
          count = count % period + period;
        }
    }
  else
    {
      gint64 begin = axis->result, last = begin + axis->n_result - 1, high = radius;

      /* Depends on the axis and not on the requested outputs, so that sums are the same for every part of an image. */
      if (begin >= 0 && last < axis->length)
        begin = 0, last = (gint64) axis->length - 1;
      if (radius >= axis->length)
        low = MAX (low, -last), high = MIN (radius, (gint64) axis->length - 1 - begin);
      if (axis->border == CAPRA_BORDER_CLAMP && low <= high)
        {
          folded->low = (double) (low + radius) * scale;
          folded->high = (double) (radius - high) * scale;
        }
      count = high - low + 1;
      low += axis->result;
    }
  folded->box.first = (cl_int) low;
  folded->box.count = (cl_int) count;
  return count >= MIN_COUNT;
}

/* What the box adds to all outputs of a line, in an array of one value for each line. */
static CapraArray *
sum_offsets (CapraArray *input, const CapraAxis *axis, const FoldedBox *folded, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape lines = capra_axis_shape (shape, axis->number, 1);
  g_autoptr (CapraArray) offsets = capra_array_new_uninitialized (input->context, &lines, error);
  g_autofree char *options = g_strdup_printf ("-DIN=%s -DVEC=1", capra_launch_type (shape->type));
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  CapraLaunch launch;

  if (!offsets)
    return NULL;
  capra_launch_begin (&launch, input->context, "box-sums", options, "box_offsets");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, offsets);
  capra_launch_ulong (&launch, pitch);
  capra_launch_float (&launch, (float) folded->whole);
  capra_launch_float (&launch, (float) folded->low);
  capra_launch_float (&launch, (float) folded->high);
  capra_launch_value (&launch, &folded->box, sizeof folded->box);
  if (!capra_launch_run_2d (&launch, pitch, capra_axis_slabs (shape, axis->number), 64, 1,
                            capra_shape_bytes (folded->whole > 0.0 ? shape : &lines), error))
    return NULL;
  return g_steal_pointer (&offsets);
}

static gboolean
is_vector (CapraArray *input)
{
  return g_str_equal (capra_tuning_get_word (input->context->device, "box-blur.variant", "group"), "vector");
}

static gboolean
run_method (const CapraBoxPass *pass, GError **error)
{
  gboolean rows = capra_axis_is_row (capra_array_get_shape (pass->input), pass->axis->number);
  const char *variant = is_vector (pass->input) ? "vector" : "group";

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (methods[i].rows == rows && g_str_equal (methods[i].variant, variant)
        && (!methods[i].suits || methods[i].suits (pass)))
      return methods[i].run (pass, error);
  g_return_val_if_reached (FALSE);
}

static CapraArray *
run_folded (CapraArray *input, const CapraAxis *axis, const FoldedBox *folded, GError **error)
{
  CapraShape result = capra_axis_shape (&input->shape, axis->number, axis->n_result);
  g_autoptr (CapraArray) output = capra_array_new_uninitialized (input->context, &result, error);
  g_autoptr (CapraArray) offsets = NULL;

  if (!output)
    return NULL;
  if (folded->whole > 0.0 || folded->low > 0.0 || folded->high > 0.0)
    {
      offsets = sum_offsets (input, axis, folded, error);
      if (!offsets)
        return NULL;
    }
  if (!run_method (&(CapraBoxPass){ input, output, offsets, axis, folded->box }, error))
    return NULL;
  return g_steal_pointer (&output);
}

/* Both passes along y and x at once, of the input, converted by @conversions->input; NULL without an error if that does
 * not suit. It depends on the image and not on the requested outputs, so that sums are the same for every part of an
 * image. Sets @conversions->result to NULL if the result is converted by it. */
static CapraArray *
blur_strips (CapraArray *input, CapraConversions *conversions, const CapraAxis axes[2], const int radius[2],
             GError **error)
{
  const CapraConversion *conversion = conversions->input;
  gboolean straight = capra_color_straightens (input->shape.channels, conversions->result);
  g_autoptr (CapraArray) output = NULL;
  CapraShape result = capra_axis_shape (&input->shape, 0, axes[0].n_result);
  CapraBox boxes[2];

  if (!is_vector (input) || (conversion && !capra_color_fuses (&input->shape, conversion)))
    return NULL;
  for (int i = 0; i < 2; i++)
    {
      FoldedBox folded;

      if (radius[i] >= axes[i].length || !fold_box (&axes[i], radius[i], &folded))
        return NULL;
      boxes[i] = folded.box;
    }
  if (!capra_box_vector_strip_suits (input->context->device, boxes, input->shape.channels))
    return NULL;
  result.height = (gsize) axes[1].n_result;
  output = capra_array_new_uninitialized (input->context, &result, error);
  if (!output || !capra_box_vector_strip (input, conversion, output, straight, axes, boxes, error))
    return NULL;
  if (straight)
    conversions->result = NULL;
  return g_steal_pointer (&output);
}

/* The pass along @axis; NULL without an error if it would change nothing and @skip is set. */
static CapraArray *
blur_axis (CapraArray *input, const CapraAxis *axis, int radius, gboolean skip, GError **error)
{
  double scale = 1.0 / (2.0 * radius + 1.0);
  g_autoptr (CapraTaps) taps = NULL;
  FoldedBox folded;

  if (fold_box (axis, radius, &folded))
    return run_folded (input, axis, &folded, error);
  taps = capra_taps_new (axis, radius, radius, box_sum, &scale);
  if (skip && capra_taps_is_identity (taps, axis))
    return NULL;
  return capra_taps_run (input, axis, taps, 0.0f, error);
}

/* The passes along z, y and x. Sets @result to NULL if the result is converted by it. */
static CapraArray *
blur_axes (CapraArray *input, const CapraConversion **result, const CapraAxis axes[3], const int radius[3],
           GError **error)
{
  CapraConversions conversions = { NULL, *result };
  g_autoptr (CapraArray) current = capra_array_ref (input);

  for (int number = 2; number >= 0; number--)
    {
      g_autoptr (GError) failure = NULL;
      CapraArray *blurred = NULL;

      if (number == 1)
        blurred = blur_strips (current, &conversions, axes, radius, &failure);
      if (blurred)
        number = 0;
      else if (!failure) /* If no axis changes anything, the pass along x makes a copy. */
        blurred = blur_axis (current, &axes[number], radius[number], number > 0 || current != input, &failure);
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
  *result = conversions.result;
  return g_steal_pointer (&current);
}

/* Blurs @input (taken), converted by @conversions->input. Sets @conversions->result to NULL if the result is converted
 * by it. */
static CapraArray *
blur_converted (CapraArray *input, CapraConversions *conversions, const CapraAxis axes[3], const int radius[3],
                GError **error)
{
  g_autoptr (CapraArray) source = input;
  g_autoptr (CapraArray) converted = NULL;

  if (conversions->input && capra_color_fuses (&input->shape, conversions->input) && radius[2] == 0)
    {
      g_autoptr (GError) failure = NULL;
      CapraArray *blurred = blur_strips (input, conversions, axes, radius, &failure);

      if (failure)
        g_propagate_error (error, g_steal_pointer (&failure));
      if (blurred || failure)
        return blurred;
    }
  converted = capra_convert_by (input, conversions->input, error);
  g_clear_pointer (&source, capra_array_unref);
  return converted ? blur_axes (converted, &conversions->result, axes, radius, error) : NULL;
}

/* The result where it does not depend on the image. */
static CapraArray *
make_zeros (CapraArray *input, const CapraConversion *conversion, const CapraWindow *window, GError **error)
{
  g_autoptr (CapraArray) converted = capra_convert_by (input, conversion, error);

  capra_array_unref (input);
  return converted ? capra_axis_zeros (converted, window, error) : NULL;
}

CapraArray *
capra_box_blur (CapraArray *input, const int radius[3], CapraBorder border, const CapraWindow *window, GError **error)
{
  return capra_box_blur_converted (input ? capra_array_ref (input) : NULL, NULL, radius, border, window, error);
}

CapraArray *
capra_box_blur_converted (CapraArray *input, const CapraConversions *conversions, const int radius[3],
                          CapraBorder border, const CapraWindow *window, GError **error)
{
  CapraConversions rest = conversions ? *conversions : (CapraConversions){ NULL, NULL };
  g_autoptr (CapraArray) source = input;
  g_autoptr (CapraArray) blurred = NULL;
  CapraWindow resolved;
  CapraAxis axes[3];

  g_return_val_if_fail (input && radius, NULL);

  for (int i = 0; i < 3; i++)
    if (radius[i] < 0)
      {
        g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("the radius along %c is %d; it must be 0 or more"),
                     "xyz"[i], radius[i]);
        return NULL;
      }
  if (!capra_window_resolve (input, window, radius[0], radius[0], radius[1], radius[1], border, &resolved, error))
    return NULL;
  for (int i = 0; i < 3; i++)
    capra_axis_init (&axes[i], i, input, &resolved, border);

  input = g_steal_pointer (&source);
  blurred = capra_axis_misses (&resolved, radius, border) ? make_zeros (input, rest.input, &resolved, error)
                                                          : blur_converted (input, &rest, axes, radius, error);
  return blurred ? capra_convert_by (blurred, rest.result, error) : NULL;
}
