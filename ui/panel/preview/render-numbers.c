/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-numbers: what is computed beside the picture: the tables of steps, where their regions are, and
 * samples of values. */
#include "ui/panel/preview/render-numbers.h"

#include <math.h>

static void
free_table (gpointer data)
{
  CapraStepTable *table = data;

  capra_table_unref (table->table);
  g_free (table);
}

GPtrArray *
capra_step_tables_new (void)
{
  return g_ptr_array_new_with_free_func (free_table);
}

void
capra_step_tables_add (GPtrArray *tables, guint step, CapraTable *table)
{
  CapraStepTable *entry = g_new (CapraStepTable, 1);

  *entry = (CapraStepTable){ step, capra_table_ref (table) };
  g_ptr_array_add (tables, entry);
}

CapraTable *
capra_step_tables_find (GPtrArray *tables, guint step)
{
  for (guint i = 0; i < tables->len; i++)
    {
      const CapraStepTable *entry = tables->pdata[i];

      if (entry->step == step)
        return entry->table;
    }
  return NULL;
}

CapraRegionLabels *
capra_region_labels_new (guint step, const GeglRectangle *rect, double scale)
{
  CapraRegionLabels *labels = g_atomic_rc_box_new0 (CapraRegionLabels);

  labels->step = step;
  labels->rect = *rect;
  labels->scale = scale;
  return labels;
}

CapraRegionLabels *
capra_region_labels_ref (CapraRegionLabels *labels)
{
  return g_atomic_rc_box_acquire (labels);
}

static void
clear (gpointer data)
{
  g_free (((CapraRegionLabels *) data)->labels);
}

void
capra_region_labels_unref (CapraRegionLabels *labels)
{
  g_atomic_rc_box_release_full (labels, clear);
}

guint32
capra_region_labels_get (const CapraRegionLabels *labels, double x, double y)
{
  double column = floor (x * labels->scale) - labels->rect.x, row = floor (y * labels->scale) - labels->rect.y;

  if (!labels->labels || !(column >= 0 && row >= 0 && column < labels->rect.width && row < labels->rect.height))
    return 0;
  return labels->labels[(gsize) row * (gsize) labels->rect.width + (gsize) column];
}
