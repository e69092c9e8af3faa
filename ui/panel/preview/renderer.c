/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Renderer: renders tiles of a pipeline's result. For one thread.
 *
 * It holds graphs of the pipeline over the image at full size and over levels of the pyramid, and measures how long
 * their pixels take. A first view, the view and the overview of the whole result are at different levels: with one
 * graph for each, results and memory of devices stay from one change to the next. */
#include "ui/panel/preview/renderer.h"

#include <math.h>

#include "ui/pipeline/graph/display.h"
#include "ui/pipeline/graph/graph-numbers.h"

#define LIMITS_SIDE 512     /* largest side of the overview that gives the limits of the stretch, in pixels */
#define UNKNOWN_COST 120.0  /* nanoseconds per pixel, assumed for steps that have not run yet */
#define PLAIN_COST 20.0     /* the same, without steps */
#define FULL_SIDE 1024      /* pixels of the image that are rendered between two checks of the generation */
#define MARGIN 128          /* border that is computed around a tile, as far as most filters read */
#define LABEL_ROWS 32       /* rows of labels that are read between two checks of the generation */
#define MAX_WHOLE (4 << 20) /* levels of at most this number of pixels are computed completely */

typedef struct {
  CapraGraph *graph; /* NULL before its first use */
  guint generation;  /* of the steps that it has */
} LevelGraph;

struct _CapraRenderer {
  CapraPyramid *pyramid;
  const int *current; /* atomic: the generation that is wanted */
  guint generation;   /* of the steps */
  GPtrArray *steps;
  double scale;
  LevelGraph graphs[CAPRA_PYRAMID_MAX_LEVEL + 1]; /* by level; the first one is over the image */
  GeglRectangle bounds;
  CapraRenderCosts costs;
  double times[2], areas[2]; /* of the jobs for the view since a change: at full size, reduced */
  guint length;              /* number of steps that the costs were measured with */
  CapraDisplayStretch stretch;
  CapraStretchTable *table; /* of the stretch, NULL before its first use */
  guint table_generation;
};

CapraRenderer *
capra_renderer_new (CapraPyramid *pyramid, const int *generation)
{
  CapraRenderer *renderer = g_new0 (CapraRenderer, 1);

  renderer->pyramid = capra_pyramid_ref (pyramid);
  renderer->current = generation;
  renderer->length = G_MAXUINT;
  return renderer;
}

static void
clear_graphs (CapraRenderer *self)
{
  for (int i = 0; i <= CAPRA_PYRAMID_MAX_LEVEL; i++)
    g_clear_pointer (&self->graphs[i].graph, capra_graph_free);
}

void
capra_renderer_free (CapraRenderer *renderer)
{
  clear_graphs (renderer);
  g_clear_pointer (&renderer->steps, g_ptr_array_unref);
  g_free (renderer->table);
  capra_pyramid_unref (renderer->pyramid);
  g_free (renderer);
}

void
capra_renderer_set_scale (CapraRenderer *renderer, double scale)
{
  renderer->scale = scale;
}

void
capra_renderer_set_stretch (CapraRenderer *renderer, const CapraDisplayStretch *stretch)
{
  renderer->stretch = *stretch;
}

static CapraGraph *
get_level (CapraRenderer *self, int level)
{
  LevelGraph *found = &self->graphs[level];

  if (found->graph && found->generation == self->generation)
    return found->graph;
  if (!found->graph)
    {
      gboolean cache = level > 0 || capra_render_schedule_get_level (self->scale) <= 0;

      found->graph = capra_pyramid_make_graph (self->pyramid, level, cache);
      if (level == 0)
        capra_graph_keep_tables (found->graph);
    }
  capra_graph_update (found->graph, self->steps);
  found->generation = self->generation;
  return found->graph;
}

static CapraGraph *
get_full (CapraRenderer *self)
{
  return get_level (self, 0);
}

void
capra_renderer_set_steps (CapraRenderer *renderer, GPtrArray *steps, guint generation, gboolean rebuild)
{
  if (rebuild)
    clear_graphs (renderer);
  g_ptr_array_ref (steps);
  g_clear_pointer (&renderer->steps, g_ptr_array_unref);
  renderer->steps = steps;
  renderer->generation = generation;
  for (guint i = 0; i < G_N_ELEMENTS (renderer->times); i++)
    renderer->times[i] = renderer->areas[i] = 0.0;
  if (renderer->length != steps->len)
    {
      double cost = steps->len ? UNKNOWN_COST : PLAIN_COST;

      renderer->costs = (CapraRenderCosts){ { cost, cost }, { cost, cost } };
    }
  renderer->length = steps->len;
  renderer->bounds = capra_graph_get_bounds (get_full (renderer));
}

const GeglRectangle *
capra_renderer_get_bounds (CapraRenderer *renderer)
{
  return &renderer->bounds;
}

const CapraRenderCosts *
capra_renderer_get_costs (CapraRenderer *renderer)
{
  return &renderer->costs;
}

static gboolean
is_outdated (CapraRenderer *self)
{
  return (guint) g_atomic_int_get (self->current) != self->generation;
}

/* Returns: (nullable): the stretch with limits that are found in an overview of the result, once per generation; %NULL
 * if values are shown as colors */
static const CapraStretchTable *
get_table (CapraRenderer *self)
{
  CapraStretch stretch;

  if (!self->stretch.enabled)
    return NULL;
  if (self->table && self->table_generation == self->generation)
    return self->table;
  stretch = capra_display_find_limits (get_level (self, capra_pyramid_fill_overview (self->pyramid, LIMITS_SIDE)),
                                       &self->stretch);
  if (!self->table)
    self->table = g_new (CapraStretchTable, 1);
  capra_stretch_table_init (self->table, &stretch);
  self->table_generation = self->generation;
  return self->table;
}

/* From a level of the pyramid. */
static gboolean
render_reduced (CapraRenderer *self, const CapraRenderJob *job, guint32 *pixels)
{
  GeglRectangle source = job->rect;
  const GeglRectangle *extent = gegl_buffer_get_extent (capra_pyramid_get_buffer (self->pyramid, job->level));
  int margin = self->steps->len ? MARGIN : 0, coarser;

  if (self->steps->len && (gint64) extent->width * extent->height <= MAX_WHOLE)
    source = *extent;
  else
    source = (GeglRectangle){ source.x - margin, source.y - margin, source.width + 2 * margin,
                              source.height + 2 * margin };
  if (!capra_pyramid_fill (self->pyramid, job->level, &source, self->current, (int) self->generation))
    return FALSE;
  /* On the screen, squares of the checkerboard are as large as those of the view's own level, drawn later. */
  coarser = job->level - MAX (capra_render_schedule_get_level (self->scale), 0);
  capra_display_render (get_level (self, job->level), &job->rect, 0, get_table (self),
                        MAX (CAPRA_CHECK_SIDE >> MAX (coarser, 0), 1), pixels, job->rect.width * 4);
  return TRUE;
}

/* From the image at full size, for a reduced view: in squares, as each needs many pixels of the image. */
static gboolean
render_squares (CapraRenderer *self, const CapraRenderJob *job, guint32 *pixels)
{
  CapraGraph *graph = get_full (self);
  int side = MAX (FULL_SIDE >> job->level, 1);

  for (int y = 0; y < job->rect.height; y += side)
    for (int x = 0; x < job->rect.width; x += side)
      {
        GeglRectangle square = { job->rect.x + x, job->rect.y + y, MIN (side, job->rect.width - x),
                                 MIN (side, job->rect.height - y) };

        if (is_outdated (self))
          return FALSE;
        capra_display_render (graph, &square, job->level, get_table (self), CAPRA_CHECK_SIDE,
                              pixels + (gsize) y * job->rect.width + x, job->rect.width * 4);
      }
  return TRUE;
}

static void
update_costs (CapraRenderer *self, const CapraRenderJob *job, gint64 microseconds)
{
  gboolean reduced = capra_renderer_is_reduced (job);
  CapraRenderCost *cost = reduced ? &self->costs.reduced : &self->costs.full;
  double side = reduced ? 1.0 : pow (2.0, job->level);
  double area = (job->rect.width * side + CAPRA_RENDER_OVERHEAD) * (job->rect.height * side + CAPRA_RENDER_OVERHEAD);
  double time = (double) microseconds * 1000.0, measured = time / area;

  /* Longer times count at once. Shorter ones are averaged, as the first run also builds kernels. */
  cost->job = measured > cost->job ? measured : 0.25 * cost->job + 0.75 * measured;
  if (job->hidden)
    return;
  self->times[reduced] += time;
  self->areas[reduced] += area;
  cost->view = self->times[reduced] / self->areas[reduced];
}

gboolean
capra_renderer_is_reduced (const CapraRenderJob *job)
{
  return job->reduced && job->level > 0;
}

GBytes *
capra_renderer_render (CapraRenderer *renderer, const CapraRenderJob *job)
{
  gsize bytes = (gsize) job->rect.width * job->rect.height * 4;
  g_autofree guint32 *pixels = g_malloc (bytes);
  gint64 start = g_get_monotonic_time ();
  gboolean done = TRUE;

  capra_graph_set_block (get_level (renderer, capra_renderer_is_reduced (job) ? job->level : 0), job->block);
  if (capra_renderer_is_reduced (job))
    done = render_reduced (renderer, job, pixels);
  else if (job->level > 0)
    done = render_squares (renderer, job, pixels);
  else
    capra_display_render (get_full (renderer), &job->rect, job->level, get_table (renderer), CAPRA_CHECK_SIDE, pixels,
                          job->rect.width * 4);
  if (!done)
    return NULL;
  update_costs (renderer, job, g_get_monotonic_time () - start);
  return g_bytes_new_take (g_steal_pointer (&pixels), bytes);
}

static CapraGraph *
get_graph (CapraRenderer *self, const CapraRenderJob *job)
{
  return self->graphs[capra_renderer_is_reduced (job) ? job->level : 0].graph;
}

GHashTable *
capra_renderer_get_errors (CapraRenderer *renderer, const CapraRenderJob *job, gboolean numbers)
{
  CapraGraph *graph = get_graph (renderer, job), *full = numbers ? get_full (renderer) : NULL;
  GHashTable *errors = graph ? capra_graph_get_errors (graph) : NULL;
  g_autoptr (GHashTable) others = full && full != graph ? capra_graph_get_errors (full) : NULL;
  GHashTableIter iter;
  gpointer id, error;

  if (!errors || !others)
    return errors ? errors : g_steal_pointer (&others);
  g_hash_table_iter_init (&iter, others);
  while (g_hash_table_iter_next (&iter, &id, &error))
    if (!g_hash_table_contains (errors, id))
      {
        g_hash_table_iter_steal (&iter);
        g_hash_table_insert (errors, id, error);
      }
  return errors;
}

/* What numbers are read from: labels instead of their colors. */
static GeglNode *
get_numbers (CapraGraph *graph, const Babl **format)
{
  GeglNode *labels = capra_graph_get_labels (graph);

  *format = labels ? capra_node_get_format (labels) : NULL;
  if (!*format)
    *format = capra_graph_get_format (graph);
  return labels ? labels : capra_graph_get_output (graph);
}

static GeglBuffer *
read_numbers (CapraGraph *graph, const GeglRectangle *rect)
{
  const Babl *format;
  GeglNode *node = get_numbers (graph, &format);
  GeglBuffer *pixels = gegl_buffer_new (rect, format);

  gegl_node_blit_buffer (node, pixels, rect, 0, GEGL_ABYSS_NONE);
  return pixels;
}

GHashTable *
capra_renderer_get_results (CapraRenderer *renderer, const CapraRenderJob *job)
{
  CapraGraph *graph = get_graph (renderer, job);

  return graph ? capra_graph_get_results (graph) : NULL;
}

void
capra_renderer_probe (CapraRenderer *renderer, int x, int y, CapraProbe *probe)
{
  CapraGraph *graph = get_full (renderer);
  GeglRectangle rect = { x, y, 1, 1 };
  GeglRectangle bounds = capra_graph_get_bounds (graph);
  g_autoptr (GeglBuffer) pixel = NULL;

  *probe = (CapraProbe){ .x = x, .y = y };
  if (!gegl_rectangle_contains (&bounds, &rect))
    return;
  pixel = read_numbers (graph, &rect);
  capra_probe_buffer (pixel, x, y, probe);
}

static GeglBuffer *
read_part (const GeglRectangle *rect, gpointer data)
{
  CapraRenderer *self = data;

  return is_outdated (self) ? NULL : read_numbers (get_full (self), rect);
}

CapraProfile *
capra_renderer_get_profile (CapraRenderer *renderer, const CapraLine *line)
{
  CapraGraph *graph = get_full (renderer);
  GeglRectangle bounds = capra_graph_get_bounds (graph);
  const Babl *format;

  get_numbers (graph, &format);
  return capra_profile_new (line, &bounds, format, read_part, renderer);
}

GPtrArray *
capra_renderer_compute_tables (CapraRenderer *renderer)
{
  CapraGraph *graph = get_full (renderer);
  g_autoptr (GPtrArray) tables = capra_step_tables_new ();

  for (guint i = 0; i < renderer->steps->len; i++)
    {
      guint id = capra_step_get_id (renderer->steps->pdata[i]);
      g_autoptr (CapraTable) table = NULL;

      if (is_outdated (renderer))
        return NULL;
      table = capra_graph_compute_table (graph, id);
      if (table)
        capra_step_tables_add (tables, id, table);
    }
  return g_steal_pointer (&tables);
}

CapraRegionLabels *
capra_renderer_read_labels (CapraRenderer *renderer, guint step, const GeglRectangle *visible, double scale)
{
  CapraGraph *graph = get_full (renderer);
  double own = MIN (scale, 1.0);
  GeglRectangle inside = { 0, 0, 0, 0 }, rect;
  g_autoptr (CapraRegionLabels) labels = NULL;
  g_autofree guint32 *values = NULL;
  gboolean known = TRUE;

  gegl_rectangle_intersect (&inside, visible, &renderer->bounds);
  rect.x = (int) floor (inside.x * own);
  rect.y = (int) floor (inside.y * own);
  rect.width = (int) ceil ((inside.x + inside.width) * own) - rect.x;
  rect.height = (int) ceil ((inside.y + inside.height) * own) - rect.y;
  labels = capra_region_labels_new (step, &rect, own);
  values = g_new (guint32, (gsize) rect.width * (gsize) rect.height);
  for (int y = 0; y < rect.height && known; y += LABEL_ROWS)
    {
      GeglRectangle rows = { rect.x, rect.y + y, rect.width, MIN (LABEL_ROWS, rect.height - y) };

      if (is_outdated (renderer))
        return NULL;
      known = capra_graph_read_labels (graph, step, &rows, own, values + (gsize) y * (gsize) rect.width);
    }
  if (known)
    labels->labels = g_steal_pointer (&values);
  return g_steal_pointer (&labels);
}

CapraValueSample *
capra_renderer_begin_sample (CapraRenderer *renderer, const CapraSampleSubject *subject)
{
  return capra_value_sample_new (gegl_buffer_get_extent (capra_pyramid_get_buffer (renderer->pyramid, 0)),
                                 (guint) babl_format_get_n_components (subject->format));
}

/* Disabled steps and unknown operations have no node. */
static GeglNode *
find_sampled (CapraRenderer *self, CapraGraph *graph, const CapraSampleSubject *subject)
{
  GeglNode *node = subject->written ? capra_graph_get_output (graph) : NULL;

  for (guint i = MIN (subject->n_steps, self->steps->len); i > 0 && !node; i--)
    node = capra_graph_get_step_node (graph, capra_step_get_id (self->steps->pdata[i - 1]));
  return node ? node : capra_graph_get_source_node (graph);
}

gboolean
capra_renderer_take_sample (CapraRenderer *renderer, const CapraSampleSubject *subject, CapraValueSample *sample)
{
  CapraGraph *graph = get_full (renderer);
  GeglRectangle square;
  float *values = capra_value_sample_next (sample, &square);

  if (!values)
    return FALSE;
  capra_graph_set_block (graph, 1); /* the next square lies elsewhere */
  gegl_node_blit (find_sampled (renderer, graph, subject), 1.0, &square, subject->format, values, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  return TRUE;
}
