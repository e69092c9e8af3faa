/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits that fail: buffers are not freed while commands use them, also not at the end of the process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/memory/array-buffer.h"
#include "tests/support/support.h"

#define SIDE 300
/* Makes the next commands wait: half a second on a CPU. */
#define TURNS 20

static gint failures;   /* atomic; the number of next waits that fail at once */
static gint stuck;      /* atomic; all waits fail, and no command seems to end */
static cl_event failed; /* the event of the last such wait */

/* Replaces the function of the loader. */
cl_int
clWaitForEvents (cl_uint n, const cl_event *events)
{
  cl_int (*next) (cl_uint, const cl_event *) = dlsym (RTLD_NEXT, "clWaitForEvents");

  if (!g_atomic_int_get (&stuck) && !g_atomic_int_get (&failures))
    return next (n, events);
  if (!g_atomic_int_get (&stuck))
    {
      g_atomic_int_add (&failures, -1);
      clRetainEvent (events[0]);
      failed = events[0];
    }
  return CL_OUT_OF_RESOURCES;
}

cl_int
clGetEventInfo (cl_event event, cl_event_info what, size_t size, void *value, size_t *needed)
{
  cl_int (*next) (cl_event, cl_event_info, size_t, void *, size_t *) = dlsym (RTLD_NEXT, "clGetEventInfo");
  cl_int status = next (event, what, size, value, needed);

  if (g_atomic_int_get (&stuck) && status == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS)
    *(cl_int *) value = CL_SUBMITTED;
  return status;
}

static CapraArray *
array_new (void)
{
  g_autoptr (GError) error = NULL;
  CapraArray *array = capra_array_new (support_device (0), &CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_F32), &error);

  g_assert_no_error (error);
  return array;
}

/* Enqueues a fill of @array with @value after other commands. */
static void
fill_late (CapraArray *array, double value)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < TURNS; i++)
    capra_device_keep_busy (support_device (0), &error);
  capra_array_fill (array, value, &error);
  g_assert_no_error (error);
}

/* The command whose wait failed has ended. */
static void
assert_over (void)
{
  cl_int status = CL_QUEUED;

  g_assert_cmpint (failures, ==, 0);
  g_assert_cmpint (clGetEventInfo (failed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL), ==,
                   CL_SUCCESS);
  g_assert_cmpint (status, ==, CL_COMPLETE);
  clReleaseEvent (failed);
}

static void
assert_values (CapraArray *array, float value)
{
  g_autofree float *values = support_download (array);

  for (guint i = 0; i < SIDE * SIDE; i++)
    g_assert_cmpfloat (values[i], ==, value);
}

static void
test_download (void)
{
  g_autoptr (CapraArray) array = array_new ();
  g_autofree float *values = g_new0 (float, SIDE * SIDE);
  g_autoptr (GError) error = NULL;

  fill_late (array, 3);
  failures = 1;
  g_assert_false (capra_array_download (array, values, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY); /* CL_OUT_OF_RESOURCES */
  assert_over ();
  assert_values (array, 3);
}

static void
test_start (void)
{
  g_autoptr (CapraArray) array = array_new ();
  float value = 0;

  fill_late (array, 4);
  failures = 1;
  g_assert_false (capra_array_download_first (array, &value, sizeof value, NULL));
  assert_over ();
  g_assert_true (capra_array_download_first (array, &value, sizeof value, NULL));
  g_assert_cmpfloat (value, ==, 4);
}

/* A failed eviction frees its host memory after the command has ended. */
static void
test_evict (void)
{
  g_autoptr (CapraArray) array = array_new ();

  fill_late (array, 5);
  capra_array_make_resident (array, FALSE);
  failures = 1;
  capra_memory_free_unused (support_device (0));
  assert_over ();
  capra_array_release_resident (capra_array_ref (array), FALSE);
  assert_values (array, 5);
}

static void
test_wait (void)
{
  g_autoptr (CapraArray) array = array_new ();
  g_autoptr (GError) error = NULL;

  fill_late (array, 6);
  failures = 1;
  g_assert_false (capra_array_wait (array, &error));
  assert_over ();
  assert_values (array, 6);
}

/* Records of events that never end are omitted after a time limit. */
static void
test_records (void)
{
  g_autoptr (CapraArray) array = array_new ();
  g_autoptr (GArray) records = NULL;

  capra_timeline_reset ();
  fill_late (array, 7);
  g_atomic_int_set (&stuck, TRUE);
  records = capra_timeline_records (0);
  g_atomic_int_set (&stuck, FALSE);
  g_assert_cmpuint (records->len, <=, TURNS + 1);
  assert_values (array, 7);
}

/* The library waits at exit for at most this long: see context.c. */
#define EXIT_TIME (10 * G_TIME_SPAN_SECOND)

static CapraArray *late;
static gint64 exit_begin;

/* On a busy machine the commands may take longer. */
static void
check_idle (void)
{
  if (!capra_buffer_is_idle (late->buffer) && g_get_monotonic_time () - exit_begin < EXIT_TIME)
    _exit (EXIT_FAILURE);
}

/* A process waits for its commands at exit, before drivers free their state. */
static void
test_exit (void)
{
  if (g_test_subprocess ())
    {
      support_devices ();
      atexit (check_idle); /* runs after the handlers that are registered at the first use */
      late = array_new ();
      fill_late (late, 8);
      exit_begin = g_get_monotonic_time ();
      exit (EXIT_SUCCESS);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* A driver may build a kernel at its first launch, in a thread and with data that its exit handlers free. */
static void
test_exit_building (void)
{
  if (!g_test_subprocess ())
    {
      support_run_cold ();
      return;
    }
  late = array_new ();
  g_assert_true (capra_array_fill (late, 9, NULL));
  exit (EXIT_SUCCESS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/waits/exit", test_exit);
  g_test_add_func ("/waits/exit-building", test_exit_building);
  g_test_add_func ("/waits/download", test_download);
  g_test_add_func ("/waits/start", test_start);
  g_test_add_func ("/waits/evict", test_evict);
  g_test_add_func ("/waits/wait", test_wait);
  g_test_add_func ("/waits/records", test_records);
  return g_test_run ();
}
