/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Hidden reach: how far a change of the input alters the last digits of a result, beyond what GEGL invalidates. */
#include "plugin/compute/hidden-reach.h"

#include "plugin/compute/job.h"

static gint
add_reaches (gint a, gint b)
{
  return a > G_MAXINT - b ? G_MAXINT : a + b;
}

/* One walk upstream. Several paths may lead to an operation: @sums (of GeglOperation and CapraHiddenReach) holds those
 * that were visited. */
typedef struct {
  CapraHiddenReachFunc get_own;
  GHashTable *sums;
} Walk;

static CapraHiddenReach get_sum (GeglOperation *operation, const Walk *walk);

/* The largest sum of the operations on the input pads. */
static CapraHiddenReach
get_upstream (GeglOperation *operation, const Walk *walk)
{
  /* A node that is being freed has given up its operation. */
  g_auto (GStrv) pads = operation->node ? gegl_node_list_input_pads (operation->node) : NULL;
  CapraHiddenReach most = { 0, 0 };

  for (guint i = 0; pads && pads[i]; i++)
    {
      GeglNode *producer = gegl_node_get_producer (operation->node, pads[i], NULL);
      GeglOperation *upstream = producer ? gegl_node_get_gegl_operation (producer) : NULL;

      if (upstream)
        {
          CapraHiddenReach found = get_sum (upstream, walk);

          most = (CapraHiddenReach){ MAX (most.x, found.x), MAX (most.y, found.y) };
        }
    }
  return most;
}

/* The hidden reach of @operation and of all operations upstream. */
static CapraHiddenReach
get_sum (GeglOperation *operation, const Walk *walk)
{
  CapraHiddenReach *sum = g_hash_table_lookup (walk->sums, operation), own;

  if (sum)
    return *sum;
  sum = g_new0 (CapraHiddenReach, 1);
  *sum = get_upstream (operation, walk);
  own = walk->get_own (operation);
  *sum = (CapraHiddenReach){ add_reaches (sum->x, own.x), add_reaches (sum->y, own.y) };
  g_hash_table_insert (walk->sums, operation, sum);
  return *sum;
}

void
capra_hidden_reach_add (GeglOperation *operation, CapraHiddenReachFunc get_own, GeglRectangle *rect)
{
  g_autoptr (GHashTable) sums = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  CapraHiddenReach reach = get_sum (operation, &(Walk){ get_own, sums });

  *rect = capra_rect_enlarge (rect, reach.x, reach.y);
}
