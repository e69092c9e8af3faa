/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WebP images and frames of animations: against a scalar composition in double precision, damaged files, and color
 * profiles. The files are assembled here from images that libwebp encodes without loss. */
#include <gegl.h>
#include <string.h>

#include <webp/encode.h>

#include "tests/panel/collect.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/read/frames.h"

enum { OVERWRITE = 2, DISPOSE = 1 }; /* flags of frames: no blending; clear the frame's rectangle after it */
enum { CANVAS = 24 };                /* the offset of its size in a file */
enum { PROFILE = 0x20, ALPHA = 0x10, ANIMATION = 0x02 };

typedef struct {
  GeglRectangle rect;
  guint flags;
  guint8 *pixels; /* RGBA */
} Frame;

typedef struct {
  int width, height;
  guint n_frames;
  Frame frames[4];
} Animation;

static void
append_number (GByteArray *bytes, guint32 number, guint length)
{
  const guint32 little = GUINT32_TO_LE (number);

  g_byte_array_append (bytes, (const guint8 *) &little, length);
}

static void
append_chunk (GByteArray *bytes, const char *name, const void *data, gsize length)
{
  g_byte_array_append (bytes, (const guint8 *) name, 4);
  append_number (bytes, (guint32) length, 4);
  g_byte_array_append (bytes, data, (guint) length);
  if (length & 1)
    append_number (bytes, 0, 1);
}

static void
append_frame (GByteArray *bytes, const Frame *frame)
{
  g_autoptr (GByteArray) chunk = g_byte_array_new ();
  guint8 *encoded = NULL;
  gsize length = WebPEncodeLosslessRGBA (frame->pixels, frame->rect.width, frame->rect.height, 4 * frame->rect.width,
                                         &encoded);

  g_assert_cmpuint (length, >, 12);
  append_number (chunk, (guint32) frame->rect.x / 2, 3);
  append_number (chunk, (guint32) frame->rect.y / 2, 3);
  append_number (chunk, (guint32) frame->rect.width - 1, 3);
  append_number (chunk, (guint32) frame->rect.height - 1, 3);
  append_number (chunk, 100, 3); /* ms */
  append_number (chunk, frame->flags, 1);
  g_byte_array_append (chunk, encoded + 12, (guint) (length - 12)); /* without the start of a file */
  append_chunk (bytes, "ANMF", chunk->data, chunk->len);
  WebPFree (encoded);
}

/* @profile: (nullable) */
static GByteArray *
assemble (const Animation *animation, const char *profile, gsize profile_length)
{
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GByteArray) header = g_byte_array_new ();
  guint32 size;

  append_number (header, ALPHA | ANIMATION | (profile ? PROFILE : 0), 4);
  append_number (header, (guint32) animation->width - 1, 3);
  append_number (header, (guint32) animation->height - 1, 3);
  g_byte_array_append (bytes, (const guint8 *) "RIFF\0\0\0\0WEBP", 12);
  append_chunk (bytes, "VP8X", header->data, header->len);
  if (profile)
    append_chunk (bytes, "ICCP", profile, profile_length);
  append_chunk (bytes, "ANIM", "\xff\xff\xff\xff\0\0", 6); /* the background is only a hint */
  for (guint i = 0; i < animation->n_frames; i++)
    append_frame (bytes, &animation->frames[i]);
  size = GUINT32_TO_LE (bytes->len - 8);
  memcpy (bytes->data + 4, &size, sizeof size);
  return bytes;
}

static void
add_frame (Animation *animation, GeglRectangle rect, guint flags, gboolean transparent)
{
  static const guint8 alphas[] = { 0, 128, 200, 255 };
  Frame *frame = &animation->frames[animation->n_frames++];
  guint32 random = animation->n_frames * 2654435761u;

  gegl_rectangle_intersect (&frame->rect, &rect, GEGL_RECTANGLE (0, 0, animation->width, animation->height));
  frame->flags = flags;
  frame->pixels = g_malloc (4 * (gsize) frame->rect.width * (gsize) frame->rect.height);
  for (int i = 0; i < 4 * frame->rect.width * frame->rect.height; i++)
    {
      random = random * 1664525u + 1013904223u;
      frame->pixels[i] = i % 4 < 3 ? (guint8) (random >> 24) : transparent ? alphas[random >> 30] : 255;
    }
}

/* All kinds of frames: opaque, blended and then cleared, overwriting, blended over what is left. */
static Animation *
make_animation (int width, int height)
{
  Animation *animation = g_new0 (Animation, 1);
  int x = width > 2 ? 2 : 0, y = height > 4 ? 4 : 0;

  animation->width = width;
  animation->height = height;
  add_frame (animation, (GeglRectangle){ 0, 0, width, height }, 0, FALSE);
  add_frame (animation, (GeglRectangle){ x, y, 13, 7 }, DISPOSE, TRUE);
  add_frame (animation, (GeglRectangle){ 0, y, 9, 11 }, OVERWRITE, TRUE);
  add_frame (animation, (GeglRectangle){ x, 0, width, height }, 0, TRUE);
  return animation;
}

static void
animation_free (Animation *animation)
{
  for (guint i = 0; i < animation->n_frames; i++)
    g_free (animation->frames[i].pixels);
  g_free (animation);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Animation, animation_free)

static void
compose_pixel (double *below, const guint8 *above, gboolean overwrite)
{
  double alpha = above[3] / 255.0, rest = overwrite ? 0.0 : below[3] * (1.0 - alpha), sum = alpha + rest;

  for (guint c = 0; c < 3; c++)
    below[c] = sum > 0.0 ? (above[c] / 255.0 * alpha + below[c] * rest) / sum : 0.0;
  below[3] = sum;
}

/* What the animation shows at frame @index: RGBA, not premultiplied. Free with g_free(). */
static double *
compose (const Animation *animation, guint index)
{
  double *canvas = g_new0 (double, 4 * (gsize) animation->width * (gsize) animation->height);

  for (guint i = 0; i <= index; i++)
    {
      const Frame *frame = &animation->frames[i];
      const GeglRectangle *rect = &frame->rect;

      for (int y = 0; y < rect->height; y++)
        for (int x = 0; x < rect->width; x++)
          compose_pixel (canvas + 4 * ((rect->y + y) * animation->width + rect->x + x),
                         frame->pixels + 4 * (y * rect->width + x), frame->flags & OVERWRITE);
      for (int y = 0; y < rect->height && i < index && (frame->flags & DISPOSE); y++)
        memset (canvas + 4 * ((rect->y + y) * animation->width + rect->x), 0,
                4 * sizeof (double) * (gsize) rect->width);
    }
  return canvas;
}

/* libwebp blends in integers. */
static void
assert_shows (GeglBuffer *buffer, const Animation *animation, guint index)
{
  gsize count = (gsize) animation->width * (gsize) animation->height;
  g_autofree double *expected = compose (animation, index);
  g_autofree guint8 *pixels = g_malloc (4 * count);
  const Babl *space = babl_format_get_space (gegl_buffer_get_format (buffer));

  g_assert_cmpint (gegl_buffer_get_width (buffer), ==, animation->width);
  g_assert_cmpint (gegl_buffer_get_height (buffer), ==, animation->height);
  gegl_buffer_get (buffer, NULL, 1.0, babl_format_with_space ("R'G'B'A u8", space), pixels, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
  for (gsize i = 0; i < 4 * count; i++)
    if (i % 4 == 3 || pixels[i - i % 4 + 3] > 0)
      g_assert_cmpfloat_with_epsilon (pixels[i] / 255.0, expected[i], 3.0 / 255.0);
}

static char *
write_file (const char *name, const GByteArray *bytes)
{
  return collect_write (name, bytes->data, bytes->len);
}

static void
test_frames (void)
{
  static const int sizes[][2] = { { 31, 17 }, { 64, 33 }, { 1, 1 }, { 3, 40 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (Animation) animation = make_animation (sizes[i][0], sizes[i][1]);
      g_autoptr (GByteArray) bytes = assemble (animation, NULL, 0);
      g_autofree char *path = write_file ("animation.webp", bytes);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (CapraImage) whole = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (capra_frames_count (path, NULL, NULL), ==, animation->n_frames);
      for (guint k = 0; k < animation->n_frames; k++)
        {
          const CapraFrame frame = { .path = path, .index = k };
          g_autoptr (CapraImage) image = capra_frames_load (&frame, FALSE, NULL, NULL, &error);

          g_assert_no_error (error);
          assert_shows (image->buffer, animation, k);
        }
      whole = capra_image_load (file, &error); /* as any other image: the first frame */
      g_assert_no_error (error);
      assert_shows (whole->buffer, animation, 0);
    }
}

static void
on_size (guint64 bytes, gpointer data)
{
  *(guint64 *) data = bytes;
}

static void
test_raw (void)
{
  g_autoptr (Animation) animation = make_animation (31, 17);
  g_autoptr (GByteArray) bytes = assemble (animation, NULL, 0);
  g_autofree char *path = write_file ("raw.webp", bytes);
  const CapraFrame frame = { .path = path };
  g_autoptr (GError) error = NULL;
  guint64 size = 0;
  g_autoptr (CapraImage) image = capra_frames_load (&frame, TRUE, on_size, &size, &error);
  float values[4];

  g_assert_no_error (error);
  g_assert_cmpuint (size, ==, 31 * 17 * 4);
  g_assert_true (babl_format_get_type (gegl_buffer_get_format (image->buffer), 0) == babl_type ("float"));
  gegl_buffer_get (image->buffer, GEGL_RECTANGLE (5, 3, 1, 1), 1.0, NULL, values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (guint c = 0; c < 3; c++)
    g_assert_cmpfloat (values[c], ==, animation->frames[0].pixels[4 * (3 * 31 + 5) + c]);
}

static void
assert_refused (const char *path, gint64 index, const char *says)
{
  const CapraFrame frame = { .path = path, .index = index };
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_frames_load (&frame, FALSE, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, says));
}

/* A file with an image and no animation. */
static void
test_single (void)
{
  g_autoptr (Animation) animation = make_animation (31, 17);
  guint8 *encoded = NULL;
  gsize length = WebPEncodeLosslessRGBA (animation->frames[0].pixels, 31, 17, 4 * 31, &encoded);
  g_autofree char *path = collect_write ("single.webp", encoded, length), *one = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraImage) image = capra_image_load (file, &error);
  g_autoptr (CapraImage) frame = NULL;
  g_autoptr (GByteArray) bytes = NULL;

  WebPFree (encoded);
  g_assert_no_error (error);
  assert_shows (image->buffer, animation, 0);
  g_assert_cmpuint (capra_frames_count (path, NULL, NULL), ==, 1);
  g_assert_false (capra_frames_has (path));
  assert_refused (path, 1, "no frame 1");

  for (guint i = 1; i < animation->n_frames; i++)
    g_clear_pointer (&animation->frames[i].pixels, g_free);
  animation->n_frames = 1; /* an animation of one frame */
  bytes = assemble (animation, NULL, 0);
  one = write_file ("one.webp", bytes);
  g_assert_cmpuint (capra_frames_count (one, NULL, NULL), ==, 1);
  frame = capra_frames_load (&(CapraFrame){ .path = one }, FALSE, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_shows (frame->buffer, animation, 0);
}

/* Without an alpha channel, the values are as encoded. Every truncated version of the file is refused: GEGL's loader
 * leaves the missing part black. */
static void
test_truncated (void)
{
  enum { WIDTH = 31, HEIGHT = 17 };
  g_autoptr (Animation) animation = make_animation (WIDTH, HEIGHT);
  const guint8 *pixels = animation->frames[0].pixels; /* opaque */
  guint8 *encoded = NULL, decoded[3 * WIDTH * HEIGHT];
  gsize length = WebPEncodeLosslessRGBA (pixels, WIDTH, HEIGHT, 4 * WIDTH, &encoded);

  for (gsize cut = length; cut > 20; cut -= cut == length ? 2 : 11) /* the last byte may only fill up the chunk */
    {
      g_autofree char *path = collect_write ("truncated.webp", encoded, cut);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraImage) image = capra_image_load (file, &error);

      if (cut < length)
        {
          g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE);
          g_assert_nonnull (strstr (error->message, "damaged or incomplete"));
          continue;
        }
      g_assert_no_error (error);
      g_assert_true (gegl_buffer_get_format (image->buffer) == babl_format ("R'G'B' u8"));
      gegl_buffer_get (image->buffer, NULL, 1.0, NULL, decoded, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (guint i = 0; i < sizeof decoded; i++)
        g_assert_cmpuint (decoded[i], ==, pixels[i / 3 * 4 + i % 3]);
    }
  WebPFree (encoded);
}

/* Every truncated version of a file, and changed bytes, are refused or read, whatever they contain. */
static void
test_damage (void)
{
  g_autoptr (Animation) animation = make_animation (5, 3);
  g_autoptr (GByteArray) bytes = assemble (animation, NULL, 0);
  g_autofree char *whole = write_file ("whole.webp", bytes);

  assert_refused (whole, animation->n_frames, "no frame 4");
  assert_refused (whole, G_MAXINT64, "no frame");
  for (guint length = 0; length < bytes->len; length++)
    {
      g_autofree char *cut = collect_write ("cut.webp", bytes->data, length);

      if (length > 20)
        assert_refused (cut, 0, "damaged or incomplete");
      g_assert_cmpuint (capra_frames_count (cut, NULL, NULL), <=, 1);
    }
  for (guint at = 12; at < bytes->len; at++)
    {
      guint8 before = bytes->data[at];
      g_autofree char *changed = NULL;
      g_autoptr (CapraImage) image = NULL;

      if (at >= CANVAS && at < CANVAS + 6)
        continue;
      bytes->data[at] ^= 0x55;
      changed = write_file ("changed.webp", bytes);
      bytes->data[at] = before;
      image = capra_frames_load (&(CapraFrame){ .path = changed, .index = 1 }, FALSE, NULL, NULL, NULL);
      if (image)
        g_assert_cmpint (gegl_buffer_get_width (image->buffer), >, 0);
    }
}

/* A file of some bytes must not need more memory than an image without an animation can. */
static void
test_large (void)
{
  g_autoptr (Animation) animation = make_animation (5, 3);
  g_autoptr (GByteArray) bytes = assemble (animation, NULL, 0);
  g_autofree char *path = NULL;

  memcpy (bytes->data + CANVAS, "\xff\xff\0\xff\x3f\0", 6);
  path = write_file ("large.webp", bytes);
  assert_refused (path, 0, "65536 × 16384 pixels need 4.0");
}

/* The frames have the color space of the file; a damaged profile is ignored with a warning. */
static void
test_profile (void)
{
  const Babl *space = babl_space ("Adobish");
  int length = 0;
  const char *icc = babl_space_get_icc (space, &length);
  g_autofree char *damaged = g_strnfill (300, 'x');
  g_autoptr (Animation) animation = make_animation (31, 17);

  g_assert_nonnull (icc);
  for (guint good = 0; good < 2; good++)
    {
      g_autoptr (GByteArray) bytes = assemble (animation, good ? icc : damaged, good ? (gsize) length : 300);
      g_autofree char *path = write_file ("profile.webp", bytes);

      for (guint k = 0; k < 2; k++) /* the first frame as any image, the second as a frame */
        {
          g_autoptr (GFile) file = g_file_new_for_path (path);
          g_autoptr (GError) error = NULL;
          g_autoptr (CapraImage) image = k ? capra_frames_load (&(CapraFrame){ .path = path, .index = 1 }, FALSE, NULL,
                                                                NULL, &error)
                                           : capra_image_load (file, &error);
          const Babl *found = NULL;

          g_assert_no_error (error);
          found = babl_format_get_space (gegl_buffer_get_format (image->buffer));
          g_assert_true ((found == babl_space ("sRGB")) == !good);
          g_assert_true ((image->warning == NULL) == good);
          assert_shows (image->buffer, animation, k);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  gegl_init (NULL, NULL);
  capra_log_catcher_install ();
  g_test_add_func ("/webp/frames", test_frames);
  g_test_add_func ("/webp/raw", test_raw);
  g_test_add_func ("/webp/single", test_single);
  g_test_add_func ("/webp/truncated", test_truncated);
  g_test_add_func ("/webp/damage", test_damage);
  g_test_add_func ("/webp/large", test_large);
  g_test_add_func ("/webp/profile", test_profile);
  return collect_run ();
}
