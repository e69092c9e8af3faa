/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Strips: work on the rows of an image, divided among the processors of the host. */
#include "algorithms/azimuthal/azimuthal-sparse.h"

typedef struct {
  guint strip, n_strips, n;
  CapraStripFunc run;
  gpointer data;
} Strip;

guint
capra_strips_count (guint n)
{
  return CLAMP (g_get_num_processors (), 1, MAX (n, 1));
}

static gpointer
run_strip (gpointer data)
{
  const Strip *strip = data;
  guint first = (guint) ((guint64) strip->n * strip->strip / strip->n_strips);
  guint end = (guint) ((guint64) strip->n * (strip->strip + 1) / strip->n_strips);

  strip->run (strip->strip, first, end, strip->data);
  return NULL;
}

void
capra_strips_run (guint n, CapraStripFunc run, gpointer data)
{
  guint n_strips = capra_strips_count (n);
  g_autofree Strip *strips = g_new (Strip, n_strips);
  g_autofree GThread **threads = g_new0 (GThread *, n_strips);

  for (guint i = 0; i < n_strips; i++)
    {
      strips[i] = (Strip){ i, n_strips, n, run, data };
      /* The last one runs in this thread, as do those for which the system has no thread. */
      threads[i] = i + 1 < n_strips ? g_thread_try_new ("capra-strip", run_strip, &strips[i], NULL) : NULL;
      if (!threads[i])
        run_strip (&strips[i]);
    }
  for (guint i = 0; i < n_strips; i++)
    if (threads[i])
      g_thread_join (threads[i]);
}
