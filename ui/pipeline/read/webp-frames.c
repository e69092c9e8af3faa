/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Webp-frames: WebP images, and the frames of animations. GEGL's loader refuses animations, and leaves the part of an
 * image empty that is missing or damaged, without a message.
 *
 * Google's WebP container specification. */
#include "ui/pipeline/read/webp-frames.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <webp/demux.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/read/icc.h"
#include "ui/pipeline/regular-file.h"

#define MAX_BYTES ((guint64) 1 << 30) /* of a file, and of the pixels of a frame */
#define FLAGS 20                      /* the offset of the flags in a file that starts with the chunk VP8X */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WebPAnimDecoder, WebPAnimDecoderDelete)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WebPDemuxer, WebPDemuxDelete)

gboolean
capra_webp_has_frames (const char *path)
{
  guint8 start[FLAGS + 1] = { 0 };
  int descriptor = capra_open_regular (path, NULL);
  gssize length;

  if (descriptor < 0)
    return FALSE;
  length = read (descriptor, start, sizeof start);
  close (descriptor);
  return length == sizeof start && memcmp (start, "RIFF", 4) == 0 && memcmp (start + 8, "WEBPVP8X", 8) == 0
         && (start[FLAGS] & ANIMATION_FLAG);
}

static void
set_damaged (GError **error)
{
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file is damaged or incomplete"));
}

/* (nullable): the parts of the file, which keep pointers to @data; %NULL with @error set if the file is damaged. */
static WebPDemuxer *
find_parts (const WebPData *data, GError **error)
{
  g_autoptr (WebPDemuxer) demuxer = WebPDemux (data);

  if (demuxer && WebPDemuxGetI (demuxer, WEBP_FF_FRAME_COUNT) > 0)
    return g_steal_pointer (&demuxer);
  set_damaged (error);
  return NULL;
}

guint64
capra_webp_count_frames (const char *path, GError **error)
{
  gsize length = 0;
  g_autofree char *bytes = capra_read_file (path, MAX_BYTES, &length, error);
  const WebPData data = { (const guint8 *) bytes, length };
  g_autoptr (WebPDemuxer) demuxer = bytes ? find_parts (&data, error) : NULL;

  return demuxer ? WebPDemuxGetI (demuxer, WEBP_FF_FRAME_COUNT) : 0;
}

/* (nullable): %NULL stands for sRGB. */
static const Babl *
read_space (const WebPData *data, const WebPDemuxer *demuxer, char **warning)
{
  g_autofree char *reason = NULL;
  g_autoptr (GByteArray) stripped = NULL;
  const Babl *space = NULL;
  const char *fault = NULL;
  WebPChunkIterator chunk;

  if (!capra_icc_check (data->bytes, data->size, &reason, &stripped))
    {
      if (!*warning)
        *warning = g_strdup_printf (_ ("Color profile ignored: %s"), reason);
      return NULL;
    }
  if (!WebPDemuxGetChunk (demuxer, "ICCP", 1, &chunk))
    return NULL;
  space = babl_space_from_icc ((const char *) chunk.chunk.bytes, (int) chunk.chunk.size,
                               BABL_ICC_INTENT_RELATIVE_COLORIMETRIC, &fault);
  WebPDemuxReleaseChunkIterator (&chunk);
  return space;
}

/* An animation shows what is behind it where its frames are transparent or smaller; a single image has no alpha channel
 * unless its file says so. */
static gboolean
has_alpha (const WebPDemuxer *demuxer)
{
  return WebPDemuxGetI (demuxer, WEBP_FF_FORMAT_FLAGS) & (ALPHA_FLAG | ANIMATION_FLAG);
}

/* WebP images without an animation are at most as large. */
static gboolean
check_size (const GeglRectangle *extent, guint64 bytes, GError **error)
{
  g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);

  if (bytes <= MAX_BYTES)
    return TRUE;
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               _ ("The image is too large: %d × %d pixels need %s"), extent->width, extent->height, size);
  return FALSE;
}

/* A buffer of @format with the frame, whose values are in the space of this format. */
static GeglBuffer *
decode (const WebPData *data, const GeglRectangle *extent, const Babl *format, gint64 index, GError **error)
{
  const Babl *decoded = babl_format_with_space ("R'G'B'A u8", babl_format_get_space (format));
  g_autoptr (WebPAnimDecoder) decoder = WebPAnimDecoderNew (data, NULL);
  GeglBuffer *buffer = NULL;
  guint8 *pixels = NULL;
  int end;

  for (gint64 i = 0; i <= index; i++)
    if (!decoder || !WebPAnimDecoderGetNext (decoder, &pixels, &end))
      {
        set_damaged (error);
        return NULL;
      }
  buffer = gegl_buffer_new (extent, format);
  gegl_buffer_set (buffer, extent, 0, decoded, pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

GeglBuffer *
capra_webp_load_frame (const char *path, gint64 index, char **warning, CapraImageSizeFunc on_size, gpointer data,
                       GError **error)
{
  gsize length = 0;
  g_autofree char *bytes = capra_read_file (path, MAX_BYTES, &length, error);
  const WebPData file = { (const guint8 *) bytes, length };
  g_autoptr (WebPDemuxer) demuxer = bytes ? find_parts (&file, error) : NULL;
  GeglRectangle extent = { 0 };
  const Babl *space = NULL;
  guint64 size;

  if (!demuxer)
    return NULL;
  if (index < 0 || index >= WebPDemuxGetI (demuxer, WEBP_FF_FRAME_COUNT))
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file has no frame %" PRId64), index);
      return NULL;
    }
  extent.width = (int) WebPDemuxGetI (demuxer, WEBP_FF_CANVAS_WIDTH);
  extent.height = (int) WebPDemuxGetI (demuxer, WEBP_FF_CANVAS_HEIGHT);
  size = (guint64) extent.width * (guint64) extent.height * (has_alpha (demuxer) ? 4 : 3);
  if (!check_size (&extent, size, error))
    return NULL;
  if (on_size)
    on_size (size, data);
  space = read_space (&file, demuxer, warning);
  return decode (&file, &extent, babl_format_with_space (has_alpha (demuxer) ? "R'G'B'A u8" : "R'G'B' u8", space),
                 index, error);
}
