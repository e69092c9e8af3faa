/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Journal-private: the lines of a journal, for its reader and its writer. */
#pragma once

#include "ui/batch/journal.h"

G_BEGIN_DECLS

#define CAPRA_JOURNAL_MAGIC "capra-run-journal 1"
#define CAPRA_JOURNAL_LINE 256 /* bytes, with the end */

/* Appends a checksum and the end of the line. */
void capra_journal_format_line (char line[CAPRA_JOURNAL_LINE], const char *text);
void capra_journal_format_header (char line[CAPRA_JOURNAL_LINE], const CapraJournalHeader *header);

G_END_DECLS
