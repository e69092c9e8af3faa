/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items on the page of a figure, for tests. */
#pragma once

#include "ui/figure/page.h"

G_BEGIN_DECLS

guint items_count (const CapraPage *page, CapraItemKind kind);
/* (nullable): the first item of that kind, with that text unless @text is %NULL. */
const CapraItem *items_find (const CapraPage *page, CapraItemKind kind, const char *text);
/* No text covers another one. */
void items_assert_readable (const CapraPage *page);
/* The horizontal center of its box. */
double item_get_center (const CapraItem *item);

G_END_DECLS
