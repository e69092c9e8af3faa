/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bench-chunks. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *name; /* "256x256-shuffled" */
  int width, height;
  gboolean shuffled;
} ChunksShape;

typedef struct {
  char **operations, **formats; /* NULL: all */
  ChunksShape *shapes;
  guint n_shapes;
  char *device;
  int width, height, repeats, seconds;
  gboolean median;
} ChunksOptions;

/* FALSE, with a message, if the arguments are wrong. @operations, @formats: the known names, ended by NULL */
gboolean chunks_options_parse (ChunksOptions *options, const char *const *operations, const char *const *formats,
                               int *argc, char ***argv);
void chunks_options_clear (ChunksOptions *options);

G_END_DECLS
