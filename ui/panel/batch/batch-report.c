/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-report: what `capra run --progress` prints about each image of a batch.
 *
 * The program reports the images in their order. A line "[3/10] INPUT -> OUTPUT, 12 ms" follows each result. Lines
 * "capra run: INPUT: MESSAGE" are warnings, if such a line follows, else the error of the image. */
#include "ui/panel/batch/batch-report.h"

#include <stdio.h>
#include <string.h>

#define PROGRAM "capra run: "

struct _CapraBatchReport {
  GListModel *items;
  guint next;        /* the first item without a result or an error */
  GString *messages; /* about this item */
  char *error;       /* about the batch */
};

CapraBatchReport *
capra_batch_report_new (GListModel *items)
{
  CapraBatchReport *report = g_new0 (CapraBatchReport, 1);

  report->items = g_object_ref (items);
  report->messages = g_string_new (NULL);
  return report;
}

void
capra_batch_report_free (CapraBatchReport *report)
{
  g_object_unref (report->items);
  g_string_free (report->messages, TRUE);
  g_free (report->error);
  g_free (report);
}

static void
finish_next (CapraBatchReport *report, CapraBatchState state)
{
  g_autoptr (CapraBatchItem) item = g_list_model_get_item (report->items, report->next);

  capra_batch_item_set_state (item, state, report->messages->len > 0 ? report->messages->str : NULL);
  g_string_truncate (report->messages, 0);
  report->next++;
}

/* Items that were passed over have failed. */
static void
fail_until (CapraBatchReport *report, guint end)
{
  while (report->next < end)
    finish_next (report, CAPRA_BATCH_FAILED);
}

/* (nullable): the message, if @text is "INPUT: MESSAGE" for the item @i. */
static const char *
find_message (CapraBatchReport *report, guint i, const char *text)
{
  g_autoptr (CapraBatchItem) item = g_list_model_get_item (report->items, i);
  const char *path = capra_batch_item_get_path (item);
  gsize length = strlen (path);

  return strncmp (text, path, length) == 0 && g_str_has_prefix (text + length, ": ") ? text + length + 2 : NULL;
}

static void
add_message (CapraBatchReport *report, const char *text)
{
  guint count = g_list_model_get_n_items (report->items);

  for (guint i = report->next; i < count; i++)
    {
      const char *message = find_message (report, i, text);
      g_autofree char *valid = message ? g_utf8_make_valid (message, -1) : NULL;

      if (!message)
        continue;
      fail_until (report, i);
      g_string_append_printf (report->messages, "%s%s", report->messages->len > 0 ? "\n" : "", valid);
      return;
    }
  g_free (report->error);
  report->error = g_utf8_make_valid (text, -1);
}

void
capra_batch_report_add_line (CapraBatchReport *report, const char *line)
{
  guint number = 0, of = 0, count = g_list_model_get_n_items (report->items);

  if (sscanf (line, "[%u/%u] ", &number, &of) == 2 && of == count && number > report->next && number <= count)
    {
      fail_until (report, number - 1);
      finish_next (report, CAPRA_BATCH_DONE);
    }
  else if (g_str_has_prefix (line, PROGRAM))
    add_message (report, line + strlen (PROGRAM));
}

guint
capra_batch_report_end (CapraBatchReport *report)
{
  guint count = g_list_model_get_n_items (report->items), left;

  if (report->next < count && report->messages->len > 0)
    finish_next (report, CAPRA_BATCH_FAILED);
  left = count - report->next;
  while (report->next < count)
    finish_next (report, CAPRA_BATCH_LEFT);
  return left;
}

guint
capra_batch_report_count (CapraBatchReport *report)
{
  return report->next;
}

const char *
capra_batch_report_get_error (CapraBatchReport *report)
{
  return report->error;
}
