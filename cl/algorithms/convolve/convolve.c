/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution: checks and scales the weights, and chooses a method: direct, separable or Fourier. */
#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "algorithms/common/crop.h"
#include "algorithms/convolve/convolve.h"
#include "algorithms/convolve/convolve-pass.h"
#include "algorithms/separable/taps.h"
#include "runtime/device/tuning.h"

/* A matrix counts as separable (of rank 1) if its difference from a column times a row is at most this share of its
 * weights' magnitudes. The error of an output is at most this times the largest input times the sum of magnitudes. */
#define RANK_TOLERANCE 1e-7
/* A sum of weights that is smaller than this share of their magnitudes is 0 but for rounding. */
#define SUM_TOLERANCE 1e-12

/* The distances from an output to the inputs it needs. */
typedef struct {
  int left, right, top, bottom;
} Reach;

static Reach
matrix_reach (const CapraMatrix *matrix, gboolean correlate)
{
  int cx = matrix->width / 2, cy = matrix->height / 2;

  if (correlate)
    return (Reach){ cx, matrix->width - 1 - cx, cy, matrix->height - 1 - cy };
  return (Reach){ matrix->width - 1 - cx, cx, matrix->height - 1 - cy, cy };
}

/* One axis of capra_convolve_extent(): the position of output 0, and the number of outputs at @stride. */
static void
extent_axis (int n, int before, int after, CapraExtent extent, int stride, int *first, int *count)
{
  gint64 all = n;

  *first = 0;
  if (extent == CAPRA_EXTENT_FULL)
    {
      *first = -after;
      all += (gint64) before + after;
    }
  else if (extent == CAPRA_EXTENT_VALID)
    {
      *first = before;
      all -= (gint64) before + after;
    }
  *count = all > 0 ? (int) ((all + stride - 1) / stride) : 0;
}

CapraRect
capra_convolve_extent (const CapraRect *extent, const CapraMatrix *matrix, const CapraConvolveOptions *options)
{
  Reach reach = matrix_reach (matrix, options->correlate);
  int stride_x = MAX (options->stride_x, 1), stride_y = MAX (options->stride_y, 1);
  int x = 0, y = 0, width = 0, height = 0;

  extent_axis (extent->width, reach.left, reach.right, options->extent, stride_x, &x, &width);
  extent_axis (extent->height, reach.top, reach.bottom, options->extent, stride_y, &y, &height);
  if (width == 0 || height == 0)
    width = height = 0;
  return (CapraRect){ extent->x + (stride_x > 1 ? 0 : x), extent->y + (stride_y > 1 ? 0 : y), width, height };
}

/* The image's pixels from the first to the last output of @result. */
static CapraRect
dense_result (const CapraRect *extent, const CapraRect *result, const CapraMatrix *matrix,
              const CapraConvolveOptions *options)
{
  Reach reach = matrix_reach (matrix, options->correlate);
  int sx = MAX (options->stride_x, 1), sy = MAX (options->stride_y, 1), x = 0, y = 0, unused = 0;

  extent_axis (extent->width, reach.left, reach.right, options->extent, sx, &x, &unused);
  extent_axis (extent->height, reach.top, reach.bottom, options->extent, sy, &y, &unused);
  return (CapraRect){
    sx > 1 ? extent->x + x + (result->x - extent->x) * sx : result->x,
    sy > 1 ? extent->y + y + (result->y - extent->y) * sy : result->y,
    result->width > 0 ? (result->width - 1) * sx + 1 : 0,
    result->height > 0 ? (result->height - 1) * sy + 1 : 0,
  };
}

/* @result and all outputs that Fourier transforms compute together with it. */
static CapraRect
align (const CapraRect *extent, const CapraRect *result, const CapraMatrix *matrix)
{
  CapraRect aligned = { result->x - extent->x, result->y - extent->y, result->width, result->height };

  if (result->width < 1 || result->height < 1)
    return *result;
  aligned = capra_fourier_align (&aligned, matrix->width, matrix->height);
  aligned.x += extent->x;
  aligned.y += extent->y;
  return aligned;
}

CapraRect
capra_convolve_affected (const CapraRect *extent, const CapraRect *changed, const CapraMatrix *matrix,
                         const CapraConvolveOptions *options)
{
  Reach reach = matrix_reach (matrix, options->correlate);
  CapraRect rect = { changed->x - reach.right, changed->y - reach.bottom, changed->width + reach.left + reach.right,
                     changed->height + reach.top + reach.bottom };

  return align (extent, &rect, matrix);
}

CapraRect
capra_convolve_source (const CapraRect *extent, const CapraRect *result, const CapraMatrix *matrix,
                       const CapraConvolveOptions *options)
{
  Reach reach = matrix_reach (matrix, options->correlate);
  CapraRect dense = dense_result (extent, result, matrix, options);

  if (options->stride_x <= 1 && options->stride_y <= 1)
    dense = align (extent, &dense, matrix);
  return capra_window_source (extent, &dense, reach.left, reach.right, reach.top, reach.bottom, options->border);
}

static gboolean argument_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
argument_error (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error)
    *error = g_error_new_valist (CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, format, arguments);
  va_end (arguments);
  return FALSE;
}

/* The weights in the order of a correlation, divided. */
static gboolean
scale_weights (const CapraMatrix *matrix, const CapraConvolveOptions *options, double *scaled, GError **error)
{
  int count = matrix->width * matrix->height;
  double sum = 0.0, magnitude = 0.0, divisor = options->divisor;

  for (int i = 0; i < count; i++)
    {
      if (!isfinite (matrix->values[i]))
        return argument_error (error, _ ("the matrix has %g in row %d, number %d; all numbers must be finite"),
                               matrix->values[i], i / matrix->width + 1, i % matrix->width + 1);
      sum += matrix->values[i];
      magnitude += fabs (matrix->values[i]);
    }
  if (!isfinite (divisor) || !isfinite (options->offset) || fabs (options->offset) > FLT_MAX)
    return argument_error (error, _ ("invalid divisor %g or offset %g; both must be finite"), divisor, options->offset);
  if (divisor == 0.0)
    divisor = fabs (sum) <= SUM_TOLERANCE * magnitude ? 1.0 : sum;

  for (int i = 0; i < count; i++)
    {
      scaled[options->correlate ? i : count - 1 - i] = matrix->values[i] / divisor;
      if (!(fabs (matrix->values[i] / divisor) <= FLT_MAX))
        return argument_error (error,
                               _ ("row %d, number %d of the matrix (%g) divided by %g is too large "
                                  "for 32-bit floats; scale the matrix down"),
                               i / matrix->width + 1, i % matrix->width + 1, matrix->values[i], divisor);
    }
  return TRUE;
}

/* Whether the matrix is a column times a row, within the tolerance. The column is scaled to magnitudes that sum up to
 * 1, so that the intermediate image is in the range of the input. */
static gboolean
separate (const double *weights, int width, int height, double **column, double **row)
{
  g_autofree double *x = g_new (double, width);
  g_autofree double *y = g_new (double, height);
  double magnitude = 0.0, left = 0.0, column_magnitude = 0.0;
  int pivot = 0;

  for (int i = 0; i < width * height; i++)
    {
      magnitude += fabs (weights[i]);
      if (fabs (weights[i]) > fabs (weights[pivot]))
        pivot = i;
    }
  if (weights[pivot] == 0.0)
    return FALSE;

  for (int j = 0; j < height; j++)
    {
      y[j] = weights[j * width + pivot % width] / weights[pivot];
      column_magnitude += fabs (y[j]);
    }
  for (int i = 0; i < width; i++)
    x[i] = weights[pivot / width * width + i];
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      left += fabs (weights[j * width + i] - y[j] * x[i]);
  if (!(left <= RANK_TOLERANCE * magnitude))
    return FALSE;

  for (int j = 0; j < height; j++)
    y[j] /= column_magnitude;
  for (int i = 0; i < width; i++)
    {
      x[i] *= column_magnitude;
      if (fabs (x[i]) > FLT_MAX)
        return FALSE;
    }
  *column = g_steal_pointer (&y);
  *row = g_steal_pointer (&x);
  return TRUE;
}

/* A matrix of one row (@axis is x) or one column. */
static CapraArray *
run_axis (const CapraConvolution *conv, const CapraStencil *stencil, const CapraAxis *axis, GError **error)
{
  int before = axis->number == 0 ? stencil->left : stencil->top;
  int after = stencil->width * stencil->height - 1 - before;
  g_autoptr (CapraTaps) taps = capra_taps_new_weights (axis, before, after, stencil->weights, 1.0);

  return capra_taps_run (conv->input, axis, taps, (float) stencil->offset, error);
}

/* A pass with a column of weights and then one with a row, at strides. */
static CapraArray *
run_strided_separable (const CapraConvolution *conv, const CapraStencil *column, const CapraStencil *row,
                       GError **error)
{
  const CapraAxis *x = conv->x, *y = conv->y;
  /* The first pass keeps all columns of the input, the second one all rows of the first pass. */
  CapraAxis all = { .number = 0,
                    .length = x->length,
                    .source = x->source,
                    .n_source = x->n_source,
                    .result = x->source,
                    .n_result = x->n_source,
                    .stride = 1,
                    .border = x->border };
  CapraAxis kept = { .number = 1,
                     .length = y->n_result,
                     .n_source = y->n_result,
                     .n_result = y->n_result,
                     .stride = 1,
                     .border = y->border };
  CapraConvolution first = { conv->input, &all, y }, second = { NULL, x, &kept };
  g_autoptr (CapraArray) between = capra_convolution_alloc (&first, 1, error);
  g_autoptr (CapraArray) output = NULL;

  if (!between || !capra_direct_run (&first, column, between, 0, error))
    return NULL;
  second.input = between;
  output = capra_convolution_alloc (&second, 1, error);
  if (!output || !capra_direct_run (&second, row, output, 0, error))
    return NULL;
  return g_steal_pointer (&output);
}

/* A pass with a column of weights and one with a row. */
static CapraArray *
run_separable (const CapraConvolution *conv, const CapraStencil *stencil, const double *column, const double *row,
               GError **error)
{
  CapraStencil down = { 1, stencil->height, 0, stencil->top, column, 0.0 };
  CapraStencil across = { stencil->width, 1, stencil->left, 0, row, stencil->offset };
  CapraConvolution second = *conv;
  g_autoptr (CapraArray) between = NULL;

  if (conv->x->stride > 1 || conv->y->stride > 1)
    return run_strided_separable (conv, &down, &across, error);
  if (capra_separable_suits (conv->input, stencil->width, stencil->height))
    {
      g_autoptr (CapraArray) output = capra_convolution_alloc (conv, 1, error);

      return output && capra_separable_run (conv, &down, &across, output, error) ? g_steal_pointer (&output) : NULL;
    }
  between = run_axis (conv, &down, conv->y, error);
  second.input = between;
  return between ? run_axis (&second, &across, conv->x, error) : NULL;
}

/* Fills in the whole array for a @window of NULL, and checks it and the options. */
static gboolean
resolve (CapraArray *input, const CapraMatrix *matrix, const CapraConvolveOptions *options, const CapraWindow *window,
         CapraWindow *resolved, CapraRect *result, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  Reach reach = matrix_reach (matrix, options->correlate);
  CapraRect whole = { 0, 0, (int) shape->width, (int) shape->height }, all;
  CapraWindow dense = window ? *window : (CapraWindow){ whole, whole, whole };

  if (options->stride_x < 1 || options->stride_y < 1)
    return argument_error (error, _ ("invalid strides %d and %d; must be 1 or more"), options->stride_x,
                           options->stride_y);
  if (options->extent < CAPRA_EXTENT_SAME || options->extent > CAPRA_EXTENT_VALID)
    return argument_error (error, _ ("unknown extent; use same, full or valid"));
  /* Checks the array's size and the border before anything is computed from them. */
  if (!capra_window_resolve (input, NULL, 0, 0, 0, 0, options->border, resolved, error))
    return FALSE;

  all = capra_convolve_extent (&dense.extent, matrix, options);
  *result = window ? window->result : all;
  if (all.width == 0)
    return argument_error (error,
                           _ ("a matrix of %d x %d does not fit into an image of %d x %d: the extent "
                              "\"valid\" is empty; use same or full"),
                           matrix->width, matrix->height, dense.extent.width, dense.extent.height);
  if (result->width < 1 || result->height < 1 || result->x < all.x || result->y < all.y
      || (gint64) result->x + result->width > (gint64) all.x + all.width
      || (gint64) result->y + result->height > (gint64) all.y + all.height)
    return argument_error (error,
                           _ ("the window's result must be within the whole result: %d x %d pixels "
                              "from %d, %d on"),
                           all.width, all.height, all.x, all.y);
  dense.result = dense_result (&dense.extent, result, matrix, options);
  return capra_window_resolve (input, &dense, reach.left, reach.right, reach.top, reach.bottom, options->border,
                               resolved, error);
}

/* The cost of a separable convolution, in weights of a direct one. */
static double
separable_cost (const CapraConvolution *conv, const CapraStencil *stencil)
{
  double pass = capra_tuning_get_int (conv->input->context->device, "convolve.separable", 6);

  if (conv->x->stride > 1 || conv->y->stride > 1)
    return MIN (pass, 1) * (stencil->height * conv->x->stride + stencil->width);
  if (capra_separable_suits (conv->input, stencil->width, stencil->height))
    pass = MIN (pass, 1);
  return pass * (stencil->width + stencil->height);
}

/* The same as run_axis(), for the requested rows or columns only. */
static CapraArray *
run_single_axis (const CapraConvolution *conv, const CapraStencil *stencil, const CapraAxis *along,
                 const CapraAxis *other, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (conv->input);
  CapraRect lines = { 0, 0, (int) shape->width, (int) shape->height };
  g_autoptr (CapraArray) cropped = NULL;
  CapraConvolution held = *conv;

  if (!capra_axis_is_whole (other))
    {
      *(other->number == 0 ? &lines.x : &lines.y) = other->result - other->source;
      *(other->number == 0 ? &lines.width : &lines.height) = other->n_result;
      cropped = held.input = capra_crop (conv->input, &lines, error);
      if (!cropped)
        return NULL;
    }
  return run_axis (&held, stencil, along, error);
}

/* Convolves by passes along single axes, where that is fastest. Returns FALSE if it is not. */
static gboolean
try_separable (const CapraConvolution *conv, const CapraStencil *stencil, CapraArray **output, GError **error)
{
  double least = MIN (stencil->width * stencil->height, capra_fourier_cost (conv, stencil));
  g_autofree double *column = NULL;
  g_autofree double *row = NULL;

  if (stencil->width == 1 || stencil->height == 1)
    {
      const CapraAxis *along = stencil->height == 1 ? conv->x : conv->y;
      const CapraAxis *other = stencil->height == 1 ? conv->y : conv->x;

      if (along->stride > 1 || other->stride > 1 || capra_direct_is_fast (stencil))
        return FALSE;
      *output = run_single_axis (conv, stencil, along, other, error);
      return TRUE;
    }
  if (separable_cost (conv, stencil) >= least
      || !separate (stencil->weights, stencil->width, stencil->height, &column, &row))
    return FALSE;
  *output = run_separable (conv, stencil, column, row, error);
  return TRUE;
}

static CapraArray *
run (const CapraConvolution *conv, const CapraStencil *stencils, guint count, GError **error)
{
  g_autoptr (CapraArray) output = NULL;
  gsize depth = capra_array_get_shape (conv->input)->depth;

  if (count == 1 && try_separable (conv, stencils, &output, error))
    return g_steal_pointer (&output);
  output = capra_convolution_alloc (conv, count, error);
  if (!output)
    return NULL;
  if (count > 1 && capra_direct_suits_many (stencils))
    return capra_direct_run_many (conv, stencils, count, output, error) ? g_steal_pointer (&output) : NULL;
  for (guint m = 0; m < count; m++)
    {
      gboolean direct = stencils[m].width * stencils[m].height <= capra_fourier_cost (conv, &stencils[m]);

      if (!(direct ? capra_direct_run : capra_fourier_run) (conv, &stencils[m], output, m * depth, error))
        return NULL;
    }
  return g_steal_pointer (&output);
}

/* Whether all matrices have the size of the first one. */
static gboolean
check_sizes (const CapraMatrix *const *matrices, guint count, GError **error)
{
  for (guint m = 1; m < count; m++)
    if (matrices[m]->width != matrices[0]->width || matrices[m]->height != matrices[0]->height)
      return argument_error (error,
                             _ ("matrix %u has %d x %d numbers, the first one %d x %d; all matrices must "
                                "have the same size"),
                             m + 1, matrices[m]->width, matrices[m]->height, matrices[0]->width, matrices[0]->height);
  return TRUE;
}

CapraArray *
capra_convolve_many (CapraArray *input, const CapraMatrix *const *matrices, guint n_matrices,
                     const CapraConvolveOptions *options, const CapraWindow *window, GError **error)
{
  g_autofree double *weights = NULL;
  g_autofree CapraStencil *stencils = NULL;
  CapraWindow resolved;
  CapraRect result = { 0 };
  CapraAxis x, y;
  gsize size = 0;
  Reach reach;

  g_return_val_if_fail (input && matrices && n_matrices > 0 && options, NULL);

  if (!check_sizes (matrices, n_matrices, error)
      || !resolve (input, matrices[0], options, window, &resolved, &result, error))
    return NULL;
  size = (gsize) matrices[0]->width * (gsize) matrices[0]->height;
  reach = matrix_reach (matrices[0], options->correlate);
  weights = g_new (double, size * n_matrices);
  stencils = g_new (CapraStencil, n_matrices);
  for (guint m = 0; m < n_matrices; m++)
    {
      if (!scale_weights (matrices[m], options, weights + m * size, error))
        return NULL;
      stencils[m] = (CapraStencil){ matrices[m]->width, matrices[m]->height, reach.left,
                                    reach.top,          weights + m * size,  options->offset };
    }

  capra_axis_init (&x, 0, input, &resolved, options->border);
  capra_axis_init (&y, 1, input, &resolved, options->border);
  x.n_result = result.width;
  y.n_result = result.height;
  x.stride = options->stride_x;
  y.stride = options->stride_y;
  return run (&(CapraConvolution){ input, &x, &y }, stencils, n_matrices, error);
}

CapraArray *
capra_convolve (CapraArray *input, const CapraMatrix *matrix, const CapraConvolveOptions *options,
                const CapraWindow *window, GError **error)
{
  return capra_convolve_many (input, &matrix, 1, options, window, error);
}
