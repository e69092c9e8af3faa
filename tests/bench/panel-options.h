/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bench-panel, and the cases that it measures. */
#pragma once

#include "ui/pipeline/graph/display-stretch.h"

G_BEGIN_DECLS

/**
 * PanelCase:
 * @format: of the image, a name that babl knows
 * @scale: pixels of the screen per pixel of the image; 0 to fit the image in the view
 * @steps: as in a command; the slider is the first step's standard deviation
 * @outlines: whether the labels for the outlines of the regions are requested, as the Results page does
 */
typedef struct {
  char *name;
  int width, height;
  char *format;
  double scale;
  char *steps;
  gboolean outlines;
} PanelCase;

typedef struct {
  GArray *cases; /* of PanelCase */
  int moves;
  int interval; /* ms between two moves; 0 to wait until all is computed */
  int pause;    /* ms from the end of all computations to the next move */
  int view_width, view_height;
  gboolean window;
  CapraDisplayStretch stretch;
} PanelOptions;

/* Returns FALSE after a message, which @status belongs to. */
gboolean panel_options_parse (PanelOptions *options, int *argc, char ***argv, int *status);
void panel_options_clear (PanelOptions *options);

G_END_DECLS
