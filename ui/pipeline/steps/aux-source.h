/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: what feeds the second input of a step ("aux"): the pipeline's input, a file, or the result of
 * an earlier step. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_AUX_INPUT,
  CAPRA_AUX_FILE,
  CAPRA_AUX_STEP,
} CapraAuxKind;

/* Never modified, so that any thread can read it. */
typedef struct _CapraAuxSource CapraAuxSource;

CapraAuxSource *capra_aux_source_new_input (void);
CapraAuxSource *capra_aux_source_new_file (const char *path);
/* @id: of a step */
CapraAuxSource *capra_aux_source_new_step (guint id);
CapraAuxSource *capra_aux_source_ref (CapraAuxSource *source);
void capra_aux_source_unref (CapraAuxSource *source);

CapraAuxKind capra_aux_source_get_kind (CapraAuxSource *source);
/* %NULL if it is no file. */
const char *capra_aux_source_get_path (CapraAuxSource *source);
/* 0 if it is no step. */
guint capra_aux_source_get_step (CapraAuxSource *source);
/* Both may be %NULL: nothing. */
gboolean capra_aux_source_equal (CapraAuxSource *a, CapraAuxSource *b);

/**
 * capra_aux_source_load:
 * @source: a file
 * @data: whether its numbers are taken as they are, see capra_raw_values_load()
 *
 * Reads the file at the first call, and waits; later calls, from any thread, give the same.
 *
 * Returns: (transfer none): the image, or %NULL with @error set
 */
GeglBuffer *capra_aux_source_load (CapraAuxSource *source, gboolean data, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraAuxSource, capra_aux_source_unref)

G_END_DECLS
