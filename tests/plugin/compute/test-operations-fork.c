/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations in a child that was forked after its parent had used a device: they fail with a message, give the
 * substitute for their result, and the child exits. */
#include "tests/support/graph.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 200
#define HEIGHT 150
#define COUNT (WIDTH * HEIGHT)
/* The time limit for a child, in seconds. A child that hangs is killed, and the test fails. */
#define CHILD_SECONDS 60

static const GeglRectangle rect = { 0, 0, WIDTH, HEIGHT };

static void
require (gboolean holds, const char *what)
{
  if (holds)
    return;
  g_printerr ("in the child: %s\n", what);
  _exit (EXIT_FAILURE);
}

/* All warnings of the child must be failures of operations whose reason is the fork. */
static void
check_message (const char *domain, GLogLevelFlags level, const char *text, gpointer data)
{
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
    require (strstr (text, "forked") != NULL, text);
}

static void
require_failed (GeglNode *node, const char *what)
{
  g_autofree char *error = graph_error (node);
  gboolean failed = FALSE;

  gegl_node_get (node, "failed", &failed, NULL);
  require (failed && strstr (error, "forked"), what);
}

/* A filter passes its input on, any other operation gives zeros. */
static void
run_operations (GeglBuffer *buffer, const float *values)
{
  GeglNode *graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *box = graph_node (graph, source, "capra:box-blur", "radius", 3, NULL);
  GeglNode *blur = graph_node (graph, source, "capra:gaussian-blur", "std-dev-x", 2.0, "std-dev-y", 2.0, NULL);
  GeglNode *label = graph_node (graph, source, "capra:label", NULL);
  g_autofree float *boxed = graph_render (box, NULL, "Y float"), *blurred = graph_render (blur, NULL, "Y float");
  g_autofree float *labels = graph_render (label, NULL, "Y float");

  require_failed (box, "box blur");
  require_failed (blur, "gaussian blur");
  require_failed (label, "label");
  require (memcmp (boxed, values, COUNT * sizeof *values) == 0, "box blur's substitute");
  require (memcmp (blurred, values, COUNT * sizeof *values) == 0, "gaussian blur's substitute");
  for (guint i = 0; i < COUNT; i++)
    require (labels[i] == 0, "label's substitute");
  g_object_unref (graph);
}

/* The child can use results that the parent has computed, whether or not they were downloaded. */
static void
run_child (GeglNode *graph, GeglNode *computed, GeglBuffer *buffer, const float *values, gboolean handlers)
{
  g_autofree float *pixels = NULL;

  alarm (CHILD_SECONDS);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR); /* in tests, warnings are fatal by default */
  g_log_set_default_handler (check_message, NULL);
  run_operations (buffer, values);
  pixels = graph_render (computed, NULL, "Y float");
  require (pixels != NULL, "a result of the parent");
  g_object_unref (graph);
  g_object_unref (buffer);
  if (!handlers)
    _exit (EXIT_SUCCESS);
  gegl_exit ();
  exit (EXIT_SUCCESS);
}

/* GCC 12's AddressSanitizer does not hold the locks of its allocator while a process forks: a child that was forked
 * while another thread allocated memory waits for them for ever. */
static void
wait_for_other_threads (void)
{
#ifdef __SANITIZE_ADDRESS__
  struct timespec before, now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  do
    {
      before = now;
      g_usleep (G_USEC_PER_SEC / 10);
      clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
    }
  while (now.tv_sec != before.tv_sec || now.tv_nsec - before.tv_nsec > 1000000);
#endif
}

static void
test_child (gconstpointer handlers)
{
  g_autofree float *values = support_noise (COUNT, 0.1, 1.0, 5), *before = NULL, *after = NULL;
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, values);
  GeglNode *graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *box = graph_node (graph, source, "capra:box-blur", "radius", 2, NULL);
  GeglNode *blur = graph_node (graph, box, "capra:gaussian-blur", "std-dev-x", 2.0, "std-dev-y", 2.0, NULL);
  int status = 0;
  pid_t child = 0;

  before = graph_render (blur, NULL, "Y float");
  wait_for_other_threads ();
  child = fork ();
  if (child == 0)
    run_child (graph, blur, buffer, values, GPOINTER_TO_INT (handlers));
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, EXIT_SUCCESS);

  /* The operations of the parent still work. */
  gegl_node_set (box, "radius", 3, NULL);
  g_free (graph_render (blur, NULL, "Y float"));
  gegl_node_set (box, "radius", 2, NULL);
  after = graph_render (blur, NULL, "Y float");
  g_assert_cmpmem (before, COUNT * sizeof *before, after, COUNT * sizeof *after);
  g_object_unref (graph);
}

int
main (int argc, char **argv)
{
  g_setenv ("GEGL_THREADS", "1", TRUE); /* GEGL's own threads do not survive a fork either */
  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_data_func ("/operations-fork/exit", GINT_TO_POINTER (TRUE), test_child);
  g_test_add_data_func ("/operations-fork/end", GINT_TO_POINTER (FALSE), test_child);
  return g_test_run ();
}
