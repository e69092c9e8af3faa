/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the graph share. */
#pragma once

#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

typedef struct {
  CapraStep *step;  /* as last applied to the node */
  GeglNode *node;   /* NULL if the operation is unknown */
  GPtrArray *extra; /* of GeglNode: load the second input from a file */
  GeglNode *labels; /* see capra_graph_get_step_labels() */
  gboolean loaded;  /* the node outputs an image that has already been read */
  char *error;      /* of the second input, or of the file that the step loads */
} CapraGraphLink;

struct _CapraGraph {
  GeglBuffer *buffer;
  double scale;
  gboolean cache;
  GeglNode *root, *source, *output;
  CapraLayerTarget *target; /* NULL without one */
  GeglNode *written;        /* what the target outputs */
  CapraRawValues loaded;    /* of the file that the first step loads; type: CAPRA_SAMPLE_NONE without one */
  GArray *links;            /* of CapraGraphLink, in order; without disabled steps */
};

G_END_DECLS
