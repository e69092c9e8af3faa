/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor: processes appear, send what they do, and leave. */
#include <string.h>

#include "tests/support/support-monitor.h"
#include "tests/support/support.h"

typedef struct {
  guint appeared, changed, left;
  guint64 fills; /* of the process that left last */
} Events;

static void
on_event (CapraMonitor *monitor, const CapraMonitorProcess *process, CapraMonitorEvent event, gpointer data)
{
  Events *events = data;

  events->appeared += event == CAPRA_MONITOR_APPEARED;
  events->changed += event == CAPRA_MONITOR_CHANGED;
  events->left += event == CAPRA_MONITOR_LEFT;
  if (event == CAPRA_MONITOR_LEFT)
    events->fills = support_monitor_count (process, "fill");
}

/* A process that starts while a monitor listens appears with its name, and leaves. The work that it does just before
 * its end is counted. */
static void
test_come_and_go (void)
{
  Events events = { 0 };
  g_autoptr (CapraMonitor) monitor = support_monitor_new (on_event, &events);
  g_autoptr (GSubprocess) worker = support_worker_start ("--work");
  const CapraMonitorProcess *seen = NULL;
  const CapraMonitorTiming *timing = NULL;

  support_worker_send (worker, "7\n");
  SUPPORT_WAIT_FOR ((seen = support_monitor_find (monitor, worker)) && support_monitor_count (seen, "download") == 7);
  g_assert_cmpstr (seen->name, ==, "worker");
  g_assert_cmpstr (seen->title, ==, "A worker");
  g_assert_cmpstr (seen->version, ==, CAPRA_VERSION);
  g_assert_cmpuint (seen->timings->len, ==, 3);
  g_assert_cmpuint (seen->records->len, ==, 21);
  g_assert_cmpuint (seen->recorded, ==, 21);
  timing = &g_array_index (seen->timings, CapraMonitorTiming, 0);
  g_assert_cmpstr (timing->name, ==, "upload");
  g_assert_cmpuint (timing->device, ==, capra_device_get_info (support_device (1))->index);
  g_assert_cmpuint (timing->bytes, ==, 7 * 256 * 64 * 4);
  g_assert_cmpfloat (timing->min, <=, timing->median);
  g_assert_cmpfloat (timing->median, <=, timing->max);
  g_assert_cmpfloat (timing->min, <=, timing->mean);
  g_assert_cmpfloat (timing->total, >=, timing->max);
  g_assert_cmpuint (seen->devices->len, ==, support_devices ()->len);

  support_worker_send (worker, "4\n");
  support_worker_finish (worker);
  SUPPORT_WAIT_FOR (events.left == 1);
  g_assert_cmpuint (capra_monitor_get_processes (monitor)->len, ==, 0);
  g_assert_cmpuint (events.appeared, ==, 1);
  g_assert_cmpuint (events.fills, ==, 11);
}

/* A monitor that is created later finds a running process, with the statistics since its start. So does the next
 * monitor. */
static void
test_late_monitor (void)
{
  g_autoptr (GSubprocess) worker = support_worker_start ("--work");

  support_worker_send (worker, "5\n");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CapraMonitor) monitor = support_monitor_new (NULL, NULL);

      SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (monitor, worker), "fill") == 5 + i);
      support_worker_send (worker, "1\n");
      SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (monitor, worker), "fill") == 6 + i);
    }
  support_worker_finish (worker);
}

static void
test_two_monitors (void)
{
  g_autoptr (CapraMonitor) first = support_monitor_new (NULL, NULL);
  g_autoptr (CapraMonitor) second = support_monitor_new (NULL, NULL);
  g_autoptr (GSubprocess) worker = support_worker_start ("--work");

  support_worker_send (worker, "3\n");
  SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (first, worker), "fill") == 3);
  SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (second, worker), "fill") == 3);
  g_clear_pointer (&first, capra_monitor_free);
  support_worker_send (worker, "3\n");
  SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (second, worker), "fill") == 6);
  support_worker_finish (worker);
}

/* A reset of the monitor, and a reset of the timeline in the process, both clear the statistics. */
static void
test_reset (void)
{
  g_autoptr (CapraMonitor) monitor = support_monitor_new (NULL, NULL);
  g_autoptr (GSubprocess) worker = support_worker_start ("--work");
  const CapraMonitorProcess *seen = NULL;
  const CapraMonitorTiming *timing = NULL;

  support_worker_send (worker, "9\n");
  SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (monitor, worker), "download") == 9);
  capra_monitor_reset (monitor);
  g_assert_cmpuint (support_monitor_find (monitor, worker)->timings->len, ==, 0);
  support_worker_send (worker, "4\n");
  SUPPORT_WAIT_FOR ((seen = support_monitor_find (monitor, worker)) && support_monitor_count (seen, "download") == 4);
  timing = &g_array_index (seen->timings, CapraMonitorTiming, 0);
  g_assert_cmpuint (timing->bytes, ==, 4 * 256 * 64 * 4);
  g_assert_cmpfloat_with_epsilon (timing->mean * 4, timing->total, 1e-9);

  support_worker_send (worker, "r\n");
  support_worker_send (worker, "2\n");
  SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (monitor, worker), "download") == 2);
  support_worker_finish (worker);
}

/* The device that the worker uses. */
static const CapraMonitorDevice *
device_of (const CapraMonitorProcess *process)
{
  return process->devices->pdata[capra_device_get_info (support_device (1))->index];
}

static CapraMemory
memory_of (const CapraMonitorProcess *process)
{
  return process ? device_of (process)->memory : (CapraMemory){ 0 };
}

static void
test_memory (void)
{
  g_autoptr (CapraMonitor) monitor = support_monitor_new (NULL, NULL);
  g_autoptr (GSubprocess) worker = support_worker_start ("--work");
  const CapraMonitorDevice *device = NULL;

  support_worker_send (worker, "1\n");
  SUPPORT_WAIT_FOR (memory_of (support_monitor_find (monitor, worker)).bytes[CAPRA_MEMORY_POOL] >= 256 * 64 * 4);
  device = device_of (support_monitor_find (monitor, worker));
  g_assert_cmpuint (device->memory.peak, >=, 256 * 64 * 4);
  g_assert_cmpuint (device->memory.budget, ==, G_GUINT64_CONSTANT (4) << 30);
  g_assert_cmpstr (device->id, ==, capra_device_get_info (support_device (1))->id);
  g_assert_cmpstr (device->name, ==, capra_device_get_info (support_device (1))->name);
  g_assert_true (device->unified == capra_device_get_info (support_device (1))->unified);
  capra_monitor_free_unused (monitor);
  SUPPORT_WAIT_FOR (memory_of (support_monitor_find (monitor, worker)).bytes[CAPRA_MEMORY_POOL] == 0);
  g_assert_cmpuint (memory_of (support_monitor_find (monitor, worker)).freed, >=, 256 * 64 * 4);
  support_worker_finish (worker);
}

/* The rate of messages is limited, however much work is done. */
static void
test_rate (void)
{
  Events events = { 0 };
  g_autoptr (CapraMonitor) monitor = support_monitor_new (on_event, &events);
  g_autoptr (GTimer) timer = g_timer_new ();
  g_autoptr (GSubprocess) worker = support_worker_start ("--work");

  for (guint i = 0; i < 10; i++)
    {
      support_worker_send (worker, "200\n");
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  SUPPORT_WAIT_FOR (support_monitor_count (support_monitor_find (monitor, worker), "fill") == 2000);
  g_assert_cmpfloat (events.appeared + events.changed, <=, 3 + 5.5 * g_timer_elapsed (timer, NULL));
  support_worker_finish (worker);
}

static void
test_off (void)
{
  g_autoptr (CapraMonitor) monitor = support_monitor_new (NULL, NULL);
  g_autoptr (GSubprocess) worker = NULL, other = support_worker_start ("--work");

  support_worker_setenv ("CAPRA_MONITOR", "off");
  worker = support_worker_start ("--work");
  support_worker_send (worker, "1\n");
  support_worker_send (other, "1\n");
  SUPPORT_WAIT_FOR (support_monitor_find (monitor, other));
  g_assert_null (support_monitor_find (monitor, worker));
  support_worker_finish (worker);
  support_worker_finish (other);
}

static void
add_tests (void)
{
  g_test_add_func ("/monitor/come-and-go", test_come_and_go);
  g_test_add_func ("/monitor/late-monitor", test_late_monitor);
  g_test_add_func ("/monitor/two-monitors", test_two_monitors);
  g_test_add_func ("/monitor/reset", test_reset);
  g_test_add_func ("/monitor/memory", test_memory);
  g_test_add_func ("/monitor/rate", test_rate);
  g_test_add_func ("/monitor/off", test_off);
}

int
main (int argc, char **argv)
{
  return support_monitor_main (argc, argv, add_tests);
}
