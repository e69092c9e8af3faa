/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times Capra's operations in GEGL and GEGL's own operations, in turn, on the same buffer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations-table.h"
#include "tests/bench/graphs.h"
#include "runtime/trace/timeline.h"

/* A row of the table with the key bench: a chain, and one with the same result that has GEGL's own operations, or
 * NULL. Both write into a buffer in the format of the source; a chain without a counterpart into one in the format of
 * its result, since GEGL's conversion of label numbers or colors to gray would take longer than the chain. */
typedef struct {
  const char *name, *chain, *native;
} Workload;

/* A chain in which the image stays on the device between the operations. */
static const char *const chain[] = {
  "capra:gaussian-blur std-dev-x=5 std-dev-y=5",
  "capra:threshold method=otsu",
  "capra:label",
};

/* A new graph of the chain @filter on a copy of @source, which is on no device yet; NULL if it cannot be created. */
static GeglNode *
new_graph (GeglBuffer *source, const char *filter)
{
  g_autoptr (GeglBuffer) copy = gegl_buffer_dup (source);

  return bench_new_graph (copy, filter);
}

/* The format of the result of @graph. */
static const Babl *
get_format (GeglNode *graph)
{
  GeglNode *last = bench_get_last (graph);

  gegl_node_get_bounding_box (last); /* prepares the node */
  return gegl_operation_get_format (gegl_node_get_gegl_operation (last), "output");
}

/* The milliseconds to render that graph into a buffer of @format, or of the result's format if NULL; negative if the
 * graph cannot be created. */
static double
time_once (GeglBuffer *source, const char *filter, const Babl *format)
{
  g_autoptr (GeglNode) graph = new_graph (source, filter);
  g_autoptr (GeglBuffer) target = NULL;
  GeglNode *sink = NULL;
  gint64 start = 0;

  if (!graph)
    return -1;
  target = gegl_buffer_new (gegl_buffer_get_extent (source), format ? format : get_format (graph));
  sink = gegl_node_new_child (graph, "operation", "gegl:write-buffer", "buffer", target, NULL);
  gegl_node_link (gegl_node_get_output_proxy (graph, "output"), sink);
  start = g_get_monotonic_time ();
  gegl_node_process (sink);
  return (double) (g_get_monotonic_time () - start) * 1e-3;
}

static double
kernels_time (void)
{
  static const char *const transfers[] = { "upload", "download", "result", "numbers" };
  double time = capra_timeline_total (NULL, NULL, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (transfers); i++)
    time -= capra_timeline_total (NULL, transfers[i], NULL, NULL);
  return time;
}

static void
compare (const Workload *workload, GeglBuffer *source, guint repeats)
{
  const Babl *format = workload->native ? gegl_buffer_get_format (source) : NULL;
  g_autofree double *walls = g_new (double, repeats), *native = g_new0 (double, repeats);
  g_autofree double *kernels = g_new (double, repeats);
  double wall, kernel, own;

  time_once (source, workload->chain, format); /* builds the kernels */
  for (guint i = 0; i < repeats; i++)
    {
      capra_timeline_reset ();
      walls[i] = time_once (source, workload->chain, format);
      kernels[i] = kernels_time ();
      if (workload->native)
        native[i] = time_once (source, workload->native, format);
    }
  wall = bench_median (walls, repeats);
  kernel = bench_median (kernels, repeats);
  own = bench_median (native, repeats);
  printf ("%-14s %9.1f %9.1f ", workload->name, wall, kernel);
  if (workload->native)
    printf ("%9.1f %7.2f %9.2f\n", own, wall / own, kernel / own);
  else
    printf ("%9s %7s %9s\n", "-", "-", "-");
  fflush (stdout);
}

/* All workloads of the table, or those of @names. */
static void
compare_all (GeglBuffer *source, char **names, guint repeats)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations_table); i++)
    {
      g_auto (GStrv) parts = g_strsplit (operations_table[i].value, ": ", 2);
      g_auto (GStrv) chains = parts[0] && parts[1] ? g_strsplit (parts[1], " / ", 2) : NULL;

      if (g_str_equal (operations_table[i].key, "bench")
          && (!names || g_strv_contains ((const char *const *) names, parts[0])))
        compare (&(Workload){ parts[0], chains[0], chains[1] }, source, repeats);
    }
}

/* A step of the chain: its input and its times. */
typedef struct {
  const char *name, *filter;
  GeglBuffer *input;
  const Babl *format; /* format of the result */
  double *walls, *kernels;
} Step;

/* Renders the result of @step. */
static GeglBuffer *
render (Step *step)
{
  g_autoptr (GeglNode) graph = new_graph (step->input, step->filter);
  GeglNode *last = bench_get_last (graph);
  GeglBuffer *output = NULL;

  step->format = get_format (graph);
  output = gegl_buffer_new (gegl_buffer_get_extent (step->input), step->format);
  gegl_node_blit_buffer (last, output, NULL, 0, GEGL_ABYSS_NONE);
  return output;
}

/* Times each step of the chain on its own input, and the whole chain, in turn. The chain should take as long as its
 * slowest step and the kernels of the other steps. */
static void
compare_chain (GeglBuffer *source, guint repeats)
{
  enum { N = G_N_ELEMENTS (chain) };
  g_autofree char *all = g_strjoin (" ", chain[0], chain[1], chain[2], NULL);
  Step steps[N + 1];
  guint slowest = 0;
  double allowed = 0.0;

  for (guint i = 0; i <= N; i++)
    {
      Step *step = &steps[i];

      *step = (Step){ i < N ? chain[i] : "the whole chain",
                      i < N ? chain[i] : all,
                      i < N && i > 0 ? render (&steps[i - 1]) : g_object_ref (source),
                      NULL,
                      g_new (double, repeats), g_new (double, repeats) };
      g_object_unref (render (step));
    }
  for (guint k = 0; k < repeats; k++)
    for (guint i = 0; i <= N; i++)
      {
        capra_timeline_reset ();
        steps[i].walls[k] = time_once (steps[i].input, steps[i].filter, steps[i].format);
        steps[i].kernels[k] = kernels_time ();
      }
  for (guint i = 0; i <= N; i++)
    {
      Step *step = &steps[i];

      printf ("%-44s %9.1f %9.1f\n", step->name, bench_median (step->walls, repeats),
              bench_median (step->kernels, repeats));
      if (i < N && step->walls[repeats / 2] > steps[slowest].walls[repeats / 2])
        slowest = i;
    }
  allowed = steps[slowest].walls[repeats / 2];
  for (guint i = 0; i < N; i++)
    allowed += i == slowest ? 0.0 : steps[i].kernels[repeats / 2];
  printf ("%-44s %9.1f: the chain takes %.2f of that\n", "slowest step and kernels of the others", allowed,
          steps[N].walls[repeats / 2] / allowed);
  for (guint i = 0; i <= N; i++)
    {
      g_object_unref (steps[i].input);
      g_free (steps[i].walls);
      g_free (steps[i].kernels);
    }
}

int
main (int argc, char **argv)
{
  int size = argc > 1 ? atoi (argv[1]) : 4096;
  const char *format = argc > 2 ? argv[2] : "Y float";
  guint repeats = argc > 3 ? (guint) atoi (argv[3]) : 7;
  g_auto (GStrv) names = argc > 4 ? g_strsplit (argv[4], ",", -1) : NULL;
  g_autoptr (GeglBuffer) source = NULL;

  if (argc > 1 && (size < 1 || repeats < 1))
    {
      fprintf (stderr, "Usage: bench-operations [SIZE [FORMAT [REPEATS [NAME,NAME…]]]]   "
                       "(4096, \"Y float\", 7, all)\n");
      return 2;
    }
  if (!bench_init ())
    return 1;
  source = bench_new_image (size, size, babl_format (format));
  printf ("%d x %d %s, medians of %u runs in ms, wall time of a graph from buffer to buffer\n\n", size, size, format,
          repeats);
  printf ("%-14s %9s %9s %9s %7s %9s\n", "operation", "wall", "kernels", "native", "ratio", "kernels/n");
  compare_all (source, names, repeats);
  if (!names || g_strv_contains ((const char *const *) names, "chain"))
    compare_chain (source, repeats);
  g_clear_object (&source);
  gegl_exit ();
  return 0;
}
