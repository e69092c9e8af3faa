/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sparse matrix on a device: transfers, and the sort of its entries. */
#include "algorithms/azimuthal/azimuthal-matrix.h"

#include "algorithms/azimuthal/azimuthal-params.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/array-transfer.h"

#define SCAN_GROUP 256
#define SORT_ITEMS 16384 /* at most */
#define SORT_PART 64     /* entries of a work-item, at least */

static CapraArray *
upload (CapraContext *context, gconstpointer data, gsize n, CapraType type, GError **error)
{
  return capra_array_new_from_data (context->device, &CAPRA_SHAPE_2D (MAX (n, 1), 1, type), data, error);
}

gboolean
capra_azimuthal_matrix_upload (CapraAzimuthalMatrix *matrix, CapraContext *context, const CapraSparse *from,
                               GError **error)
{
  *matrix = (CapraAzimuthalMatrix){ from->radial, from->azimuthal, from->n_rows, from->n_entries, NULL, NULL, NULL };
  matrix->starts = upload (context, from->starts, (gsize) from->n_rows + 1, CAPRA_U32, error);
  if (matrix->starts)
    matrix->pixels = upload (context, from->pixels, from->n_entries, CAPRA_U32, error);
  if (matrix->pixels && from->coefficients)
    matrix->coefficients = upload (context, from->coefficients, from->n_entries, CAPRA_F32, error);
  return matrix->pixels && (matrix->coefficients || !from->coefficients);
}

gboolean
capra_azimuthal_matrix_download (const CapraAzimuthalMatrix *matrix, CapraSparse *to, GError **error)
{
  gsize n = MAX (matrix->n_entries, 1);

  *to = (CapraSparse){ matrix->radial,
                       matrix->azimuthal,
                       matrix->n_rows,
                       matrix->n_entries,
                       g_new (guint32, (gsize) matrix->n_rows + 1),
                              g_new (guint32, n), matrix->coefficients ? g_new (float, n) : NULL };
  if (capra_array_download (matrix->starts, to->starts, error)
      && capra_array_download (matrix->pixels, to->pixels, error)
      && (!matrix->coefficients || capra_array_download (matrix->coefficients, to->coefficients, error)))
    return TRUE;
  capra_sparse_clear (to);
  return FALSE;
}

/* The arrays between two passes of the sort. */
typedef struct {
  CapraContext *context;
  char *options;
  guint32 n, part;
  gsize items; /* a multiple of SORT_GROUP */
  CapraArray *rows, *pixels, *coefficients, *counts;
} Sort;

static void
sort_clear (Sort *sort)
{
  g_clear_pointer (&sort->options, g_free);
  g_clear_pointer (&sort->rows, capra_array_unref);
  g_clear_pointer (&sort->pixels, capra_array_unref);
  g_clear_pointer (&sort->coefficients, capra_array_unref);
  g_clear_pointer (&sort->counts, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sort, sort_clear)

static gboolean
sort_init (Sort *sort, const CapraAzimuthalMatrix *matrix, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (MAX (matrix->n_entries, 1), 1, CAPRA_U32), counts = shape;
  CapraContext *context = matrix->pixels->context;

  sort->context = context;
  sort->n = matrix->n_entries;
  sort->part = MAX ((sort->n + SORT_ITEMS - 1) / SORT_ITEMS, SORT_PART);
  sort->items = ((gsize) sort->n + sort->part - 1) / sort->part;
  sort->items = MAX ((sort->items + SORT_GROUP - 1) / SORT_GROUP, 1) * SORT_GROUP;
  sort->options = g_strdup_printf ("-DGROUP=%u%s", (guint) MIN (SCAN_GROUP, context->info->max_group),
                                   matrix->coefficients ? " -DWEIGHTED" : "");
  counts.width = (sort->items + 1) * SORT_DIGITS;
  sort->rows = capra_array_new_uninitialized (context, &shape, error);
  sort->pixels = sort->rows ? capra_array_new_uninitialized (context, &shape, error) : NULL;
  sort->counts = sort->pixels ? capra_array_new_uninitialized (context, &counts, error) : NULL;
  shape.type = CAPRA_F32;
  if (sort->counts && matrix->coefficients)
    sort->coefficients = capra_array_new_uninitialized (context, &shape, error);
  return sort->counts && (sort->coefficients || !matrix->coefficients);
}

static gboolean
sort_count (const Sort *sort, CapraArray *rows, guint shift, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, sort->context, "azimuthal-sort", sort->options, "azimuthal_sort_count");
  capra_launch_read (&launch, rows);
  capra_launch_uint (&launch, sort->n);
  capra_launch_uint (&launch, sort->part);
  capra_launch_uint (&launch, shift);
  capra_launch_write (&launch, sort->counts);
  return capra_launch_run_1d (&launch, sort->items, SORT_GROUP, (guint64) sort->n * 4, error);
}

static gboolean
sort_scan (const Sort *sort, GError **error)
{
  gsize group = MIN (SCAN_GROUP, sort->context->info->max_group);
  CapraLaunch launch;

  capra_launch_begin (&launch, sort->context, "azimuthal-sort", sort->options, "azimuthal_sort_scan");
  capra_launch_write (&launch, sort->counts);
  capra_launch_uint (&launch, (guint32) sort->items);
  return capra_launch_run_1d (&launch, group * SORT_DIGITS, group, (guint64) sort->items * SORT_DIGITS * 8, error);
}

static gboolean
sort_move (const Sort *sort, const CapraAzimuthalMatrix *from, CapraArray *rows, guint shift, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, sort->context, "azimuthal-sort", sort->options, "azimuthal_sort_move");
  capra_launch_read (&launch, rows);
  capra_launch_read (&launch, from->pixels);
  /* An argument that is not used needs an array all the same. */
  capra_launch_read (&launch, from->coefficients ? from->coefficients : from->pixels);
  capra_launch_uint (&launch, sort->n);
  capra_launch_uint (&launch, sort->part);
  capra_launch_uint (&launch, shift);
  capra_launch_read (&launch, sort->counts);
  capra_launch_write (&launch, sort->rows);
  capra_launch_write (&launch, sort->pixels);
  capra_launch_write (&launch, sort->coefficients ? sort->coefficients : sort->pixels);
  return capra_launch_run_1d (&launch, sort->items, SORT_GROUP, (guint64) sort->n * (from->coefficients ? 24 : 16),
                              error);
}

static gboolean
find_starts (const Sort *sort, CapraAzimuthalMatrix *matrix, CapraArray *rows, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D ((gsize) matrix->n_rows + 1, 1, CAPRA_U32);
  CapraLaunch launch;

  matrix->starts = capra_array_new_uninitialized (sort->context, &shape, error);
  if (!matrix->starts)
    return FALSE;
  capra_launch_begin (&launch, sort->context, "azimuthal-sort", sort->options, "azimuthal_sort_starts");
  capra_launch_read (&launch, rows);
  capra_launch_uint (&launch, sort->n);
  capra_launch_uint (&launch, matrix->n_rows);
  capra_launch_write (&launch, matrix->starts);
  return capra_launch_run_1d (&launch, shape.width, SORT_GROUP, (guint64) shape.width * 4, error);
}

static void
swap (CapraArray **a, CapraArray **b)
{
  CapraArray *other = *a;

  *a = *b;
  *b = other;
}

gboolean
capra_azimuthal_matrix_sort (CapraAzimuthalMatrix *matrix, CapraArray **rows, GError **error)
{
  g_auto (Sort) sort = { NULL };
  guint bits = matrix->n_rows > 1 ? g_bit_storage (matrix->n_rows - 1) : 0;

  if (!sort_init (&sort, matrix, error))
    return FALSE;
  for (guint shift = 0; shift < bits; shift += SORT_DIGIT_BITS)
    {
      if (!sort_count (&sort, *rows, shift, error) || !sort_scan (&sort, error)
          || !sort_move (&sort, matrix, *rows, shift, error))
        return FALSE;
      swap (rows, &sort.rows);
      swap (&matrix->pixels, &sort.pixels);
      swap (&matrix->coefficients, &sort.coefficients);
    }
  return find_starts (&sort, matrix, *rows, error);
}
