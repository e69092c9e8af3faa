/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache that frees idle items: order, costs, idle time, threads, forked children. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/fork.h"
#include "runtime/memory/idle-cache.h"

/* Longer than a test. */
#define LONG G_TIME_SPAN_DAY

static gint freed; /* atomic: items freed so far */

typedef struct {
  int number;
} Item;

static gpointer
item_new (int number)
{
  Item *item = g_new (Item, 1);

  item->number = number;
  return item;
}

static void
item_free (gpointer item)
{
  g_atomic_int_inc (&freed);
  g_free (item);
}

static gint
get_freed (void)
{
  return g_atomic_int_get (&freed);
}

static CapraIdleCache *
cache_new (GTimeSpan idle, int first, int last)
{
  CapraIdleCache *cache = capra_idle_cache_new ("idle-test", idle, item_free);

  for (int number = first; number <= last; number++)
    capra_idle_cache_add (cache, item_new (number));
  return cache;
}

static int
take_number (CapraIdleCache *cache, CapraIdleCacheCostFunc cost, gpointer data)
{
  g_autofree Item *item = capra_idle_cache_take (cache, cost, data);

  return item ? item->number : -1;
}

static gboolean
is_number (gpointer item, gpointer data)
{
  return ((Item *) item)->number == *(int *) data;
}

static gboolean
is_even (gpointer item, gpointer data)
{
  return ((Item *) item)->number % 2 == 0;
}

/* The distance to a number, in tens; nothing below it is suitable. */
static gint64
tens_above (gpointer item, gpointer data)
{
  int above = ((Item *) item)->number - *(int *) data;

  return above < 0 ? -1 : above / 10;
}

static void
test_order (void)
{
  g_autoptr (CapraIdleCache) cache = cache_new (LONG, 1, 3);
  Item *found = NULL;
  int two = 2, nine = 9;

  g_assert_null (capra_idle_cache_find (cache, is_number, &nine));
  found = capra_idle_cache_find (cache, is_number, &two);
  g_assert_cmpint (found->number, ==, 2);
  g_assert_cmpuint (capra_idle_cache_get_length (cache), ==, 3);

  /* The one that was found is the most recently used. */
  g_assert_cmpint (take_number (cache, NULL, NULL), ==, 2);
  g_assert_cmpint (take_number (cache, NULL, NULL), ==, 3);
  g_assert_cmpint (take_number (cache, NULL, NULL), ==, 1);
  g_assert_cmpint (take_number (cache, NULL, NULL), ==, -1);
}

static void
test_cost (void)
{
  g_autoptr (CapraIdleCache) cache = capra_idle_cache_new ("idle-test", LONG, item_free);
  const int numbers[] = { 57, 33, 31, 45, 12 };
  int limit = 20;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    capra_idle_cache_add (cache, item_new (numbers[i]));
  g_assert_cmpint (take_number (cache, tens_above, &limit), ==, 31); /* costs as much as 33, but was added later */
  g_assert_cmpint (take_number (cache, tens_above, &limit), ==, 33);
  g_assert_cmpint (take_number (cache, tens_above, &limit), ==, 45);
  g_assert_cmpint (take_number (cache, tens_above, &limit), ==, 57);
  g_assert_cmpint (take_number (cache, tens_above, &limit), ==, -1);
  g_assert_cmpuint (capra_idle_cache_get_length (cache), ==, 1);
}

static void
test_steal (void)
{
  g_autoptr (CapraIdleCache) cache = cache_new (LONG, 1, 5);
  GSList *even = capra_idle_cache_steal (cache, is_even, NULL);
  gint before = get_freed ();

  g_assert_cmpuint (g_slist_length (even), ==, 2);
  g_assert_cmpint (((Item *) even->data)->number, ==, 2); /* the least recently used first */
  g_assert_cmpint (((Item *) even->next->data)->number, ==, 4);
  g_slist_free_full (even, g_free);
  g_assert_cmpuint (capra_idle_cache_get_length (cache), ==, 3);
  g_slist_free_full (capra_idle_cache_steal (cache, NULL, NULL), g_free);
  g_assert_cmpuint (capra_idle_cache_get_length (cache), ==, 0);
  g_assert_cmpint (get_freed (), ==, before);
}

static guint64
get_size (gpointer item)
{
  return (guint64) ((Item *) item)->number;
}

/* The numbers of the items are their sizes. */
static void
test_limit (void)
{
  g_autoptr (CapraIdleCache) cache = cache_new (LONG, 1, 5);
  CapraIdleCacheLimits limits = { 0, G_MAXUINT, 9 };
  gint before = get_freed ();

  capra_idle_cache_limit (cache, get_size, &limits); /* leaves 5 and 4 */
  g_assert_cmpuint (capra_idle_cache_get_length (cache), ==, 2);
  g_assert_cmpint (get_freed (), ==, before + 3);
  limits = (CapraIdleCacheLimits){ 1, G_MAXUINT, 3 };
  capra_idle_cache_limit (cache, get_size, &limits); /* leaves 5, though it is too large */
  g_assert_cmpint (take_number (cache, NULL, NULL), ==, 5);
  g_assert_cmpuint (capra_idle_cache_get_length (cache), ==, 0);

  capra_idle_cache_add (cache, item_new (1));
  capra_idle_cache_add (cache, item_new (2));
  limits = (CapraIdleCacheLimits){ 0, 1, G_MAXUINT64 };
  capra_idle_cache_limit (cache, get_size, &limits); /* one item */
  g_assert_cmpint (take_number (cache, NULL, NULL), ==, 2);
  g_assert_cmpuint (capra_idle_cache_get_length (cache), ==, 0);
}

static void
test_free (void)
{
  gint before = get_freed ();

  capra_idle_cache_free (NULL);
  capra_idle_cache_free (cache_new (LONG, 1, 1));
  capra_idle_cache_free (capra_idle_cache_new ("idle-test", LONG, item_free));
  g_assert_cmpint (get_freed (), ==, before + 1);
}

/* Waits until @cache is empty, with a time limit. */
static void
wait_empty (CapraIdleCache *cache)
{
  gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;

  while (capra_idle_cache_get_length (cache) > 0 && g_get_monotonic_time () < end)
    g_usleep (1000);
  g_assert_cmpuint (capra_idle_cache_get_length (cache), ==, 0);
}

static void
test_idle (void)
{
  const GTimeSpan idle = G_TIME_SPAN_SECOND / 2;
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (CapraIdleCache) cache = cache_new (idle, 1, 3);
  gint before = get_freed ();

  wait_empty (cache);
  g_assert_cmpint (g_get_monotonic_time () - begin, >=, idle);

  /* Its thread has ended, or is about to: the next item gets one. */
  capra_idle_cache_add (cache, item_new (4));
  wait_empty (cache);
  capra_idle_cache_free (g_steal_pointer (&cache)); /* waits for the thread, which frees the items */
  g_assert_cmpint (get_freed (), ==, before + 4);
}

/* An item in use stays, an idle one is freed. */
static void
test_use (void)
{
  const GTimeSpan idle = G_TIME_SPAN_SECOND / 2;
  g_autoptr (CapraIdleCache) cache = cache_new (idle, 1, 2);
  gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND, last = g_get_monotonic_time ();
  gboolean late = FALSE;
  int one = 1;

  while (capra_idle_cache_get_length (cache) > 1 && !late && g_get_monotonic_time () < end)
    {
      gint64 now = g_get_monotonic_time ();

      late = now - last >= idle; /* this machine was busy: both may have gone */
      last = now;
      if (!late)
        g_assert_true (capra_idle_cache_find (cache, is_number, &one) || g_get_monotonic_time () - now >= idle);
      g_usleep (10000);
    }
  if (late)
    g_test_skip ("the machine is too busy");
  else
    g_assert_cmpuint (capra_idle_cache_get_length (cache), <=, 1);
}

#define N_THREADS 4
#define N_TURNS 2000

static gpointer
use_cache (gpointer data)
{
  CapraIdleCache *cache = data;
  int number = 7;

  for (int i = 0; i < N_TURNS; i++)
    {
      gpointer item = NULL;

      capra_idle_cache_add (cache, item_new (i));
      capra_idle_cache_find (cache, is_number, &number);
      item = capra_idle_cache_take (cache, NULL, NULL);
      if (item)
        item_free (item);
      if (i % 100 == 0)
        g_slist_free_full (capra_idle_cache_steal (cache, is_even, NULL), item_free);
    }
  return NULL;
}

static void
test_threads (void)
{
  CapraIdleCache *cache = capra_idle_cache_new ("idle-test", G_TIME_SPAN_MILLISECOND, item_free);
  GThread *threads[N_THREADS];
  gint before = get_freed ();

  for (int i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("use", use_cache, cache);
  for (int i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  capra_idle_cache_free (cache);
  g_assert_cmpint (get_freed (), ==, before + N_THREADS * N_TURNS); /* each once */
}

/* Blocks until the other end of a pipe is closed, with the cache locked. */
static gboolean
wait_locked (gpointer item, gpointer data)
{
  const int *pipes = data;
  char byte = 1;

  g_assert_cmpint (write (pipes[3], &byte, 1), ==, 1);
  g_assert_cmpint (read (pipes[0], &byte, 1), ==, 1);
  return FALSE;
}

typedef struct {
  CapraIdleCache *cache;
  int pipes[4];
} Lock;

static gpointer
hold_lock (gpointer data)
{
  Lock *lock = data;

  capra_idle_cache_find (lock->cache, wait_locked, lock->pipes);
  return NULL;
}

/* A child of a fork while another thread held the lock: nothing hangs, and nothing is kept. */
static void
test_fork (void)
{
  Lock lock = { .cache = cache_new (LONG, 1, 1) };
  GThread *thread = NULL;
  pid_t child = 0;
  char byte = 1;
  int status = 0;

  capra_fork_watch ();
  g_assert_cmpint (pipe (lock.pipes), ==, 0);
  g_assert_cmpint (pipe (lock.pipes + 2), ==, 0);
  thread = g_thread_new ("lock", hold_lock, &lock);
  g_assert_cmpint (read (lock.pipes[2], &byte, 1), ==, 1);
  child = fork ();
  if (child == 0)
    {
      gint before = get_freed ();

      alarm (30);
      capra_idle_cache_add (lock.cache, item_new (2));
      _exit (get_freed () == before + 1 && !capra_idle_cache_take (lock.cache, NULL, NULL)
                 && !capra_idle_cache_find (lock.cache, is_even, NULL)
                 && !capra_idle_cache_steal (lock.cache, NULL, NULL) && capra_idle_cache_get_length (lock.cache) == 0
               ? 0
               : 1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);

  g_assert_cmpint (write (lock.pipes[1], &byte, 1), ==, 1);
  g_thread_join (thread);
  for (guint i = 0; i < G_N_ELEMENTS (lock.pipes); i++)
    close (lock.pipes[i]);
  g_assert_cmpuint (capra_idle_cache_get_length (lock.cache), ==, 1);
  capra_idle_cache_free (lock.cache);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/idle-cache/order", test_order);
  g_test_add_func ("/idle-cache/cost", test_cost);
  g_test_add_func ("/idle-cache/steal", test_steal);
  g_test_add_func ("/idle-cache/limit", test_limit);
  g_test_add_func ("/idle-cache/free", test_free);
  g_test_add_func ("/idle-cache/idle", test_idle);
  g_test_add_func ("/idle-cache/use", test_use);
  g_test_add_func ("/idle-cache/threads", test_threads);
  g_test_add_func ("/idle-cache/fork", test_fork);
  return g_test_run ();
}
