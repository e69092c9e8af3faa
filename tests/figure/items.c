/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items on the page of a figure, for tests. */
#include "tests/figure/items.h"

guint
items_count (const CapraPage *page, CapraItemKind kind)
{
  guint count = 0;

  for (guint i = 0; i < page->items->len; i++)
    count += ((const CapraItem *) page->items->pdata[i])->kind == kind;
  return count;
}

const CapraItem *
items_find (const CapraPage *page, CapraItemKind kind, const char *text)
{
  for (guint i = 0; i < page->items->len; i++)
    {
      const CapraItem *item = page->items->pdata[i];

      if (item->kind == kind && (!text || g_strcmp0 (item->text, text) == 0))
        return item;
    }
  return NULL;
}

static gboolean
overlap (const CapraItem *a, const CapraItem *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

void
items_assert_readable (const CapraPage *page)
{
  for (guint i = 0; i < page->items->len; i++)
    for (guint j = 0; j < i; j++)
      {
        const CapraItem *a = page->items->pdata[i], *b = page->items->pdata[j];

        if (a->kind != CAPRA_ITEM_MARK && b->kind != CAPRA_ITEM_MARK && overlap (a, b))
          g_error ("\"%s\" covers \"%s\"", a->text, b->text);
      }
}

double
item_get_center (const CapraItem *item)
{
  return item->x + item->width / 2;
}
