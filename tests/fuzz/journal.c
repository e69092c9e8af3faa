/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of journals: it reports only items that exist, and the same ones whatever the size of the parts in which
 * it gets the text. Input: a byte, then the text of a journal. If the lowest bit of the byte is set, the lines follow a
 * good first line, and each gets its checksum. The other bits are the size of the parts. */
#include <string.h>

#include "ui/batch/journal-private.h"

#define ITEMS 100

/* What the reader reports. */
typedef struct {
  guint count;
  guint64 sum, damaged;
  CapraJournalState state;
} Report;

int LLVMFuzzerTestOneInput (const guint8 *data, size_t bytes);

static void
on_item (guint64 item, guint64 size, gpointer data)
{
  Report *report = data;

  g_assert_cmpuint (item, <, ITEMS);
  report->count++;
  report->sum = report->sum * 31 + item * 7 + size;
}

static Report
read_text (const CapraJournalHeader *header, const char *text, gsize length, gsize part)
{
  Report report = { 0, 0, 0, CAPRA_JOURNAL_EMPTY };
  CapraJournalReader *reader = capra_journal_reader_new (header, on_item, &report);

  for (gsize at = 0; at < length; at += part)
    capra_journal_reader_feed (reader, text + at, MIN (part, length - at));
  report.state = capra_journal_reader_end (reader, &report.damaged);
  return report;
}

/* The lines with their checksums, after a good first line. */
static GString *
seal_lines (const CapraJournalHeader *header, const char *text, gsize length)
{
  GString *sealed = g_string_new (NULL);
  g_autofree char *copy = g_strndup (text, length);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  char line[CAPRA_JOURNAL_LINE];

  capra_journal_format_header (line, header);
  g_string_append (sealed, line);
  for (guint i = 0; lines[i]; i++)
    {
      capra_journal_format_line (line, lines[i]);
      g_string_append (sealed, line);
    }
  return sealed;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t bytes)
{
  CapraJournalHeader header = { .items = ITEMS };
  g_autoptr (GString) text = NULL;
  Report whole, parts;

  if (bytes < 1)
    return 0;
  capra_journal_hash (header.graph, "graph");
  capra_journal_hash (header.inputs, "inputs");
  capra_journal_hash (header.options, "options");
  if (data[0] & 1)
    text = seal_lines (&header, (const char *) data + 1, bytes - 1);
  else
    text = g_string_new_len ((const char *) data + 1, (gssize) bytes - 1);
  whole = read_text (&header, text->str, text->len, MAX (text->len, 1));
  parts = read_text (&header, text->str, text->len, 1 + data[0] / 2);
  g_assert_cmpint (whole.state, ==, parts.state);
  g_assert_cmpuint (whole.count, ==, parts.count);
  g_assert_cmpuint (whole.sum, ==, parts.sum);
  g_assert_cmpuint (whole.damaged, ==, parts.damaged);
  g_assert_true (whole.state == CAPRA_JOURNAL_GOOD || whole.count == 0);
  return 0;
}
