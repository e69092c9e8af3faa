/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of pipelines: images and steps. */
#include "tests/panel/steps.h"

#include <math.h>

#include "ui/pipeline/text/value-text.h"

/* A pattern in all channels: each pixel differs from its neighbors. */
GeglBuffer *
steps_make_image (int width, int height, const char *format)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), babl_format (format));
  g_autofree float *pixels = g_new (float, (gsize) width * height * 4);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        float *pixel = pixels + ((gsize) y * width + x) * 4;

        pixel[0] = (float) (0.5 + 0.5 * sin (x * 0.31));
        pixel[1] = (float) (0.5 + 0.5 * cos (y * 0.17));
        pixel[2] = (float) (0.5 + 0.5 * sin ((x + y) * 0.05));
        pixel[3] = 1.0f;
      }
  gegl_buffer_set (buffer, NULL, 0, babl_format ("R'G'B'A float"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

void
steps_set_text (CapraStep *step, const char *name, const char *text)
{
  GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), name);
  g_autoptr (GError) error = NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  g_assert_nonnull (property);
  capra_value_from_text (property, text, &value, &error);
  g_assert_no_error (error);
  capra_step_set (step, property, &value);
}

char *
steps_get_text (CapraStep *step, const char *name)
{
  g_auto (GValue) value = G_VALUE_INIT;

  capra_step_get (step, capra_operation_find_property (capra_step_get_operation (step), name), &value);
  return capra_value_to_text (&value);
}

void
steps_assert_same (GPtrArray *steps, GPtrArray *others, gboolean only_enabled)
{
  guint at = 0;

  for (guint i = 0; i < steps->len; i++)
    {
      guint count;
      const char *operation = capra_step_get_operation (steps->pdata[i]);
      g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

      if (only_enabled && !capra_step_get_enabled (steps->pdata[i]))
        continue;
      g_assert_cmpuint (at, <, others->len);
      g_assert_cmpstr (capra_step_get_operation (others->pdata[at]), ==, operation);
      g_assert_cmpint (capra_step_get_enabled (others->pdata[at]), ==, capra_step_get_enabled (steps->pdata[i]));
      for (guint j = 0; j < count; j++)
        {
          g_autofree char *one = steps_get_text (steps->pdata[i], list[j]->name);
          g_autofree char *other = steps_get_text (others->pdata[at], list[j]->name);

          g_assert_cmpstr (one, ==, other);
        }
      at++;
    }
  g_assert_cmpuint (at, ==, others->len);
}

GPtrArray *
steps_make_blur (const char *sigma)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (steps, capra_step_new ("gegl:gaussian-blur"));
  steps_set_text (steps->pdata[0], "std-dev-x", sigma);
  steps_set_text (steps->pdata[0], "std-dev-y", sigma);
  return steps;
}
