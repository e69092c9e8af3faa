/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfers in pieces: every row once, in order, and a piece is transferred while the host has the next. */
#include <string.h>

#include "runtime/device/context.h"
#include "tests/support/support.h"

#define WIDTH 37

/* The pieces that the host got. */
typedef struct {
  guint8 *rows; /* of the whole array */
  gsize bytes;  /* of a row */
  gsize next;   /* the next row expected */
  guint pieces;
  gsize max;     /* rows of a piece */
  gsize watched; /* all rows, if the test checks the transfers during a piece; else 0 */
} Host;

static guint64
count (const char *name)
{
  g_autoptr (GArray) records = capra_timeline_records (0);
  guint64 n = 0;

  for (guint i = 0; i < records->len; i++)
    n += g_str_equal (g_array_index (records, CapraRecord, i).name, name);
  return n;
}

static void
take_piece (Host *host, gsize first, gsize rows)
{
  g_assert_cmpuint (first, ==, host->next);
  g_assert_cmpuint (rows, >=, 1);
  g_assert_cmpuint (rows, <=, host->max);
  host->next += rows;
  host->pieces++;
}

static void
fill (gpointer to, gsize first, gsize rows, gpointer data)
{
  Host *host = data;

  take_piece (host, first, rows);
  /* The previous pieces were enqueued, not all at the end. */
  if (host->watched)
    g_assert_cmpuint (count ("upload"), ==, host->pieces - 1);
  memcpy (to, host->rows + first * host->bytes, rows * host->bytes);
}

static void
drain (gpointer from, gsize first, gsize rows, gpointer data)
{
  Host *host = data;

  take_piece (host, first, rows);
  /* The next piece was enqueued. */
  if (host->next < host->watched)
    g_assert_cmpuint (count ("download"), ==, host->pieces + 1);
  memcpy (host->rows + first * host->bytes, from, rows * host->bytes);
}

static CapraDeviceInfo *
device_info (void)
{
  return (CapraDeviceInfo *) capra_device_get_info (support_device (0));
}

/* Treats the device as one with memory of its own, or not. */
static void
set_discrete (gboolean discrete)
{
  static int unified = -1;

  if (unified < 0)
    unified = device_info ()->unified;
  device_info ()->unified = !discrete && unified;
}

/* Upload and download in pieces of 2 KiB. */
static void
check (gsize height, gsize depth, CapraType type, const CapraRowsUnit *unit)
{
  CapraShape shape = { WIDTH, height, depth, 3, type };
  gsize bytes = capra_shape_bytes (&shape), rows = height * depth, row = bytes / rows;
  gsize most = device_info ()->unified ? rows : MIN (MAX (2048 / row, 1), rows);
  g_autofree guint8 *data = g_malloc (bytes), *got = g_malloc0 (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = capra_array_new_for_upload (support_device (0), &shape, &error);
  Host in = { data, row, 0, 0, most, 0 }, out = { got, row, 0, 0, most, 0 };

  g_assert_no_error (error);
  for (gsize i = 0; i < bytes; i++)
    data[i] = (guint8) (i * 31 + i / 256);
  g_assert_true (capra_array_write_rows (array, unit, fill, &in, &error));
  g_assert_true (capra_array_read_rows (array, unit, drain, &out, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (in.next, ==, rows);
  g_assert_cmpuint (out.next, ==, rows);
  g_assert_cmpuint (in.pieces, ==, out.pieces);
  g_assert_cmpuint (in.pieces, >=, (rows + most - 1) / most);
  g_assert_cmpmem (got, bytes, data, bytes);
}

static void
test_there_and_back (gconstpointer discrete)
{
  static const gsize heights[] = { 1, 2, 17, 64, 203 };
  static const CapraRowsUnit units[] = { { 0, 1 }, { 0, 4 }, { 3, 4 }, { 7, 9 }, { 100, 128 }, { 0, 1000 } };

  set_discrete (discrete != NULL);
  capra_tuning_try ("transfer.piece", "2");
  for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
    for (guint k = 0; k <= G_N_ELEMENTS (units); k++)
      {
        const CapraRowsUnit *unit = k < G_N_ELEMENTS (units) ? &units[k] : NULL;

        check (heights[i], 1, CAPRA_U8, unit);
        check (heights[i], 3, CAPRA_U16, unit);
        check (heights[i], 1, CAPRA_F32, unit);
      }
  capra_tuning_try ("transfer.piece", NULL);
  set_discrete (FALSE);
}

typedef struct {
  gsize ends[16];
  guint n;
} Ends;

static void
note_end (gpointer host, gsize first, gsize rows, gpointer data)
{
  Ends *ends = data;

  ends->ends[ends->n++] = first + rows;
  memset (host, 0, rows * WIDTH);
}

/* Pieces end between units, if they have room for one. */
static void
test_units (void)
{
  static const CapraRowsUnit unit = { 5, 20 };
  static const gsize expected[] = { 45, 85, 130 };
  CapraShape shape = CAPRA_SHAPE_2D (WIDTH, 130, CAPRA_U8);
  g_autoptr (CapraArray) array = NULL;
  Ends ends = { { 0 }, 0 };

  set_discrete (TRUE);
  capra_tuning_try ("transfer.piece", "2"); /* 55 rows */
  array = capra_array_new_for_upload (support_device (0), &shape, NULL);
  g_assert_true (capra_array_write_rows (array, &unit, note_end, &ends, NULL));
  g_assert_cmpmem (ends.ends, ends.n * sizeof (gsize), expected, sizeof expected);
  capra_tuning_try ("transfer.piece", NULL);
  set_discrete (FALSE);
}

/* While the host has a piece, the one before it (upload) or after it (download) is transferred: a wait for that would
 * end. */
static void
test_overlap (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (1024, 10, CAPRA_U8);
  g_autofree guint8 *rows = g_malloc0 (10 * 1024);
  g_autoptr (CapraArray) array = NULL;
  Host in = { rows, 1024, 0, 0, 2, 10 }, out = { rows, 1024, 0, 0, 2, 10 };

  set_discrete (TRUE);
  capra_tuning_try ("transfer.piece", "2");
  array = capra_array_new_for_upload (support_device (0), &shape, NULL);
  capra_timeline_reset ();
  g_assert_true (capra_array_write_rows (array, NULL, fill, &in, NULL));
  g_assert_true (capra_array_read_rows (array, NULL, drain, &out, NULL));
  g_assert_cmpuint (in.pieces, ==, 5);
  g_assert_cmpuint (out.pieces, ==, 5);
  capra_tuning_try ("transfer.piece", NULL);
  set_discrete (FALSE);
}

static void
open_gate (gpointer host, gsize first, gsize rows, gpointer gate)
{
  memset (host, (int) first, rows * 1024);
  if (gate && first > 0)
    clSetUserEventStatus (gate, CL_COMPLETE);
}

/* The host gets the second piece before the first one is uploaded: otherwise the gate in front of the first one would
 * never open. */
static void
test_no_wait (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (1024, 4, CAPRA_U8);
  CapraContext *context = capra_context_get (support_device (0), NULL);
  cl_event gate = clCreateUserEvent (context->cl, NULL);
  g_autoptr (CapraArray) array = NULL;
  g_autofree guint8 *got = g_malloc (4 * 1024);

  set_discrete (TRUE);
  capra_tuning_try ("transfer.piece", "2");
  array = capra_array_new_for_upload (support_device (0), &shape, NULL);
  /* Allocates the staging buffers, since a new one would wait for the gate, too. */
  g_assert_true (capra_array_write_rows (array, NULL, open_gate, NULL, NULL));
  g_assert_true (capra_array_wait (array, NULL));
  g_assert_cmpint (clEnqueueMarkerWithWaitList (context->queues[CAPRA_QUEUE_UPLOAD], 1, &gate, NULL), ==, CL_SUCCESS);
  g_assert_true (capra_array_write_rows (array, NULL, open_gate, gate, NULL));
  g_assert_true (capra_array_download (array, got, NULL));
  g_assert_cmpint (got[0], ==, 0);
  g_assert_cmpint (got[4 * 1024 - 1], ==, 2);
  clReleaseEvent (gate);
  capra_tuning_try ("transfer.piece", NULL);
  set_discrete (FALSE);
}

/* Opens the gate when the test has ended, or after a time limit. */
typedef struct {
  cl_event gate;
  GMutex lock;
  GCond over;
  gboolean is_over, late;
} Keeper;

static gpointer
keep_gate (gpointer data)
{
  Keeper *keeper = data;
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;

  g_mutex_lock (&keeper->lock);
  while (!keeper->is_over && !keeper->late)
    keeper->late = !g_cond_wait_until (&keeper->over, &keeper->lock, end);
  g_mutex_unlock (&keeper->lock);
  clSetUserEventStatus (keeper->gate, CL_COMPLETE);
  return NULL;
}

/* A new array does not get the memory of a freed one that a kernel still uses. */
static void
test_beside_kernel (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (1024, 1024, CAPRA_U8);
  CapraContext *context = capra_context_get (support_device (0), NULL);
  g_autofree guint8 *data = g_malloc0 (1024 * 1024);
  g_autoptr (CapraArray) array = NULL;
  CapraArray *worked = NULL;
  Keeper keeper = { clCreateUserEvent (context->cl, NULL) };
  GThread *thread = NULL;

  set_discrete (TRUE);
  capra_memory_trim (support_device (0));
  worked = capra_array_new (support_device (0), &shape, NULL);
  g_assert_true (capra_array_upload (worked, data, NULL)); /* allocates staging, builds the kernel */
  g_assert_true (capra_array_wait (worked, NULL));
  thread = g_thread_new ("gate", keep_gate, &keeper);
  clEnqueueMarkerWithWaitList (context->queues[CAPRA_QUEUE_COMPUTE], 1, &keeper.gate, NULL);
  g_assert_true (capra_array_fill (worked, 1.0, NULL));
  capra_array_unref (worked);

  array = capra_array_new_for_upload (support_device (0), &shape, NULL);
  g_assert_true (capra_array_upload (array, data, NULL));
  g_assert_true (capra_array_wait (array, NULL));
  g_mutex_lock (&keeper.lock);
  g_assert_false (keeper.late);
  keeper.is_over = TRUE;
  g_cond_signal (&keeper.over);
  g_mutex_unlock (&keeper.lock);
  g_thread_join (thread);
  clReleaseEvent (keeper.gate);
  set_discrete (FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/array-rows/there-and-back/own", NULL, test_there_and_back);
  g_test_add_data_func ("/array-rows/there-and-back/discrete", "discrete", test_there_and_back);
  g_test_add_func ("/array-rows/units", test_units);
  g_test_add_func ("/array-rows/overlap", test_overlap);
  g_test_add_func ("/array-rows/no-wait", test_no_wait);
  g_test_add_func ("/array-rows/beside-kernel", test_beside_kernel);
  return g_test_run ();
}
