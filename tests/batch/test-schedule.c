/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which devices take the items of a batch, and the line that shows the progress. */
#include <string.h>

#include "ui/cli/run/progress-bar.h"
#include "ui/cli/run/schedule.h"

/* Items that are taken in order, without those that are skipped. */
static void
test_order (void)
{
  const guint workers[] = { 1 };
  g_autoptr (RunSchedule) schedule = run_schedule_new (5, workers, 1);
  guint item, skipped;

  run_schedule_skip (schedule, 0);
  run_schedule_skip (schedule, 3);
  run_schedule_skip (schedule, 3);
  for (guint i = 0; i < 3; i++)
    {
      static const guint expected[] = { 1, 2, 4 };

      g_assert_true (run_schedule_take (schedule, 0, &item));
      g_assert_cmpuint (item, ==, expected[i]);
      g_assert_cmpint (run_schedule_wait (schedule, item, 1), ==, RUN_ITEM_OPEN);
      run_schedule_finish (schedule, item, 0, 1000);
      g_assert_cmpint (run_schedule_wait (schedule, item, 0), ==, RUN_ITEM_DONE);
    }
  g_assert_false (run_schedule_take (schedule, 0, &item));
  g_assert_cmpint (run_schedule_wait (schedule, 3, 0), ==, RUN_ITEM_SKIPPED);
  g_assert_cmpuint (run_schedule_count_done (schedule, &skipped), ==, 3);
  g_assert_cmpuint (skipped, ==, 2);
}

/* After a stop, items that were not taken are left; those in work are finished. */
static void
test_stop (void)
{
  const guint workers[] = { 2 };
  g_autoptr (RunSchedule) schedule = run_schedule_new (3, workers, 1);
  guint item;

  g_assert_true (run_schedule_take (schedule, 0, &item));
  run_schedule_stop (schedule);
  g_assert_cmpint (run_schedule_wait (schedule, 1, 0), ==, RUN_ITEM_LEFT);
  g_assert_cmpint (run_schedule_wait (schedule, 0, 1), ==, RUN_ITEM_OPEN);
  run_schedule_finish (schedule, 0, 0, 1000);
  g_assert_cmpint (run_schedule_wait (schedule, 0, 0), ==, RUN_ITEM_DONE);
  g_assert_false (run_schedule_take (schedule, 0, &item));
}

/* A device of 1000 us an item and one of 10000, in a simulation: both work, and the end is not later than that of the
 * fast device by an item of the slow one. */
static void
test_devices (void)
{
  const guint workers[] = { 1, 1 };
  const gint64 times[] = { 1000, 10000 };
  g_autoptr (RunSchedule) schedule = run_schedule_new (100, workers, 2);
  gint64 ends[] = { 0, 0 };
  guint items[2], counts[] = { 0, 0 };
  gboolean active[] = { FALSE, FALSE };

  for (guint i = 0; i < 2; i++)
    active[i] = run_schedule_take (schedule, i, &items[i]);
  while (active[0] || active[1])
    {
      /* The device that finishes its item first. */
      guint d = !active[0] || (active[1] && ends[1] + times[1] < ends[0] + times[0]) ? 1 : 0;

      ends[d] += times[d];
      counts[d]++;
      run_schedule_finish (schedule, items[d], d, times[d]);
      active[d] = run_schedule_take (schedule, d, &items[d]);
    }
  g_test_message ("%u and %u items in %d and %d us", counts[0], counts[1], (int) ends[0], (int) ends[1]);
  g_assert_cmpuint (counts[0] + counts[1], ==, 100);
  g_assert_cmpuint (counts[1], >=, 8);
  g_assert_cmpint (ends[1], <=, ends[0] + 1000);
}

static void
test_progress (void)
{
  static const struct {
    RunProgress progress;
    guint columns;
    const char *line;
  } cases[] = {
    { { 400, 100, 100, 0, 50.0 },
      100,
      "[####################....................] 200/400 50 %, 2.00 frames/s, 1:40 left" },
    { { 400, 100, 100, 0, 50.0 }, 60, "[#########.........] 200/400 50 %, 2.00 frames/s, 1:40 left" },
    { { 400, 100, 100, 0, 50.0 }, 30, "200/400 50 %, 2.00 frames/s, 1:40 left" },
    { { 400, 0, 0, 0, 1.0 }, 100, "[........................................] 0/400 0 %" },
    { { 400, 0, 300, 2, 10.0 }, 30, "300/400 75 %, 2 failed, 30 frames/s, 0:03 left" },
    { { 400, 0, 400, 0, 3725.0 }, 30, "400/400 100 %, 0.11 frames/s, 1:02:05" },
    { { 0, 0, 0, 0, 0.0 }, 15, "0/1 0 %" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = run_progress_format (&cases[i].progress, cases[i].columns);

      g_assert_cmpstr (line, ==, cases[i].line);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/order", test_order);
  g_test_add_func ("/schedule/stop", test_stop);
  g_test_add_func ("/schedule/devices", test_devices);
  g_test_add_func ("/schedule/progress", test_progress);
  return g_test_run ();
}
