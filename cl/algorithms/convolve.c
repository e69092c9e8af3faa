/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution: matrices of rank 1 as two passes, others directly. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "algorithms/convolve.h"
#include "algorithms/taps.h"
#include "runtime/tuning.h"

/* A matrix counts as of rank 1 if what a product leaves of it is so small a part: an output is then off
 * by no more than that times the largest input times the sum of all weights. */
#define RANK_TOLERANCE 1e-7
/* A sum so small beside the weights is 0 but for rounding. */
#define SUM_TOLERANCE 1e-12

/* Matrices of so many weights get kernels of their own, without loops. */
#define SMALL 49

/* direct_t of kernels/convolve.clh. */
typedef struct {
  cl_int width, height;
  cl_int length_x, source_x, n_source_x, first_x, n_result_x, stride_x;
  cl_int length_y, source_y, n_source_y, first_y, n_result_y, stride_y;
  cl_int border;
  cl_float offset;
} CapraDirect;

/* How far the inputs of an output reach from it. */
typedef struct {
  int left, right, top, bottom;
} Reach;

static Reach
matrix_reach (const CapraMatrix *matrix, gboolean correlate)
{
  int cx = matrix->width / 2, cy = matrix->height / 2;

  if (correlate)
    return (Reach) { cx, matrix->width - 1 - cx, cy, matrix->height - 1 - cy };
  return (Reach) { matrix->width - 1 - cx, cx, matrix->height - 1 - cy, cy };
}

/* One axis of capra_convolve_extent(): the position of output 0, and how many there are at @stride. */
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
capra_convolve_extent (const CapraRect *extent, const CapraMatrix *matrix,
                       const CapraConvolveOptions *options)
{
  Reach reach = matrix_reach (matrix, options->correlate);
  int stride_x = MAX (options->stride_x, 1), stride_y = MAX (options->stride_y, 1);
  int x = 0, y = 0, width = 0, height = 0;

  extent_axis (extent->width, reach.left, reach.right, options->extent, stride_x, &x, &width);
  extent_axis (extent->height, reach.top, reach.bottom, options->extent, stride_y, &y, &height);
  if (width == 0 || height == 0)
    width = height = 0;
  return (CapraRect) { extent->x + (stride_x > 1 ? 0 : x), extent->y + (stride_y > 1 ? 0 : y), width,
                       height };
}

/* The pixels at which the outputs of @result stand, from the first to the last one. */
static CapraRect
dense_result (const CapraRect *extent, const CapraRect *result, const CapraMatrix *matrix,
              const CapraConvolveOptions *options)
{
  Reach reach = matrix_reach (matrix, options->correlate);
  int sx = MAX (options->stride_x, 1), sy = MAX (options->stride_y, 1), x = 0, y = 0, unused = 0;

  extent_axis (extent->width, reach.left, reach.right, options->extent, sx, &x, &unused);
  extent_axis (extent->height, reach.top, reach.bottom, options->extent, sy, &y, &unused);
  return (CapraRect) {
    sx > 1 ? extent->x + x + (result->x - extent->x) * sx : result->x,
    sy > 1 ? extent->y + y + (result->y - extent->y) * sy : result->y,
    result->width > 0 ? (result->width - 1) * sx + 1 : 0,
    result->height > 0 ? (result->height - 1) * sy + 1 : 0,
  };
}

CapraRect
capra_convolve_source (const CapraRect *extent, const CapraRect *result, const CapraMatrix *matrix,
                       const CapraConvolveOptions *options)
{
  Reach reach = matrix_reach (matrix, options->correlate);
  CapraRect dense = dense_result (extent, result, matrix, options);

  return capra_window_source (extent, &dense, reach.left, reach.right, reach.top, reach.bottom,
                              options->border);
}

static gboolean
argument_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

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

/* The weights as a correlation takes them, divided, in *@weights (g_free). */
static gboolean
scaled_weights (const CapraMatrix *matrix, const CapraConvolveOptions *options, double **weights,
                GError **error)
{
  int count = matrix->width * matrix->height;
  g_autofree double *scaled = g_new (double, count);
  double sum = 0.0, magnitude = 0.0, divisor = options->divisor;

  for (int i = 0; i < count; i++)
    {
      if (!isfinite (matrix->values[i]))
        return argument_error (error, "the matrix has %g in row %d, number %d; give finite numbers",
                               matrix->values[i], i / matrix->width + 1, i % matrix->width + 1);
      sum += matrix->values[i];
      magnitude += fabs (matrix->values[i]);
    }
  if (!isfinite (divisor) || !isfinite (options->offset) || fabs (options->offset) > FLT_MAX)
    return argument_error (error, "cannot divide by %g and add %g; give finite numbers", divisor,
                           options->offset);
  if (divisor == 0.0)
    divisor = fabs (sum) <= SUM_TOLERANCE * magnitude ? 1.0 : sum;

  for (int i = 0; i < count; i++)
    {
      scaled[options->correlate ? i : count - 1 - i] = matrix->values[i] / divisor;
      if (!(fabs (matrix->values[i] / divisor) <= FLT_MAX))
        return argument_error (error, "row %d, number %d of the matrix, %g, divided by %g, is too large "
                               "for 32-bit floats; scale the matrix down", i / matrix->width + 1,
                               i % matrix->width + 1, matrix->values[i], divisor);
    }
  *weights = g_steal_pointer (&scaled);
  return TRUE;
}

/* Whether the matrix is a column times a row, to the tolerance; the column's magnitudes then sum up to
 * 1, so that what lies between the two passes is in the range of the input. */
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

/* Sums over a matrix in one kernel, for outputs on @x and @y. */
static CapraArray *
run_direct (CapraArray *input, const double *weights, int width, int height, int left, int top,
            const CapraAxis *x, const CapraAxis *y, double offset, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape across = capra_axis_shape (shape, 0, x->n_result);
  CapraShape result = capra_axis_shape (&across, 1, y->n_result);
  gsize count = (gsize) width * (gsize) height, values = result.width * result.channels;
  gboolean strided = x->stride > 1 || y->stride > 1;
  gboolean cpu = !strcmp (capra_tuning_get_word (input->context->device, "convolve.variant", "gpu"),
                          "cpu");
  gsize lanes = cpu && !strided ? 16 : 1, rows = strided ? 1 : 4;
  CapraDirect direct = {
    width, height,
    x->length, x->source, x->n_source, x->result - left, x->n_result, x->stride,
    y->length, y->source, y->n_source, y->result - top, y->n_result, y->stride,
    x->border, (float) offset,
  };
  g_autoptr(CapraArray) output = capra_array_new_uninitialized (input->context, &result, error);
  g_autoptr(CapraArray) long_weights = NULL;
  g_autofree float *floats = g_new (float, count);
  g_autofree char *options = NULL;
  g_autofree char *size = count <= SMALL && !strided
                            ? g_strdup_printf (" -DWIDTH=%d -DHEIGHT=%d", width, height) : NULL;
  CapraLaunch launch;

  if (!output)
    return NULL;
  for (gsize i = 0; i < count; i++)
    floats[i] = (float) weights[i];
  options = g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DWEIGHTS=%s -DLANES=%d -DROWS=%d%s",
                             capra_launch_type (shape->type), shape->channels,
                             capra_taps_space (count), (int) lanes, (int) rows, size ? size : "");
  capra_launch_begin (&launch, input->context, strided ? "convolve-strided" : "convolve", options,
                      strided ? "convolve_strided" : "convolve");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_taps_pass_weights (&launch, floats, count, &long_weights);
  capra_launch_value (&launch, &direct, sizeof direct);
  if (!capra_launch_run (&launch, 3,
                         (gsize[]) { (values + lanes - 1) / lanes,
                                     (result.height + rows - 1) / rows, result.depth },
                         (gsize[]) { 64, 1, 1 },
                         capra_shape_bytes (shape) + capra_shape_bytes (&result), error))
    return NULL;
  return g_steal_pointer (&output);
}

/* A matrix of one row (@axis is x) or one column. */
static CapraArray *
run_line (CapraArray *input, const double *weights, const CapraAxis *axis, Reach reach, double offset,
          GError **error)
{
  int before = axis->number == 0 ? reach.left : reach.top;
  int after = axis->number == 0 ? reach.right : reach.bottom;
  g_autoptr(CapraTaps) taps = capra_taps_new_weights (axis, before, after, weights, 1.0);

  return capra_taps_run (input, axis, taps, (float) offset, error);
}

/* One pass of a column of weights and one of a row. */
static CapraArray *
run_separable (CapraArray *input, const double *column, const double *row, int width, int height,
               Reach reach, const CapraAxis *x, const CapraAxis *y, double offset, GError **error)
{
  g_autoptr(CapraArray) current = NULL;
  g_autoptr(CapraTaps) taps = NULL;

  if (x->stride == 1 && y->stride == 1)
    {
      taps = capra_taps_new_weights (y, reach.top, reach.bottom, column, 1.0);
      current = capra_taps_run (input, y, taps, 0.0f, error);
      capra_taps_free (taps);
      taps = capra_taps_new_weights (x, reach.left, reach.right, row, 1.0);
      return current ? capra_taps_run (current, x, taps, (float) offset, error) : NULL;
    }
  else
    {
      /* The first pass leaves the columns as they are held, the second one the rows. */
      CapraAxis all = { .number = 0, .length = x->length, .source = x->source, .n_source = x->n_source,
                        .result = x->source, .n_result = x->n_source, .stride = 1,
                        .border = x->border };
      CapraAxis kept = { .number = 1, .length = y->n_result, .n_source = y->n_result,
                         .n_result = y->n_result, .stride = 1, .border = y->border };

      current = run_direct (input, column, 1, height, 0, reach.top, &all, y, 0.0, error);
      return current ? run_direct (current, row, width, 1, reach.left, 0, x, &kept, offset, error)
                     : NULL;
    }
}

/* Fills in the whole array for a @window of NULL, and checks it and the options. */
static gboolean
resolve (CapraArray *input, const CapraMatrix *matrix, const CapraConvolveOptions *options,
         const CapraWindow *window, CapraWindow *resolved, CapraRect *result, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  Reach reach = matrix_reach (matrix, options->correlate);
  CapraRect whole = { 0, 0, (int) shape->width, (int) shape->height }, all;
  CapraWindow dense = window ? *window : (CapraWindow) { whole, whole, whole };

  if (options->stride_x < 1 || options->stride_y < 1)
    return argument_error (error, "strides of %d, %d keep no pixels; give 1 or more", options->stride_x,
                           options->stride_y);
  if (options->extent < CAPRA_EXTENT_SAME || options->extent > CAPRA_EXTENT_VALID)
    return argument_error (error, "unknown extent; use same, full or valid");
  /* Checks the array's size and the border before anything is computed from them. */
  if (!capra_window_resolve (input, NULL, 0, 0, 0, 0, options->border, resolved, error))
    return FALSE;

  all = capra_convolve_extent (&dense.extent, matrix, options);
  *result = window ? window->result : all;
  if (all.width == 0)
    return argument_error (error, "a matrix of %d x %d fits nowhere into an image of %d x %d: extent "
                           "\"valid\" leaves nothing; use same or full", matrix->width, matrix->height,
                           dense.extent.width, dense.extent.height);
  if (result->width < 1 || result->height < 1 || result->x < all.x || result->y < all.y
      || (gint64) result->x + result->width > (gint64) all.x + all.width
      || (gint64) result->y + result->height > (gint64) all.y + all.height)
    return argument_error (error, "the window's result must lie within the whole result: %d x %d pixels "
                           "from %d, %d on", all.width, all.height, all.x, all.y);
  dense.result = dense_result (&dense.extent, result, matrix, options);
  return capra_window_resolve (input, &dense, reach.left, reach.right, reach.top, reach.bottom,
                               options->border, resolved, error);
}

CapraArray *
capra_convolve (CapraArray *input, const CapraMatrix *matrix, const CapraConvolveOptions *options,
                const CapraWindow *window, GError **error)
{
  g_autofree double *weights = NULL;
  g_autofree double *column = NULL;
  g_autofree double *row = NULL;
  CapraWindow resolved;
  CapraRect result;
  CapraAxis x, y;
  Reach reach;

  g_return_val_if_fail (input && matrix && options, NULL);

  if (!resolve (input, matrix, options, window, &resolved, &result, error)
      || !scaled_weights (matrix, options, &weights, error))
    return NULL;

  reach = matrix_reach (matrix, options->correlate);
  capra_axis_init (&x, 0, input, &resolved, options->border);
  capra_axis_init (&y, 1, input, &resolved, options->border);
  x.n_result = result.width;
  y.n_result = result.height;
  x.stride = options->stride_x;
  y.stride = options->stride_y;

  if (x.stride == 1 && y.stride == 1
      && (matrix->height == 1 ? capra_axis_is_whole (&y)
                              : matrix->width == 1 && capra_axis_is_whole (&x)))
    return run_line (input, weights, matrix->height == 1 ? &x : &y, reach, options->offset, error);
  if (matrix->width > 1 && matrix->height > 1
      && matrix->width * matrix->height
           >= capra_tuning_get_int (input->context->device, "convolve.separable", 30)
      && separate (weights, matrix->width, matrix->height, &column, &row))
    return run_separable (input, column, row, matrix->width, matrix->height, reach, &x, &y,
                          options->offset, error);
  return run_direct (input, weights, matrix->width, matrix->height, reach.left, reach.top, &x, &y,
                     options->offset, error);
}
