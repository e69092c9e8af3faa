/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in view is rendered before anything else: the order of jobs, and the pixels that steps compute. */
#include <gegl-plugin.h>
#include <math.h>
#include <string.h>

#include "tests/panel/steps.h"
#include "ui/panel/preview/preview.h"
#include "ui/panel/preview/render-schedule.h"

#define WIDTH 2400
#define HEIGHT 1800
#define REACH 8  /* more than what the blur reads to each side, in pixels of any level */
#define TILE 128 /* operations compute whole tiles */
#define MAX_JOBS 2000
#define LIMIT (300 * G_TIME_SPAN_SECOND) /* until a test fails instead of waiting */

/* A step that records which of its pixels are computed, and when. */

typedef struct {
  GeglOperationPointFilter parent_instance;
} Recorder;

typedef struct {
  GeglOperationPointFilterClass parent_class;
} RecorderClass;

GType recorder_get_type (void);
G_DEFINE_TYPE (Recorder, recorder, GEGL_TYPE_OPERATION_POINT_FILTER)

typedef struct {
  GeglRectangle rect; /* in pixels of the level */
  int level;
  gboolean complete; /* whether the view was complete then */
} Record;

static GMutex lock;
static CapraPreview *recorded; /* NULL: nothing is recorded */
static GArray *records;        /* of Record */

/* The level of the graph, from the size of its image. */
static int
find_level (GeglOperation *operation)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");

  return (int) lround (log2 ((double) WIDTH / extent->width));
}

static gboolean
recorder_process (GeglOperation *operation, void *in, void *out, glong count, const GeglRectangle *roi, gint level)
{
  memcpy (out, in, (gsize) count * 4 * sizeof (float));
  g_mutex_lock (&lock);
  if (recorded)
    {
      Record record = { .rect = *roi, .level = find_level (operation) };
      CapraPreviewStatus status;

      capra_preview_get_status (recorded, &status);
      record.complete = status.complete;
      g_array_append_val (records, record);
    }
  g_mutex_unlock (&lock);
  return TRUE;
}

static void
recorder_prepare (GeglOperation *operation)
{
  gegl_operation_set_format (operation, "input", babl_format ("RGBA float"));
  gegl_operation_set_format (operation, "output", babl_format ("RGBA float"));
}

static void
recorder_class_init (RecorderClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  operation_class->prepare = recorder_prepare;
  GEGL_OPERATION_POINT_FILTER_CLASS (klass)->process = recorder_process;
  gegl_operation_class_set_keys (operation_class, "name", "test:recorder", "title", "Recorder", NULL);
}

static void
recorder_init (Recorder *self)
{
}

/* @visible in pixels of @level, with @margin pixels of the level to each side. */
static GeglRectangle
enlarge (const GeglRectangle *visible, int level, int margin)
{
  double scale = capra_pyramid_get_scale (level);
  int x = (int) floor (visible->x * scale) - margin, y = (int) floor (visible->y * scale) - margin;

  return (GeglRectangle){ x, y, (int) ceil ((visible->x + visible->width) * scale) + margin - x,
                          (int) ceil ((visible->y + visible->height) * scale) + margin - y };
}

typedef struct {
  GeglRectangle visible;
  double scale;
} View;

static const View views[] = {
  { { 700, 500, 480, 320 }, 1.0 },
  { { 1000, 901, 120, 80 }, 4.0 },
  { { 301, 211, 960, 640 }, 0.5 },
  { { 0, 0, WIDTH, HEIGHT }, 0.2 },
};

static void
add_tile (const CapraRenderState *state, const CapraRenderJob *job)
{
  gsize bytes = (gsize) job->rect.width * (gsize) job->rect.height * 4;

  capra_texture_tiles_add (state->tiles, job->level, &job->rect, state->generation, job->quality,
                           g_bytes_new_take (g_malloc0 (bytes), bytes));
}

/* All jobs of a view, whatever pixels cost. */
static void
test_schedule (void)
{
  static const double costs[] = { 1.0, 20.0, 400.0 };
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (CapraPyramid) pyramid = capra_pyramid_new (image);

  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    for (guint i = 0; i < G_N_ELEMENTS (costs); i++)
      {
        CapraRenderState state = { .tiles = capra_texture_tiles_new (),
                                   .pyramid = pyramid,
                                   .generation = 1,
                                   .has_steps = TRUE,
                                   .bounds = { 0, 0, WIDTH, HEIGHT },
                                   .visible = views[v].visible,
                                   .scale = views[v].scale,
                                   .costs = { { costs[i], costs[i] }, { costs[i], costs[i] } } };
        guint jobs = 0, hidden = 0;
        CapraRenderJob job;

        while (capra_render_schedule_next (&state, &job))
          {
            GeglRectangle seen = enlarge (&state.visible, job.level, 1);
            CapraRenderProgress progress;

            capra_render_schedule_measure (&state, &progress);
            g_assert_cmpint (job.hidden, ==, progress.complete);
            g_assert_true (job.hidden || gegl_rectangle_contains (&seen, &job.rect));
            hidden += job.hidden;
            add_tile (&state, &job);
            g_assert_cmpuint (++jobs, <, MAX_JOBS);
          }
        g_assert_cmpuint (jobs, >, hidden);
        g_assert_cmpuint (hidden, >, 0);
        capra_texture_tiles_free (state.tiles);
      }
}

/* The recorder and a blur that reads a fixed number of pixels to each side. */
static GPtrArray *
make_steps (void)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (steps, capra_step_new ("test:recorder"));
  g_ptr_array_add (steps, capra_step_new (gegl_has_operation ("capra:box-blur") ? "capra:box-blur" : "gegl:box-blur"));
  return steps;
}

/* Copies with another radius, as after the move of a slider. */
static GPtrArray *
copy_steps (GPtrArray *steps, const char *radius)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < steps->len; i++)
    g_ptr_array_add (copies, capra_step_copy (steps->pdata[i]));
  steps_set_text (copies->pdata[1], "radius", radius);
  return copies;
}

/* Whether a pixel was read that the view does not show, after the view was complete. */
static gboolean
has_hidden (const View *view)
{
  gboolean found = FALSE;

  g_mutex_lock (&lock);
  for (guint i = 0; i < records->len && !found; i++)
    {
      const Record *record = &g_array_index (records, Record, i);
      GeglRectangle seen = enlarge (&view->visible, record->level, 0);

      found = record->complete && !gegl_rectangle_contains (&seen, &record->rect);
    }
  g_mutex_unlock (&lock);
  return found;
}

/* Before the view is complete, the steps read what the blur of the view's tiles needs. */
static void
assert_visible_first (const View *view)
{
  guint before = 0;

  g_mutex_lock (&lock);
  for (guint i = 0; i < records->len; i++)
    {
      const Record *record = &g_array_index (records, Record, i);
      GeglRectangle seen = enlarge (&view->visible, record->level, REACH + TILE);

      if (record->complete)
        continue;
      before++;
      if (!gegl_rectangle_contains (&seen, &record->rect))
        g_error ("level %d: %d, %d, %d x %d is computed before the view is complete", record->level, record->rect.x,
                 record->rect.y, record->rect.width, record->rect.height);
    }
  g_mutex_unlock (&lock);
  g_assert_cmpuint (before, >, 0);
}

static void
set_recorded (CapraPreview *preview)
{
  g_mutex_lock (&lock);
  recorded = preview;
  g_array_set_size (records, 0);
  g_mutex_unlock (&lock);
}

static void
wait_until (gint64 end)
{
  g_usleep (1000);
  g_assert_cmpint (g_get_monotonic_time (), <, end);
}

static void
wait_for_complete (CapraPreview *preview)
{
  gint64 end = g_get_monotonic_time () + LIMIT;
  CapraPreviewStatus status;

  do
    {
      wait_until (end);
      capra_preview_get_status (preview, &status);
    }
  while (!status.complete);
}

/* Hides the view and waits until the worker has ended what it was rendering. */
static void
hide (CapraPreview *preview, const View *view)
{
  static int column;
  gint64 end = g_get_monotonic_time () + LIMIT;
  CapraProbe probe;

  column = (column + 1) % WIDTH; /* another pixel than before */
  capra_preview_set_view (preview, &view->visible, 0.0);
  capra_preview_probe (preview, column, 0);
  do
    {
      wait_until (end);
      capra_preview_get_probe (preview, &probe);
    }
  while (probe.x != column);
}

static void
test_steps (void)
{
  static const char *const radii[] = { "3", "4", "5" };
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (CapraPyramid) pyramid = capra_pyramid_new (image);
  g_autoptr (GPtrArray) steps = make_steps ();

  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    {
      const View *view = &views[v];
      CapraPreview *preview = capra_preview_new (pyramid);

      for (guint i = 0; i < G_N_ELEMENTS (radii); i++) /* with unknown costs at first, then with those measured */
        {
          g_autoptr (GPtrArray) copies = copy_steps (steps, radii[i]);
          gint64 end = g_get_monotonic_time () + LIMIT;

          set_recorded (preview);
          capra_preview_set_steps (preview, copies);
          capra_preview_set_view (preview, &view->visible, view->scale);
          wait_for_complete (preview);
          while (view->scale >= 0.5 && !has_hidden (view)) /* what is hidden is rendered, too */
            wait_until (end);
          assert_visible_first (view);
          set_recorded (NULL);
          hide (preview, view);
        }
      g_object_unref (preview);
      capra_preview_wait_for_workers ();
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  g_type_class_unref (g_type_class_ref (recorder_get_type ()));
  records = g_array_new (FALSE, FALSE, sizeof (Record));
  g_test_add_func ("/visible/schedule", test_schedule);
  g_test_add_func ("/visible/steps", test_steps);
  status = g_test_run ();
  g_array_unref (records);
  return status;
}
