/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the upload cache: what another upload contains is not kept beside it. */
#include "plugin/buffers/first-result.h"
#include "plugin/buffers/upload-cache.h"
#include "runtime/memory/memory.h"
#include "tests/support/support.h"

enum { SIZE = 512, PIXELS = SIZE * SIZE };

static const GeglRectangle whole = { 0, 0, SIZE, SIZE };

/* Uploads a part, or finds it. */
static void
upload (GeglBuffer *buffer, const GeglRectangle *rect)
{
  g_auto (CapraView) view = { NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (
    capra_upload_cache_get_view (&view, buffer, rect, gegl_buffer_get_format (buffer), support_device (0), &error));
  g_assert_no_error (error);
}

static guint64
get_in_use (void)
{
  CapraMemory memory;

  capra_memory_query (support_device (0), &memory);
  return memory.bytes[CAPRA_MEMORY_ARRAYS] + memory.bytes[CAPRA_MEMORY_RESIDENT];
}

/* A host writes an image anew, reads a chunk of the result and then the rest, again and again. */
static void
test_replaced (void)
{
  const GeglRectangle chunk = { 0, 0, SIZE, SIZE / 2 };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&whole, babl_format ("Y float"));
  g_autofree float *pixels = g_new0 (float, PIXELS);
  guint64 before = get_in_use ();

  for (int turn = 0; turn < 5; turn++)
    {
      gegl_buffer_set (buffer, &whole, 0, NULL, pixels, GEGL_AUTO_ROWSTRIDE);
      upload (buffer, &chunk);
      upload (buffer, &whole);
      g_assert_cmpuint (get_in_use () - before, ==, PIXELS * sizeof (float));
    }
}

/* Parts that others do not contain are kept beside them. */
static void
test_beside (void)
{
  const GeglRectangle upper = { 0, 0, SIZE, SIZE / 2 }, lower = { 0, SIZE / 2, SIZE, SIZE / 2 };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&whole, babl_format ("Y float"));
  guint64 before = get_in_use ();

  upload (buffer, &upper);
  upload (buffer, &lower);
  g_assert_cmpuint (get_in_use () - before, ==, PIXELS * sizeof (float));
}

/* A host reads a large image in blocks. Where it shares its memory with the device, few of them are kept. */
static void
test_blocks (void)
{
  enum { WIDTH = 4096, HEIGHT = 8192, BLOCKS = 8, MIB = 1 << 20 };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("Y float"));
  guint64 before = get_in_use ();

  if (!capra_device_get_info (support_device (0))->unified)
    {
      g_test_skip ("the device has its own memory");
      return;
    }
  capra_first_result_add (&whole, &whole, support_device (0)); /* none are kept for a process's first result */
  for (int i = 0; i < BLOCKS; i++)
    {
      upload (buffer, GEGL_RECTANGLE (0, i * HEIGHT / BLOCKS, WIDTH, HEIGHT / BLOCKS));
      g_assert_cmpuint (get_in_use () - before, <=, 64 * MIB);
    }
  g_assert_cmpuint (get_in_use () - before, >=, 48 * MIB);
}

int
main (int argc, char **argv)
{
  int failures = 0;

  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  g_test_add_func ("/upload-memory/replaced", test_replaced);
  g_test_add_func ("/upload-memory/beside", test_beside);
  g_test_add_func ("/upload-memory/blocks", test_blocks);
  failures = g_test_run ();
  gegl_exit ();
  return failures;
}
