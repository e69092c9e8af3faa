/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-report: what `capra run --progress` prints about each image of a batch. */
#pragma once

#include <gio/gio.h>

#include "ui/panel/batch/batch-item.h"

G_BEGIN_DECLS

/* Reads the lines and sets the states of the items. */
typedef struct _CapraBatchReport CapraBatchReport;

/* @items: (element-type CapraBatchItem): in the order of the arguments of the program */
CapraBatchReport *capra_batch_report_new (GListModel *items);
void capra_batch_report_free (CapraBatchReport *report);

/* @line: without its end, in any encoding */
void capra_batch_report_add_line (CapraBatchReport *report, const char *line);
/* After the last line. Returns: the number of items that were not processed */
guint capra_batch_report_end (CapraBatchReport *report);

/* The number of items with a result or an error. */
guint capra_batch_report_count (CapraBatchReport *report);
/* (nullable): the last error that is not about one of the items. */
const char *capra_batch_report_get_error (CapraBatchReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraBatchReport, capra_batch_report_free)

G_END_DECLS
