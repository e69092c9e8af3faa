/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Request: what an operation computes for a region that the host requests, and what is stored already.
 *
 * It is decided when GEGL asks which region of the input is required, and carried out when GEGL asks for the result, in
 * the same thread. In between, another thread may change what is stored. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/compute/job.h"
#include "plugin/compute/result-cache.h"

G_BEGIN_DECLS

/**
 * CapraRequest:
 * @roi: the requested region
 * @compute: the region to compute; empty if the result is stored
 * @buffer: (nullable): the stored result, if it shows all of @roi
 * @map: (nullable): the stored parts of the result, to which what is computed is added; %NULL if it is not stored in
 *   parts
 * @alone: whether what is computed is not stored, in spite of @map
 * @unstored: whether nothing that is computed is stored; @map is %NULL then
 * @substitute: whether the operation was computed and has no pixels of its own (see CapraStoredResult): the input in
 *   @compute, or what replaces it, is the output
 * @generation: of the result cache
 */
typedef struct {
  GeglRectangle roi, compute;
  GeglBuffer *buffer;
  CapraTileMap *map;
  gboolean alone, unstored, substitute;
  guint generation;
} CapraRequest;

/**
 * CapraResultKind:
 * @get_required: the region of the input that a region of the result depends on
 * @state: a number that differs if the result differs for another reason than GEGL knows
 * @whole: whether every pixel depends on the whole input
 * @converts: whether the operation converts its result to the format of the tiles
 */
typedef struct {
  CapraRequiredFunc get_required;
  guint state;
  gboolean whole, converts;
} CapraResultKind;

/* Decides what to compute for @roi of the result of @operation, which is stored in @cache. */
void capra_request_init (CapraRequest *request, GeglOperation *operation, CapraResultCache *cache,
                         const CapraResultKind *kind, const GeglRectangle *roi);

/* Makes @request store nothing. Of a result that would be stored in parts, only @roi is computed then; it is within the
 * requested region. */
void capra_request_set_unstored (CapraRequest *request, const GeglRectangle *roi);

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

/* Sets @compute and @substitute to those of the request that this thread has made for @roi on another pad than @pad.
 * Returns %FALSE if there is none. */
gboolean capra_request_list_find (CapraRequestList *list, const char *pad, const GeglRectangle *roi,
                                  GeglRectangle *compute, gboolean *substitute);

/* Moves the request of this thread to @request. Returns %FALSE if there is none that contains @roi. */
gboolean capra_request_list_take (CapraRequestList *list, const GeglRectangle *roi, CapraRequest *request);

G_END_DECLS
