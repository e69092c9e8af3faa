/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-graph-private: the structure that run-graph-read.c fills. */
#pragma once

#include "ui/cli/run/run-graph.h"

G_BEGIN_DECLS

struct _RunGraph {
  GPtrArray *steps;                 /* NULL if GEGL reads the graph */
  CapraGraph *graph;                /* of the steps, or over the result of GEGL's nodes */
  GeglNode *root, *source, *output; /* if GEGL reads the graph */
  GStrv words;                      /* from which GEGL read the graph, or else */
  char *xml, *folder;
  GPtrArray *files; /* names of those that GEGL's nodes load */
  gboolean has_source, data;
};

/* Appends the value of @property to @files if it is the name of a file. */
void run_graph_add_file (GParamSpec *property, const GValue *value, GPtrArray *files);

G_END_DECLS
