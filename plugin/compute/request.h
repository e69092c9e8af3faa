/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Request: what an operation computes for a region that the host requests, and what is stored already.
 *
 * It is decided when GEGL asks which region of the input is required, and carried out when GEGL asks for the result, in
 * the same thread. In between, another thread may change what is stored. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/buffers/tile-map.h"

G_BEGIN_DECLS

/**
 * CapraRequest:
 * @roi: the requested region
 * @compute: the region to compute; empty if the result is stored
 * @buffer: (nullable): the stored result, if it shows all of @roi
 * @map: (nullable): the stored parts of the result, to which what is computed is added; %NULL if it is not stored in
 *   parts
 * @generation: of the result cache
 */
typedef struct {
  GeglRectangle roi, compute;
  GeglBuffer *buffer;
  CapraTileMap *map;
  guint generation;
} CapraRequest;

void capra_request_clear (CapraRequest *request);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraRequest, capra_request_clear)

/* The number of threads that may render one operation at the same time. What further ones compute is not stored. */
#define CAPRA_MAX_REQUESTS 64

/**
 * CapraRequestList:
 *
 * The requests of an operation between the two calls of GEGL, at most one for each thread.
 */
typedef struct {
  GMutex lock;
  CapraRequest requests[CAPRA_MAX_REQUESTS];
  GThread *threads[CAPRA_MAX_REQUESTS]; /* (nullable): only compared */
  const char *pads[CAPRA_MAX_REQUESTS]; /* interned */
  guint next;                           /* the request that is replaced next if all are used */
} CapraRequestList;

void capra_request_list_init (CapraRequestList *list);
void capra_request_list_clear (CapraRequestList *list);

/* Keeps @request, whose references are taken, for this thread. @pad is the pad for which it was decided. */
void capra_request_list_put (CapraRequestList *list, const char *pad, CapraRequest *request);

/* Sets @compute to the region that this thread decided to compute for @roi on another pad than @pad. Returns %FALSE if
 * it has not decided. */
gboolean capra_request_list_find (CapraRequestList *list, const char *pad, const GeglRectangle *roi,
                                  GeglRectangle *compute);

/* Moves the request of this thread to @request. Returns %FALSE if there is none that contains @roi. */
gboolean capra_request_list_take (CapraRequestList *list, const GeglRectangle *roi, CapraRequest *request);

G_END_DECLS
