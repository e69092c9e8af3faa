/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chain: operations behind a canvas. */
#include "tests/plugin/stale/chain.h"

#include "tests/support/graph.h"

static void
view_changed (GeglBuffer *buffer, const GeglRectangle *rect, gpointer data)
{
  Chain *chain = data;

  gegl_rectangle_bounding_box (&chain->announced, &chain->announced, rect);
  if (gegl_rectangle_contains (rect, &chain->hidden))
    chain->hidden = (GeglRectangle){ 0, 0, 0, 0 };
}

static ChainStep
random_step (GRand *random)
{
  ChainKind kind = canvas_random (random, 0, 9) == 0 ? CHAIN_STATISTICS
                                                     : (ChainKind) canvas_random (random, CHAIN_BOX, CHAIN_THRESHOLD);

  return (ChainStep){ kind, canvas_random (random, 0, 5), canvas_random (random, 0, 1),
                      0.5 * canvas_random (random, 1, 3), 0.1 + 0.1 * canvas_random (random, 0, 7) + 0.0123 };
}

static void
set_properties (GeglNode *node, const ChainStep *step)
{
  if (step->kind == CHAIN_BOX)
    gegl_node_set (node, "radius", step->radius, "abyss-policy", step->border, NULL);
  else if (step->kind == CHAIN_GAUSSIAN)
    gegl_node_set (node, "std-dev-x", step->sigma, "std-dev-y", step->sigma, "filter", 1, "abyss-policy", step->border,
                   NULL);
  else if (step->kind == CHAIN_THRESHOLD)
    gegl_node_set (node, "value", step->value, NULL);
}

static void
build (Chain *chain)
{
  static const char *const names[] = { "capra:box-blur", "capra:gaussian-blur", "capra:threshold", "capra:statistics" };

  chain->graph = gegl_node_new ();
  chain->source = graph_source (chain->graph, chain->view);
  for (guint i = 0; i < chain->n; i++)
    {
      chain->nodes[i] = graph_node (chain->graph, i > 0 ? chain->nodes[i - 1] : chain->source,
                                    names[chain->steps[i].kind], NULL);
      set_properties (chain->nodes[i], &chain->steps[i]);
    }
  chain->extent = *gegl_buffer_get_extent (chain->view);
  chain->hidden = (GeglRectangle){ 0, 0, 0, 0 };
}

Chain *
chain_new (Canvas *canvas, GRand *random)
{
  Chain *chain = g_new0 (Chain, 1);
  GeglRectangle rect = *gegl_buffer_get_extent (canvas->buffer);

  chain->canvas = canvas;
  chain->view = g_object_ref (canvas->buffer);
  if (canvas_random (random, 0, 3) == 0)
    {
      rect = canvas_random_rect (random, &rect);
      g_object_unref (chain->view);
      chain->view = gegl_buffer_create_sub_buffer (canvas->buffer, &rect);
    }
  gegl_buffer_signal_connect (chain->view, "changed", G_CALLBACK (view_changed), chain);
  chain->n = (guint) canvas_random (random, 1, CHAIN_MAX_STEPS);
  for (guint i = 0; i < chain->n; i++)
    chain->steps[i] = random_step (random);
  build (chain);
  return chain;
}

void
chain_free (Chain *chain)
{
  g_signal_handlers_disconnect_by_data (chain->view, chain);
  g_object_unref (chain->graph);
  g_object_unref (chain->view);
  g_free (chain);
}

void
chain_rebuild (Chain *chain)
{
  g_object_unref (chain->graph);
  build (chain);
}

void
chain_reconnect (Chain *chain)
{
  gegl_node_disconnect (chain->nodes[0], "input");
  gegl_node_link (chain->source, chain->nodes[0]);
  chain->hidden = (GeglRectangle){ 0, 0, 0, 0 };
}

void
chain_change (Chain *chain, GRand *random)
{
  guint i = (guint) canvas_random (random, 0, (gint) chain->n - 1);
  ChainKind kind = chain->steps[i].kind;

  chain->steps[i] = random_step (random);
  chain->steps[i].kind = kind;
  set_properties (chain->nodes[i], &chain->steps[i]);
}

void
chain_change_device (Chain *chain, GRand *random)
{
  static const char *const devices[] = { "0", "1", "", "auto", "all" };
  const char *device = devices[canvas_random (random, 0, G_N_ELEMENTS (devices) - 1)];

  gegl_node_set (chain->nodes[canvas_random (random, 0, (gint) chain->n - 1)], "device", support_device_name (device),
                 NULL);
}

void
chain_expect_write (Chain *chain)
{
  chain->announced = (GeglRectangle){ 0, 0, 0, 0 };
}

void
chain_note_write (Chain *chain, const GeglRectangle *rect)
{
  GeglRectangle seen;

  if (gegl_rectangle_intersect (&seen, rect, &chain->extent) && !gegl_rectangle_contains (&chain->announced, &seen))
    gegl_rectangle_bounding_box (&chain->hidden, &chain->hidden, &seen);
}

/* The names of what failed, for messages. */
static char *
describe (const Chain *chain)
{
  GString *text = g_string_new (chain->canvas->format.name);
  const GeglRectangle *extent = &chain->extent;

  g_string_append_printf (text, " %s, %d x %d at (%d, %d)",
                          chain->view == chain->canvas->buffer ? "buffer" : "sub-buffer", extent->width, extent->height,
                          extent->x, extent->y);
  for (guint i = 0; i < chain->n; i++)
    {
      const ChainStep *step = &chain->steps[i];
      g_autofree char *error = graph_error (chain->nodes[i]), *device = NULL;

      gegl_node_get (chain->nodes[i], "device", &device, NULL);
      g_string_append_printf (text, ", %s radius=%d sigma=%g value=%g border=%d device=%s%s%s",
                              gegl_node_get_operation (chain->nodes[i]), step->radius, step->sigma, step->value,
                              step->border, device, *error ? ": " : "", error);
    }
  return g_string_free (text, FALSE);
}

/* What the operations show at one pixel, for messages. */
static char *
describe_pixel (const Chain *chain, gint x, gint y)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < chain->n; i++)
    {
      float found[4];

      gegl_node_blit (chain->nodes[i], 1.0, GEGL_RECTANGLE (x, y, 1, 1), babl_format ("RaGaBaA float"), found,
                      GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
      g_string_append_printf (text, " (%g, %g)", found[0], found[3]);
    }
  return g_string_free (text, FALSE);
}

/* Fails the test, after it has checked that the canvas itself is as it must be. */
static void
fail (Chain *chain, gint x, gint y, const GeglRectangle *rect, const float *found, const ChainPixel *wanted)
{
  g_autofree char *text = describe (chain), *same = describe_pixel (chain, x, y), *fresh = NULL;

  canvas_check (chain->canvas);
  chain_rebuild (chain);
  fresh = describe_pixel (chain, x, y);
  g_error (
    "(%d, %d) of %d x %d at (%d, %d) is (%g, %g), not (%g, %g) within %g; now the operations show%s, new ones%s: "
    "%s",
    x, y, rect->width, rect->height, rect->x, rect->y, found[0], found[3], wanted->value, wanted->alpha, wanted->slack,
    same, fresh, text);
}

/* The mean that capra:statistics has found is that of all pixels. */
static void
check_mean (const Chain *chain)
{
  const GeglRectangle *all = &chain->extent;
  guint last = chain->n - 1;
  g_autofree ChainPixel *pixels = NULL;
  double sum = 0.0, slack = 0.0, mean = 0.0, n = (double) all->width * all->height;

  if (chain->steps[last].kind != CHAIN_STATISTICS || chain->canvas->format.alpha)
    return;
  pixels = chain_compute (chain, all);
  for (gint i = 0; i < all->width * all->height; i++)
    {
      sum += pixels[i].value;
      slack += pixels[i].slack;
    }
  gegl_node_get (chain->nodes[last], "mean", &mean, NULL);
  g_assert_cmpfloat_with_epsilon (mean, sum / n, slack / n + 1e-4);
}

guint
chain_check (Chain *chain, const GeglRectangle *rect, const float *found)
{
  g_autofree ChainPixel *wanted = chain_compute (chain, rect);
  guint compared = 0;

  for (gint i = 0; i < rect->width * rect->height; i++)
    {
      double value = found[4 * i], alpha = found[4 * i + 3];

      if (ABS (value - wanted[i].value) > wanted[i].slack + 3e-5 || ABS (alpha - wanted[i].alpha) > 3e-5)
        fail (chain, rect->x + i % rect->width, rect->y + i / rect->width, rect, &found[4 * i], &wanted[i]);
      compared += wanted[i].slack < 1e-3;
    }
  return compared;
}

/* Renders into another buffer. */
static void
render_buffer (Chain *chain, const GeglRectangle *rect, const Babl *format, float *pixels)
{
  g_autoptr (GeglBuffer) target = gegl_buffer_new (rect, format);

  gegl_node_blit_buffer (chain->nodes[chain->n - 1], target, rect, 0, GEGL_ABYSS_NONE);
  gegl_buffer_get (target, rect, 1.0, format, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
}

guint
chain_render (Chain *chain, const GeglRectangle *rect, GRand *random)
{
  const Babl *format = babl_format ("RaGaBaA float");
  g_autofree float *found = g_new (float, 4 * rect->width * rect->height);
  guint compared = 0;

  if (canvas_random (random, 0, 7) == 0)
    render_buffer (chain, rect, format, found);
  else
    gegl_node_blit (chain->nodes[chain->n - 1], 1.0, rect, format, found, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  compared = chain_check (chain, rect, found);
  check_mean (chain);
  return compared;
}
