/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: what feeds the second input of a step ("aux"): the pipeline's input, a file, or the result of
 * an earlier step. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_SOURCE_INPUT,
  CAPRA_SOURCE_FILE,
  CAPRA_SOURCE_STEP,
} CapraSourceKind;

/* Never modified, so that any thread can read it. */
typedef struct _CapraSource CapraSource;

CapraSource *capra_source_new_input (void);
CapraSource *capra_source_new_file (const char *path);
/* @id: of a step */
CapraSource *capra_source_new_step (guint id);
CapraSource *capra_source_ref (CapraSource *source);
void capra_source_unref (CapraSource *source);

CapraSourceKind capra_source_get_kind (CapraSource *source);
/* %NULL if it is no file. */
const char *capra_source_get_path (CapraSource *source);
/* 0 if it is no step. */
guint capra_source_get_step (CapraSource *source);
/* Both may be %NULL: nothing. */
gboolean capra_source_equal (CapraSource *a, CapraSource *b);

/**
 * capra_source_load:
 * @source: a file
 * @data: whether its numbers are taken as they are, see capra_data_load()
 *
 * Reads the file at the first call, and waits; later calls, from any thread, give the same.
 *
 * Returns: (transfer none): the image, or %NULL with @error set
 */
GeglBuffer *capra_source_load (CapraSource *source, gboolean data, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraSource, capra_source_unref)

G_END_DECLS
