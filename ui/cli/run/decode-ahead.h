/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decode-ahead: decodes the first JPEG files of a batch while GEGL starts. */
#pragma once

#include "ui/pipeline/read/jpeg-reader.h"

G_BEGIN_DECLS

typedef struct _RunDecodeAhead RunDecodeAhead;

/* Starts a thread that decodes @paths (NULL-terminated) in order, until they take @max_bytes. */
RunDecodeAhead *run_decode_ahead_start (char **paths, guint64 max_bytes);

/* The thread decodes no further image. */
void run_decode_ahead_stop (RunDecodeAhead *ahead);

/* (transfer full) (nullable): the pixels of the path of that index. Waits if they are being decoded. For any thread,
 * once for each index. @ahead: (nullable) */
CapraJpegPixels *run_decode_ahead_take (RunDecodeAhead *ahead, guint index);

void run_decode_ahead_free (RunDecodeAhead *ahead);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunDecodeAhead, run_decode_ahead_free)

G_END_DECLS
