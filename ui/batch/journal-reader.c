/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Journal reader: parses the text of a journal, which may be damaged. */
#include "ui/batch/journal-private.h"

#include <stdio.h>
#include <string.h>

struct _CapraJournalReader {
  CapraJournalHeader header;
  CapraJournalFunc func;
  gpointer data;
  char line[CAPRA_JOURNAL_LINE];
  gsize length; /* of the line that is being read */
  gboolean long_line;
  guint64 lines; /* before that one */
  guint64 damaged;
  CapraJournalState state;
};

void
capra_journal_hash (char hash[CAPRA_JOURNAL_HASH + 1], const char *text)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  g_strlcpy (hash, sum, CAPRA_JOURNAL_HASH + 1);
}

void
capra_journal_format_line (char line[CAPRA_JOURNAL_LINE], const char *text)
{
  char sum[CAPRA_JOURNAL_HASH + 1];

  capra_journal_hash (sum, text);
  g_snprintf (line, CAPRA_JOURNAL_LINE, "%s %s\n", text, sum);
}

void
capra_journal_format_header (char line[CAPRA_JOURNAL_LINE], const CapraJournalHeader *header)
{
  g_autofree char *text = g_strdup_printf (CAPRA_JOURNAL_MAGIC
                                           " graph %s inputs %s options %s items %" G_GUINT64_FORMAT,
                                           header->graph, header->inputs, header->options, header->items);

  capra_journal_format_line (line, text);
}

/* Removes the checksum at the end of @line. FALSE if it is wrong. */
static gboolean
check_sum (char *line)
{
  char *space = strrchr (line, ' '), sum[CAPRA_JOURNAL_HASH + 1];

  if (!space)
    return FALSE;
  *space = '\0';
  capra_journal_hash (sum, line);
  return strcmp (sum, space + 1) == 0;
}

static CapraJournalState
read_header (CapraJournalReader *reader)
{
  const CapraJournalHeader *wanted = &reader->header;
  g_auto (GStrv) words = NULL;
  g_autofree char *items = g_strdup_printf ("%" G_GUINT64_FORMAT, wanted->items);

  if (!check_sum (reader->line) || !g_str_has_prefix (reader->line, CAPRA_JOURNAL_MAGIC " "))
    return CAPRA_JOURNAL_DAMAGED;
  words = g_strsplit (reader->line + strlen (CAPRA_JOURNAL_MAGIC " "), " ", 9);
  if (g_strv_length (words) != 8)
    return CAPRA_JOURNAL_DAMAGED;
  if (strcmp (words[1], wanted->graph) != 0)
    return CAPRA_JOURNAL_OTHER_GRAPH;
  if (strcmp (words[3], wanted->inputs) != 0 || strcmp (words[7], items) != 0)
    return CAPRA_JOURNAL_OTHER_INPUTS;
  return strcmp (words[5], wanted->options) != 0 ? CAPRA_JOURNAL_OTHER_OPTIONS : CAPRA_JOURNAL_GOOD;
}

/* FALSE if the line is damaged. */
static gboolean
read_item (CapraJournalReader *reader)
{
  g_auto (GStrv) words = NULL;
  guint64 item, size;

  if (reader->long_line || !check_sum (reader->line))
    return FALSE;
  words = g_strsplit (reader->line, " ", 4);
  if (g_strv_length (words) != 3 || strcmp (words[0], "done") != 0 || reader->header.items == 0
      || !g_ascii_string_to_unsigned (words[1], 10, 0, reader->header.items - 1, &item, NULL)
      || !g_ascii_string_to_unsigned (words[2], 10, 0, G_MAXUINT64, &size, NULL))
    return FALSE;
  reader->func (item, size, reader->data);
  return TRUE;
}

static void
end_line (CapraJournalReader *reader)
{
  reader->line[reader->length] = '\0';
  if (reader->lines == 0)
    reader->state = reader->long_line ? CAPRA_JOURNAL_DAMAGED : read_header (reader);
  else if (reader->state == CAPRA_JOURNAL_GOOD && (reader->length > 0 || reader->long_line))
    reader->damaged += !read_item (reader);
  reader->lines++;
  reader->length = 0;
  reader->long_line = FALSE;
}

CapraJournalReader *
capra_journal_reader_new (const CapraJournalHeader *header, CapraJournalFunc func, gpointer data)
{
  CapraJournalReader *reader = g_new0 (CapraJournalReader, 1);

  reader->header = *header;
  reader->func = func;
  reader->data = data;
  reader->state = CAPRA_JOURNAL_EMPTY;
  return reader;
}

void
capra_journal_reader_feed (CapraJournalReader *reader, const char *bytes, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (bytes[i] == '\n')
      end_line (reader);
    else if (bytes[i] == '\0' || reader->length + 1 >= sizeof reader->line)
      reader->long_line = TRUE; /* no line of a journal contains this */
    else
      reader->line[reader->length++] = bytes[i];
}

CapraJournalState
capra_journal_reader_end (CapraJournalReader *reader, guint64 *damaged)
{
  CapraJournalState state = reader->state;

  /* The process was killed while it wrote the last line. */
  *damaged = reader->damaged;
  g_free (reader);
  return state;
}
