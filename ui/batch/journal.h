/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Journal: the finished items of a batch, in a file beside the results, so that an interrupted batch can be resumed.
 *
 * A text file: a line that describes the batch, then a line for each finished item, each with a checksum. Lines are
 * only appended. A line that is incomplete or damaged is ignored: its item is processed again. */
#pragma once

#include <glib.h>

#include "ui/batch/ranks.h"

G_BEGIN_DECLS

/* The most items of a batch. */
#define CAPRA_MAX_ITEMS G_GUINT64_CONSTANT (0x7fffffff)
#define CAPRA_JOURNAL_HASH 16

/**
 * CapraJournalHeader:
 * @graph: a hash of what is computed
 * @inputs: a hash of the names, sizes and times of the inputs
 * @options: a hash of all else on which the results depend
 * @items: the number of items, of all ranks
 */
typedef struct {
  char graph[CAPRA_JOURNAL_HASH + 1], inputs[CAPRA_JOURNAL_HASH + 1], options[CAPRA_JOURNAL_HASH + 1];
  guint64 items;
} CapraJournalHeader;

/* Sets @hash to a hash of @text. */
void capra_journal_hash (char hash[CAPRA_JOURNAL_HASH + 1], const char *text);

/* Is called for each finished item. @size: what was passed to capra_journal_add() */
typedef void (*CapraJournalFunc) (guint64 item, guint64 size, gpointer data);

typedef enum {
  CAPRA_JOURNAL_GOOD,
  CAPRA_JOURNAL_EMPTY,   /* the process ended before it wrote the first line */
  CAPRA_JOURNAL_DAMAGED, /* the first line */
  CAPRA_JOURNAL_OTHER_GRAPH,
  CAPRA_JOURNAL_OTHER_INPUTS,
  CAPRA_JOURNAL_OTHER_OPTIONS,
} CapraJournalState;

/* Reads a journal in parts of any size, in bounded memory. */
typedef struct _CapraJournalReader CapraJournalReader;
CapraJournalReader *capra_journal_reader_new (const CapraJournalHeader *header, CapraJournalFunc func, gpointer data);
void capra_journal_reader_feed (CapraJournalReader *reader, const char *bytes, gsize length);
/* Ends the text and frees the reader. @damaged: (out): the number of lines that were ignored */
CapraJournalState capra_journal_reader_end (CapraJournalReader *reader, guint64 *damaged);

typedef struct _CapraJournal CapraJournal;

/* The journal for results whose names are @pattern: "a/{name}.png" -> "a/.capra-run-0123456789abcdef.journal". */
char *capra_journal_name (const char *pattern);

/**
 * capra_journal_open:
 * @path: as capra_journal_name() returns it
 * @func: (nullable): is called for the items that processes of any rank have finished, also if the number of ranks was
 *   another; without it, the batch begins anew
 *
 * Opens the journal of this rank for writing, and creates it if it is missing. The journals are read when no other
 * process of this rank can write them any more.
 *
 * Returns: (nullable): %NULL with @error set; that of #G_FILE_ERROR_AGAIN means that another process has opened it
 */
CapraJournal *capra_journal_open (const char *path, const CapraRanks *ranks, const CapraJournalHeader *header,
                                  CapraJournalFunc func, gpointer data, GError **error);

/* Adds a finished item, whose results are on disk. For any thread. The lines of the last second may be lost if the
 * machine fails, but none if only the process is killed. */
gboolean capra_journal_add (CapraJournal *journal, guint64 item, guint64 size, GError **error);

/* @remove: whether to remove the file */
void capra_journal_close (CapraJournal *journal, gboolean remove);

G_END_DECLS
