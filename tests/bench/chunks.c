/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times operations as hosts use them, beside GEGL's own: the whole image in one call, the same in chunks, the chunks
 * that a brush stroke reaches, and all chunks after a property has changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/chunks-options.h"
#include "tests/bench/graphs.h"

/* The grid of chunks for strokes and changed properties, and the size of a stroke. */
#define GRID 256
#define STROKE 64

enum { CAPRA, GEGL, N_SIDES };

/* @chains: Capra's, and one with the same result that has GEGL's own operations. @property of the last operation is
 * near @value; a slider moves it. */
typedef struct {
  const char *name, *chains[N_SIDES], *property;
  double value;
} Workload;

#define MATRIX_CAPRA "matrix=\"1 2 3 2 1; 2 4 5 4 2; 3 5 9 5 3; 2 4 5 4 2; 1 2 3 2 1\" divisor=77"
#define MATRIX_GEGL \
  "a1=1 a2=2 a3=3 a4=2 a5=1 b1=2 b2=4 b3=5 b4=4 b5=2 c1=3 c2=5 c3=9 c4=5 c5=3 " \
  "d1=2 d2=4 d3=5 d4=4 d5=2 e1=1 e2=2 e3=3 e4=2 e5=1 divisor=77"
#define GAUSSIAN(prefix, sigma) prefix ":gaussian-blur std-dev-x=" #sigma " std-dev-y=" #sigma
#define BOTH_GAUSSIAN(sigma) \
  { \
    GAUSSIAN ("capra", sigma), GAUSSIAN ("gegl", sigma) \
  }
#define MIXED(prefix) GAUSSIAN (prefix, 2) " " prefix ":box-blur radius=5 " prefix ":threshold value=0.5"
#define GAUSSIANS(prefix) GAUSSIAN (prefix, 2) " " GAUSSIAN (prefix, 5) " " GAUSSIAN (prefix, 12)

static const Workload workloads[] = {
  { "gaussian-2", BOTH_GAUSSIAN (2), "std-dev-x", 2 },
  { "gaussian-12", BOTH_GAUSSIAN (12), "std-dev-x", 12 },
  { "gaussian-50", BOTH_GAUSSIAN (50), "std-dev-x", 50 },
  { "gaussian-200", BOTH_GAUSSIAN (200), "std-dev-x", 200 },
  { "box-15", { "capra:box-blur radius=15", "gegl:box-blur radius=15" }, "radius", 15 },
  { "threshold", { "capra:threshold value=0.5", "gegl:threshold value=0.5" }, "value", 0.5 },
  { "convolve-5", { "capra:convolve " MATRIX_CAPRA, "gegl:convolution-matrix " MATRIX_GEGL }, "divisor", 77 },
  { "chain", { MIXED ("capra"), MIXED ("gegl") }, "value", 0.5 },
  { "gaussians", { GAUSSIANS ("capra"), GAUSSIANS ("gegl") }, "std-dev-x", 12 },
};

static const char *const all_formats[] = { "Y' u8", "R'G'B'A u8", "R'G'B'A u16", "R'G'B'A float", "RGBA float", NULL };

/* The same picture and chain, with Capra's or GEGL's operations. */
typedef struct {
  GeglBuffer *buffer;
  GeglNode *graph, *last;
  GeglRectangle changed; /* what was invalidated since it was cleared */
} Side;

typedef struct {
  ChunksOptions options;
  const Babl *format;
  guint8 *picture, *target; /* rows without gaps */
  Side sides[N_SIDES];
} Bench;

/* Times in ms; @n of them so far. */
typedef struct {
  double *values;
  guint n;
  gboolean extrapolated;
} Times;

static void
times_clear (Times *times)
{
  g_free (times->values);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Times, times_clear)

/* For @n times. */
static void
times_init (Times *times, int n)
{
  *times = (Times){ g_new (double, (gsize) n) };
}

/* The best time, or the median. */
static double
times_get (const Times *times, const ChunksOptions *options)
{
  double median = bench_median (times->values, times->n);

  return options->median ? median : times->values[0];
}

static int
row_bytes (const Bench *bench)
{
  return bench->options.width * babl_format_get_bytes_per_pixel (bench->format);
}

/* Where the pixels of @rect belong. */
static guint8 *
get_target (const Bench *bench, const GeglRectangle *rect)
{
  return bench->target + (gsize) rect->y * (gsize) row_bytes (bench)
         + (gsize) rect->x * (gsize) babl_format_get_bytes_per_pixel (bench->format);
}

static void
note_change (Side *side, const GeglRectangle *rect)
{
  gegl_rectangle_bounding_box (&side->changed, &side->changed, rect);
}

static gboolean
side_init (Bench *bench, Side *side, const char *chain)
{
  side->buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, bench->options.width, bench->options.height), bench->format);
  gegl_buffer_set (side->buffer, NULL, 0, bench->format, bench->picture, row_bytes (bench));
  side->graph = bench_new_graph (side->buffer, chain);
  if (!side->graph)
    return FALSE;
  side->last = bench_get_last (side->graph);
  g_signal_connect_swapped (side->last, "invalidated", G_CALLBACK (note_change), side);
  for (GeglNode *node = side->last; bench->options.device && node; node = gegl_node_get_producer (node, "input", NULL))
    if (gegl_node_find_property (node, "device"))
      gegl_node_set (node, "device", bench->options.device, NULL);
  return TRUE;
}

static void
side_clear (Side *side)
{
  g_clear_object (&side->graph);
  g_clear_object (&side->buffer);
}

/* Writes every pixel, so that no part of a result stays valid. */
static void
touch (Bench *bench, Side *side)
{
  gegl_buffer_set (side->buffer, NULL, 0, bench->format, bench->picture, row_bytes (bench));
}

/* The chunks of @area in a grid of @width x @height: row by row from the top, or in random order. */
static GArray *
new_chunks (const GeglRectangle *area, int width, int height, gboolean shuffled)
{
  GArray *chunks = g_array_new (FALSE, FALSE, sizeof (GeglRectangle));
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (int y = area->y / height * height; y < area->y + area->height; y += height)
    for (int x = area->x / width * width; x < area->x + area->width; x += width)
      {
        GeglRectangle chunk = { x, y, width, height };

        g_array_append_val (chunks, chunk);
      }
  for (int i = (int) chunks->len - 1; shuffled && i > 0; i--)
    {
      GeglRectangle *a = &g_array_index (chunks, GeglRectangle, i);
      GeglRectangle *b = &g_array_index (chunks, GeglRectangle, g_rand_int_range (random, 0, i + 1));
      GeglRectangle swapped = *a;

      *a = *b;
      *b = swapped;
    }
  return chunks;
}

/* Appends the time to render @chunks; after the limit that of some of them, extrapolated. */
static void
time_chunks (Bench *bench, Side *side, const GArray *chunks, Times *times)
{
  GeglRectangle image = { 0, 0, bench->options.width, bench->options.height };
  gint64 start = g_get_monotonic_time (), time = 0;
  guint done = 0;

  while (done < chunks->len && time < bench->options.seconds * G_TIME_SPAN_SECOND)
    {
      GeglRectangle rect = g_array_index (chunks, GeglRectangle, done++);

      gegl_rectangle_intersect (&rect, &rect, &image);
      gegl_node_blit (side->last, 1.0, &rect, bench->format, get_target (bench, &rect), row_bytes (bench),
                      GEGL_BLIT_DEFAULT);
      time = g_get_monotonic_time () - start;
    }
  times->extrapolated |= done < chunks->len;
  times->values[times->n++] = (double) time * 1e-3 * chunks->len / MAX (done, 1);
}

/* The time of reading @chunks of a finished result in the format of the picture: babl converts them, and GEGL
 * copies them, for the reader of either side. */
static double
time_conversion (Bench *bench, const GArray *chunks)
{
  const Babl *format = gegl_operation_get_format (gegl_node_get_gegl_operation (bench->sides[CAPRA].last), "output");
  GeglRectangle image = { 0, 0, bench->options.width, bench->options.height };
  g_autoptr (GeglBuffer) result = gegl_buffer_new (&image, format);
  g_auto (Times) times = { NULL };

  times_init (&times, bench->options.repeats);
  gegl_buffer_set (result, &image, 0, bench->format, bench->picture, row_bytes (bench));
  while (times.n < (guint) bench->options.repeats)
    {
      gint64 start = g_get_monotonic_time ();

      for (guint i = 0; i < chunks->len; i++)
        {
          GeglRectangle rect = g_array_index (chunks, GeglRectangle, i);

          gegl_rectangle_intersect (&rect, &rect, &image);
          gegl_buffer_get (result, &rect, 1.0, bench->format, get_target (bench, &rect), row_bytes (bench),
                           GEGL_ABYSS_NONE);
        }
      times.values[times.n++] = (double) (g_get_monotonic_time () - start) * 1e-3;
    }
  return times_get (&times, &bench->options);
}

/* The times of Capra's and of GEGL's own operations. */
typedef struct {
  Times sides[N_SIDES];
} Pair;

static void
pair_init (Pair *pair, int n)
{
  for (int i = 0; i < N_SIDES; i++)
    times_init (&pair->sides[i], n);
}

static void
pair_clear (Pair *pair)
{
  for (int i = 0; i < N_SIDES; i++)
    times_clear (&pair->sides[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

static void
pair_print (const Pair *pair, const ChunksOptions *options)
{
  for (int i = 0; i < N_SIDES; i++)
    printf (" %8.1f%c", times_get (&pair->sides[i], options), pair->sides[i].extrapolated ? '~' : ' ');
  printf (" %5.2f", times_get (&pair->sides[CAPRA], options) / times_get (&pair->sides[GEGL], options));
}

/* Touches all of the picture and renders @chunks, by Capra and by GEGL. */
static void
pair_time (Bench *bench, Pair *pair, const GArray *chunks)
{
  for (int i = 0; i < N_SIDES; i++)
    {
      if (pair->sides[i].extrapolated)
        continue; /* one run is enough */
      touch (bench, &bench->sides[i]);
      time_chunks (bench, &bench->sides[i], chunks, &pair->sides[i]);
    }
}

/* A row of the first table. */
static void
measure_shape (Bench *bench, const Workload *workload, const ChunksShape *shape)
{
  const ChunksOptions *options = &bench->options;
  GeglRectangle image = { 0, 0, bench->options.width, bench->options.height };
  g_autoptr (GArray) whole = new_chunks (&image, bench->options.width, bench->options.height, FALSE);
  g_autoptr (GArray) chunks = new_chunks (&image, shape->width, shape->height, shape->shuffled);
  g_auto (Pair) at_once, in_chunks;

  pair_init (&at_once, options->repeats);
  pair_init (&in_chunks, options->repeats);
  for (int run = 0; run < options->repeats; run++)
    {
      pair_time (bench, &at_once, whole);
      pair_time (bench, &in_chunks, chunks);
    }
  printf ("%-13s %-12s %-17s", babl_get_name (bench->format), workload->name, shape->name);
  pair_print (&at_once, options);
  pair_print (&in_chunks, options);
  printf (" %7.2f %7.1f\n", times_get (&in_chunks.sides[CAPRA], options) / times_get (&at_once.sides[CAPRA], options),
          time_conversion (bench, chunks));
  fflush (stdout);
}

/* Paints a stroke and renders the chunks that it reaches in Capra's result, also for GEGL. Returns their number. */
static guint
time_stroke (Bench *bench, Pair *pair, GRand *random)
{
  GeglRectangle image = { 0, 0, bench->options.width, bench->options.height };
  GeglRectangle stroke = { g_rand_int_range (random, 0, bench->options.width - STROKE + 1),
                           g_rand_int_range (random, 0, bench->options.height - STROKE + 1), STROKE, STROKE };
  g_autoptr (GArray) chunks = NULL;

  for (int i = 0; i < N_SIDES; i++)
    {
      Side *side = &bench->sides[i];

      side->changed = (GeglRectangle){ 0, 0, 0, 0 };
      gegl_buffer_set (side->buffer, &stroke, 0, bench->format, bench->picture, row_bytes (bench));
      if (!chunks)
        {
          gegl_rectangle_intersect (&side->changed, &side->changed, &image);
          chunks = new_chunks (&side->changed, GRID, GRID, FALSE);
        }
      time_chunks (bench, side, chunks, &pair->sides[i]);
    }
  return chunks->len;
}

/* Moves the slider of the last operation, and renders @chunks. */
static void
time_slider (Bench *bench, const Workload *workload, const GArray *chunks, int run, Pair *pair)
{
  double step = workload->value >= 2.0 ? 1.0 : 0.01;

  for (int i = 0; i < N_SIDES; i++)
    {
      GParamSpec *spec = gegl_node_find_property (bench->sides[i].last, workload->property);
      g_auto (GValue) number = G_VALUE_INIT, value = G_VALUE_INIT;

      if (pair->sides[i].extrapolated)
        continue;
      g_value_init (&number, G_TYPE_DOUBLE);
      g_value_set_double (&number, workload->value + (run % 2 ? 0.0 : step));
      g_value_init (&value, spec->value_type);
      g_value_transform (&number, &value);
      gegl_node_set_property (bench->sides[i].last, workload->property, &value);
      time_chunks (bench, &bench->sides[i], chunks, &pair->sides[i]);
    }
}

/* A row of the second table. All chunks are rendered before the first stroke. */
static void
measure_changes (Bench *bench, const Workload *workload)
{
  const ChunksOptions *options = &bench->options;
  GeglRectangle image = { 0, 0, bench->options.width, bench->options.height };
  g_autoptr (GArray) all = new_chunks (&image, GRID, GRID, FALSE);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_auto (Pair) stroke, slider;
  double reached = 0.0;

  pair_init (&stroke, options->repeats);
  pair_init (&slider, options->repeats);
  for (int run = 0; run < options->repeats; run++)
    time_slider (bench, workload, all, run, &slider);
  for (int run = 0; run < options->repeats; run++)
    reached += (double) time_stroke (bench, &stroke, random) / options->repeats;
  printf ("%-13s %-12s", babl_get_name (bench->format), workload->name);
  pair_print (&stroke, options);
  printf (" %7.1f", reached);
  pair_print (&slider, options);
  printf ("\n");
  fflush (stdout);
}

static gboolean
is_selected (const char *const *names, const char *name)
{
  return !names || g_strv_contains (names, name);
}

/* The kernels of all chunk sizes are built by rendering the first chunks. */
static void
warm_up (Bench *bench)
{
  const ChunksOptions *options = &bench->options;
  GeglRectangle image = { 0, 0, options->width, options->height };

  for (int i = 0; i < N_SIDES; i++)
    for (guint k = 0; k < options->n_shapes; k++)
      {
        const ChunksShape *shape = &options->shapes[k];
        g_autoptr (GArray) chunks = new_chunks (&image, shape->width, shape->height, FALSE);
        g_auto (Times) times = { NULL };

        times_init (&times, 1);
        g_array_set_size (chunks, MIN (chunks->len, 3));
        time_chunks (bench, &bench->sides[i], chunks, &times);
      }
}

/* After an error the result is the input, whose time means nothing. */
static gboolean
has_failed (Side *side)
{
  for (GeglNode *node = side->last; node; node = gegl_node_get_producer (node, "input", NULL))
    {
      g_autofree char *error = NULL;

      if (gegl_node_find_property (node, "error"))
        gegl_node_get (node, "error", &error, NULL);
      if (!error || *error == '\0')
        continue;
      fprintf (stderr, "%s: %s\n", gegl_node_get_operation (node), error);
      return TRUE;
    }
  return FALSE;
}

/* All rows of @workload. @changes: those of the second table */
static gboolean
measure (Bench *bench, const Workload *workload, gboolean changes)
{
  gboolean made = side_init (bench, &bench->sides[CAPRA], workload->chains[CAPRA])
                  && side_init (bench, &bench->sides[GEGL], workload->chains[GEGL]);

  if (made)
    warm_up (bench);
  made = made && !has_failed (&bench->sides[CAPRA]);
  if (made && changes)
    measure_changes (bench, workload);
  if (made && !changes)
    for (guint i = 0; i < bench->options.n_shapes; i++)
      measure_shape (bench, workload, &bench->options.shapes[i]);
  for (int i = 0; i < N_SIDES; i++)
    side_clear (&bench->sides[i]);
  return made;
}

/* One table. */
static gboolean
measure_all (Bench *bench, gboolean changes)
{
  for (guint f = 0; all_formats[f]; f++)
    {
      g_autoptr (GeglBuffer) image = NULL;
      g_autofree guint8 *picture = NULL, *target = NULL;
      gsize bytes;

      if (!is_selected ((const char *const *) bench->options.formats, all_formats[f]))
        continue;
      bench->format = babl_format (all_formats[f]);
      bytes = (gsize) row_bytes (bench) * (gsize) bench->options.height;
      bench->picture = picture = g_malloc (bytes);
      bench->target = target = g_malloc (bytes);
      memset (target, 0xff, bytes); /* no page faults later */
      image = bench_new_image (bench->options.width, bench->options.height, bench->format);
      gegl_buffer_get (image, NULL, 1.0, bench->format, picture, row_bytes (bench), GEGL_ABYSS_NONE);
      for (guint i = 0; i < G_N_ELEMENTS (workloads); i++)
        if (is_selected ((const char *const *) bench->options.operations, workloads[i].name)
            && !measure (bench, &workloads[i], changes))
          return FALSE;
    }
  return TRUE;
}

/* Both tables. */
static gboolean
print_tables (Bench *bench)
{
  printf ("%d x %d, %s of %d runs in ms; in the first table the whole picture is written before each rendering\n\n",
          bench->options.width, bench->options.height, bench->options.median ? "medians" : "best",
          bench->options.repeats);
  printf ("%-44s %25s %25s %7s\n", "", "at once", "in chunks", "chunks");
  printf ("%-13s %-12s %-17s %8s  %8s  %5s %8s  %8s  %5s %7s %7s\n", "format", "operation", "chunks", "Capra", "GEGL",
          "ratio", "Capra", "GEGL", "ratio", "/ once", "babl");
  if (!measure_all (bench, FALSE))
    return FALSE;
  printf ("\n%-26s %33s %25s\n", "", "stroke of 64x64", "slider, chunks of 256x256");
  printf ("%-13s %-12s %8s  %8s  %5s %7s %8s  %8s  %5s\n", "format", "operation", "Capra", "GEGL", "ratio", "chunks",
          "Capra", "GEGL", "ratio");
  return measure_all (bench, TRUE);
}

int
main (int argc, char **argv)
{
  Bench bench = { 0 };
  const char *names[G_N_ELEMENTS (workloads) + 1] = { NULL };
  int status = 2;

  for (guint i = 0; i < G_N_ELEMENTS (workloads); i++)
    names[i] = workloads[i].name;
  if (chunks_options_parse (&bench.options, names, all_formats, &argc, &argv))
    {
      status = bench_init () && print_tables (&bench) ? 0 : 1;
      gegl_exit ();
    }
  chunks_options_clear (&bench.options);
  return status;
}
