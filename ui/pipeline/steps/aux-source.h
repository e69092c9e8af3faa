/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aux-source: the source of a step's second input ("aux"): the pipeline's input, a file, or the result of an earlier
 * step. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_AUX_INPUT,
  CAPRA_AUX_FILE,
  CAPRA_AUX_STEP,
} CapraAuxKind;

/* Immutable: any thread can read it. */
typedef struct _CapraAuxSource CapraAuxSource;

CapraAuxSource *capra_aux_source_new_input (void);
CapraAuxSource *capra_aux_source_new_file (const char *path);
/* @id: of the step */
CapraAuxSource *capra_aux_source_new_step (guint id);
CapraAuxSource *capra_aux_source_ref (CapraAuxSource *source);
void capra_aux_source_unref (CapraAuxSource *source);

CapraAuxKind capra_aux_source_get_kind (CapraAuxSource *source);
/* %NULL if it is not a file. */
const char *capra_aux_source_get_path (CapraAuxSource *source);
/* 0 if it is not a step. */
guint capra_aux_source_get_step (CapraAuxSource *source);
/* @a, @b: (nullable): %NULL if the input is not connected */
gboolean capra_aux_source_equal (CapraAuxSource *a, CapraAuxSource *b);

/**
 * capra_aux_source_load:
 * @source: a file
 * @raw: whether to load raw values, see capra_raw_values_load()
 *
 * Reads the file on the first call and blocks. Later calls, from any thread, return the same buffer.
 *
 * Returns: (transfer none): the image, or %NULL with @error set
 */
GeglBuffer *capra_aux_source_load (CapraAuxSource *source, gboolean raw, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraAuxSource, capra_aux_source_unref)

G_END_DECLS
