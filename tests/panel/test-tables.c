/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors that arise while tables are computed are published, also if the view shows nothing of the step. */
#include <gegl-plugin.h>
#include <string.h>

#include "tests/panel/steps.h"
#include "ui/panel/preview/preview.h"
#include "ui/pipeline/graph/node-error.h"

#define SIDE 64
#define MESSAGE "cannot count"
#define LIMIT (300 * G_TIME_SPAN_SECOND) /* until the test fails instead of waiting */

/* A step with a table that fails. */

typedef struct {
  GeglOperationPointFilter parent_instance;
  gboolean failed;
} Counter;

typedef struct {
  GeglOperationPointFilterClass parent_class;
} CounterClass;

enum { PROP_ERROR = 1 };

GType counter_get_type (void);
G_DEFINE_TYPE (Counter, counter, GEGL_TYPE_OPERATION_POINT_FILTER)

static gboolean
counter_process (GeglOperation *operation, void *in, void *out, glong count, const GeglRectangle *roi, gint level)
{
  memcpy (out, in, (gsize) count * 4 * sizeof (float));
  ((Counter *) operation)->failed = TRUE;
  return TRUE;
}

static void
counter_prepare (GeglOperation *operation)
{
  gegl_operation_set_format (operation, "input", babl_format ("RGBA float"));
  gegl_operation_set_format (operation, "output", babl_format ("RGBA float"));
}

static void
counter_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_string (value, ((Counter *) object)->failed ? MESSAGE : "");
}

static void
counter_class_init (CounterClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  operation_class->prepare = counter_prepare;
  operation_class->threaded = FALSE;
  GEGL_OPERATION_POINT_FILTER_CLASS (klass)->process = counter_process;
  G_OBJECT_CLASS (klass)->get_property = counter_get_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_ERROR,
                                   g_param_spec_string ("error", NULL, NULL, NULL, G_PARAM_READABLE));
  gegl_operation_class_set_keys (operation_class, "name", "test:counter", "title", "Counter", "capra:table", "yes",
                                 NULL);
}

static void
counter_init (Counter *self)
{
}

static void
wait_for_tables (CapraPreview *preview)
{
  gint64 end = g_get_monotonic_time () + LIMIT, time;
  gboolean current = FALSE;

  while (!current)
    {
      g_autoptr (GPtrArray) tables = capra_preview_get_tables (preview, &current, &time);

      g_assert_cmpuint (tables->len, ==, 0);
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_usleep (1000);
    }
}

static void
check (const GeglRectangle *visible, double scale)
{
  g_autoptr (GeglBuffer) image = steps_make_image (SIDE, SIDE, "R'G'B' u8");
  g_autoptr (CapraPyramid) pyramid = capra_pyramid_new (image);
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) errors = NULL;
  CapraPreview *preview = capra_preview_new (pyramid);
  CapraStepError *error = NULL;
  guint id;

  g_ptr_array_add (steps, capra_step_new ("test:counter"));
  id = capra_step_get_id (steps->pdata[0]);
  capra_preview_set_steps (preview, steps);
  capra_preview_set_view (preview, visible, scale);
  wait_for_tables (preview);
  errors = capra_preview_get_errors (preview);
  error = g_hash_table_lookup (errors, GUINT_TO_POINTER (id));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->message, ==, MESSAGE);
  g_object_unref (preview);
  capra_preview_wait_for_workers ();
}

static void
test_shown (void)
{
  check (&(GeglRectangle){ 0, 0, SIDE, SIDE }, 1.0);
  check (&(GeglRectangle){ 0, 0, SIDE, SIDE }, 0.25);
}

static void
test_outside (void)
{
  check (&(GeglRectangle){ 10 * SIDE, 0, SIDE, SIDE }, 1.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  g_type_class_unref (g_type_class_ref (counter_get_type ()));
  g_test_add_func ("/tables/shown", test_shown);
  g_test_add_func ("/tables/outside", test_outside);
  return g_test_run ();
}
