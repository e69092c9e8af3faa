/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation of a small image: launches kernels/gaussian-up.cl and gaussian-up-rows.cl. */
#include "algorithms/gaussian-up.h"

/* up_t of the kernels. */
typedef struct {
  cl_int n_small, phase, count;
} Span;

void
capra_gaussian_up_clear (CapraGaussianUp *up)
{
  g_clear_pointer (&up->weights, g_free);
}

static gsize
weight_bytes (const CapraGaussianUp *up)
{
  return sizeof (float) * (gsize) (up->taps * up->factor);
}

/* Of the tiles in kernels/gaussian-up.cl. */
#define GROUP 32
#define TILE (4 * GROUP)
#define ROWS 4
/* Groups of tiles for each compute unit. More have more of their work twice, fewer wait longer. */
#define GROUPS 8

/* How a group's work-items share a row of its cells: each sums @cells of one channel, @slots of them a row. */
typedef struct {
  int cells, slots;
} Share;

/* About how many instructions a row takes. A work-item with more cells loads less, but more may rest. */
static int
share_cost (const Share *share, const CapraGaussianUp *x)
{
  return share->slots * (share->cells * x->factor * (x->taps + 1) + x->taps + share->cells + 12);
}

static Share
choose_share (int channels, const CapraGaussianUp *x)
{
  static const int candidates[] = { 1, 2, 3, 5, 7 }; /* odd ones meet all banks of local memory */
  int cell = channels * x->factor, grain = channels == 3 ? 1 : channels;
  int needed = TILE % cell == 0 ? TILE / cell : (TILE + cell - grain - 1) / cell + 1;
  Share best = { 0, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (candidates); i++)
    {
      Share share = { candidates[i], GROUP / ROWS };

      while (share.slots < (needed + share.cells - 1) / share.cells * channels)
        share.slots *= 2;
      /* More code should be worth it. */
      if (share.slots <= GROUP
          && (!best.slots || share_cost (&share, x) < 0.8 * share_cost (&best, x)))
        best = share;
    }
  return best;
}

/* The rows of the small image for a group: whole steps of ROWS. */
static int
strip_of_tiles (CapraDevice *device, int blocks, gsize columns, gsize planes)
{
  gint64 groups = GROUPS * (gint64) MAX (capra_device_get_info (device)->compute_units, 1);
  gint64 strips = MAX (groups / (gint64) (columns * planes), 1);
  gint64 strip = (blocks + strips - 1) / strips;

  return (int) ((strip + ROWS - 1) / ROWS * ROWS);
}

static gsize
half_bytes (const CapraGaussianUp *up)
{
  return sizeof (float) * (gsize) ((up->taps * up->factor + 1) / 2);
}

typedef struct {
  CapraArray *small, *output;
  const CapraGaussianUp *x, *y;
  Span spans[2];
  int blocks; /* rows of the small image that outputs begin at */
} Job;

static void
begin (CapraLaunch *launch, const Job *job, const char *program, const char *kernel, const char *more)
{
  g_autofree char *options
    = g_strdup_printf ("-DCHANNELS=%u -DDX=%d -DDY=%d -DKX=%d -DKY=%d%s",
                       capra_array_get_shape (job->small)->channels, job->x->factor, job->y->factor,
                       job->x->taps, job->y->taps, more);

  capra_launch_begin (launch, job->small->context, program, options, kernel);
  capra_launch_read (launch, job->small);
  capra_launch_write (launch, job->output);
}

static gboolean
finish (CapraLaunch *launch, const Job *job, const gsize *global, const gsize *local, GError **error)
{
  return capra_launch_run (launch, 3, global, local,
                           capra_shape_bytes (capra_array_get_shape (job->small))
                             + capra_shape_bytes (capra_array_get_shape (job->output)),
                           error);
}

static gboolean
run_tiles (const Job *job, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (job->output);
  gsize values = shape->width * shape->channels, columns = (values + TILE - 1) / TILE;
  Share share = choose_share ((int) shape->channels, job->x);
  int unrolled = job->y->factor <= 4 ? ROWS : job->y->factor < 8 ? 2 : 1;
  int strip = strip_of_tiles (job->small->context->device, job->blocks, columns, shape->depth);
  g_autofree char *more = g_strdup_printf (" -DC=%d -DSLOTS=%d -DROWS=%d -DUNROLLED=%d -DALIGNED=%d", share.cells,
                                           share.slots, ROWS, unrolled, values % 4 == 0);
  CapraLaunch launch;

  begin (&launch, job, "gaussian-up", "gaussian_up", more);
  capra_launch_value (&launch, job->x->weights, half_bytes (job->x));
  capra_launch_value (&launch, job->y->weights, half_bytes (job->y));
  capra_launch_value (&launch, &job->spans[0], sizeof job->spans[0]);
  capra_launch_value (&launch, &job->spans[1], sizeof job->spans[1]);
  capra_launch_int (&launch, strip);
  return finish (&launch, job,
                 (const gsize[]) { columns * GROUP, (gsize) ((job->blocks + strip - 1) / strip), shape->depth },
                 (const gsize[]) { GROUP, 1, 1 }, error);
}

static gboolean
run_rows (const Job *job, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (job->small);
  gsize pixels = shape->channels == 1 ? 512 : 256; /* side by side, of a work-item */
  gsize columns = ((gsize) (job->x->phase + job->x->count) + pixels - 1) / pixels;
  int strip = capra_gaussian_strip (job->small->context->device, job->blocks, 1, job->y->factor > 1 ? 16 : 1,
                                    (gint64) columns, (gint64) shape->depth);
  CapraLaunch launch;

  begin (&launch, job, "gaussian-up-rows", "gaussian_up_rows", "");
  capra_launch_constants (&launch, job->x->weights, weight_bytes (job->x));
  capra_launch_constants (&launch, job->y->weights, weight_bytes (job->y));
  capra_launch_value (&launch, &job->spans[0], sizeof job->spans[0]);
  capra_launch_value (&launch, &job->spans[1], sizeof job->spans[1]);
  capra_launch_int (&launch, strip);
  return finish (&launch, job,
                 (const gsize[]) { columns, (gsize) ((job->blocks + strip - 1) / strip), shape->depth },
                 (const gsize[]) { 1, 1, 1 }, error);
}

CapraArray *
capra_gaussian_up (CapraArray *small, const CapraGaussianUp ups[2], GError **error)
{
  CapraShape shape = *capra_array_get_shape (small);
  const CapraGaussianUp *x = &ups[0], *y = &ups[1];
  Job job = { small, NULL, x, y,
              { { (int) shape.width, x->phase, x->count }, { (int) shape.height, y->phase, y->count } },
              (int) shape.height - (y->taps - 1) };
  g_autoptr(CapraArray) output = NULL;

  shape.width = (gsize) x->count;
  shape.height = (gsize) y->count;
  output = capra_array_new_uninitialized (small->context, &shape, error);
  if (!output)
    return NULL;
  job.output = output;
  if (!(capra_gaussian_has_tiles (small->context->device) ? run_tiles : run_rows) (&job, error))
    return NULL;
  return g_steal_pointer (&output);
}
