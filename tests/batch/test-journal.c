/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal of a batch: damaged, of another batch, of several processes, on a full disk. */
#include "ui/batch/journal.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 1000
#define ROUNDS 300

static const CapraRanks alone = { 0, 1 };
static char *folder;

static void
on_item (guint64 item, guint64 size, gpointer data)
{
  guint *counts = data;

  g_assert_cmpuint (item, <, ITEMS);
  g_assert_cmpuint (size, ==, 7 * item);
  counts[item]++;
}

static void
init_header (CapraJournalHeader *header)
{
  *header = (CapraJournalHeader){ .items = ITEMS };
  capra_journal_hash (header->graph, "graph");
  capra_journal_hash (header->inputs, "inputs");
  capra_journal_hash (header->options, "options");
}

static CapraJournal *
open_journal (const char *path, gboolean resume, guint *counts)
{
  CapraJournalHeader header;
  g_autoptr (GError) error = NULL;
  CapraJournal *journal;

  init_header (&header);
  journal = capra_journal_open (path, &alone, &header, resume ? on_item : NULL, counts, &error);
  g_assert_no_error (error);
  return journal;
}

static void
add (CapraJournal *journal, guint64 item)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (capra_journal_add (journal, item, 7 * item, &error));
  g_assert_no_error (error);
}

/* Cut at every byte, a journal lists the items of all whole lines, and can be continued. */
static void
test_cut (void)
{
  g_autofree char *path = g_build_filename (folder, "cut.journal", NULL), *text = NULL;
  CapraJournal *journal = open_journal (path, FALSE, NULL);
  gsize length;

  for (guint i = 0; i < 5; i++)
    add (journal, i);
  capra_journal_close (journal, FALSE);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  for (gsize cut = 0; cut <= length; cut++)
    {
      guint counts[ITEMS] = { 0 }, again[ITEMS] = { 0 }, lines = 0;

      for (gsize i = 0; i < cut; i++)
        lines += text[i] == '\n';
      g_assert_true (g_file_set_contents (path, text, (gssize) cut, NULL));
      journal = open_journal (path, TRUE, counts);
      add (journal, 900);
      capra_journal_close (journal, FALSE);
      for (guint i = 0; i < 5; i++)
        g_assert_cmpuint (counts[i], ==, i + 1 < lines);
      if (cut < length && text[cut] != '\n' && lines > 0 && cut > 0 && text[cut - 1] != '\n')
        g_test_expect_message ("Capra", G_LOG_LEVEL_WARNING, "*1 damaged lines*");
      journal = open_journal (path, TRUE, again);
      g_test_assert_expected_messages ();
      capra_journal_close (journal, FALSE);
      g_assert_cmpuint (again[900], ==, 1);
    }
}

/* Refused journals stay as they are, and no other one is created. */
static void
test_other (void)
{
  static const struct {
    gsize field;
    const char *message;
  } cases[] = {
    { G_STRUCT_OFFSET (CapraJournalHeader, graph), "another graph" },
    { G_STRUCT_OFFSET (CapraJournalHeader, inputs), "other inputs" },
    { G_STRUCT_OFFSET (CapraJournalHeader, options), "other options" },
  };
  const CapraRanks second = { 1, 2 };
  g_autofree char *path = g_build_filename (folder, "other.journal", NULL), *before = NULL;
  g_autofree char *own = capra_ranks_name_part (&second, path);
  CapraJournal *journal = open_journal (path, FALSE, NULL);

  add (journal, 3);
  capra_journal_close (journal, FALSE);
  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < 2; k++)
      {
        CapraJournalHeader header;
        g_autoptr (GError) error = NULL;
        g_autofree char *after = NULL;
        guint counts[ITEMS] = { 0 };

        init_header (&header);
        capra_journal_hash ((char *) &header + cases[i].field, "changed");
        g_assert_null (capra_journal_open (path, k ? &second : &alone, &header, on_item, counts, &error));
        g_assert_nonnull (strstr (error->message, cases[i].message));
        g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
        g_assert_cmpstr (after, ==, before);
        g_assert_false (g_file_test (own, G_FILE_TEST_EXISTS));
      }
}

/* Items of all ranks, of any number of ranks, are read. */
static void
test_ranks (void)
{
  g_autofree char *path = g_build_filename (folder, "ranks.journal", NULL);
  guint counts[ITEMS] = { 0 };
  CapraJournalHeader header;

  init_header (&header);
  for (guint rank = 0; rank < 3; rank++)
    {
      const CapraRanks ranks = { rank, 3 };
      CapraJournal *journal = capra_journal_open (path, &ranks, &header, NULL, NULL, NULL);

      add (journal, 10 + rank);
      capra_journal_close (journal, FALSE);
    }
  capra_journal_close (open_journal (path, TRUE, counts), FALSE);
  for (guint i = 0; i < 20; i++)
    g_assert_cmpuint (counts[i], ==, i >= 10 && i < 13);
}

/* A second process gets an error, which names the journal. */
static void
test_taken (void)
{
  g_autofree char *path = g_build_filename (folder, "taken.journal", NULL);
  CapraJournal *first = open_journal (path, FALSE, NULL);
  CapraJournalHeader header;
  g_autoptr (GError) error = NULL;

  init_header (&header);
  g_assert_null (capra_journal_open (path, &alone, &header, NULL, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN);
  g_assert_nonnull (strstr (error->message, path));
  capra_journal_close (first, TRUE);
}

/* Opens and removes the journal again and again. FALSE if an open one was not the file of that name. */
static gboolean
open_and_remove (const char *path, guint rounds)
{
  for (guint got = 0; got < rounds;)
    {
      CapraJournalHeader header;
      CapraJournal *journal;
      guint counts[ITEMS] = { 0 };
      g_autofree char *text = NULL;

      init_header (&header);
      journal = capra_journal_open (path, &alone, &header, on_item, counts, NULL);
      if (!journal)
        {
          g_usleep ((gulong) g_random_int_range (0, 200));
          continue;
        }
      got++;
      add (journal, got % ITEMS);
      if (!g_file_get_contents (path, &text, NULL, NULL) || !strstr (text, "\ndone "))
        return FALSE; /* the line went to a file that another process had removed */
      capra_journal_close (journal, TRUE);
    }
  return TRUE;
}

/* Two processes begin and end at the same time: neither writes to a journal that the other one has removed. */
static void
test_removed (void)
{
  g_autofree char *path = g_build_filename (folder, "removed.journal", NULL);
  pid_t child = fork ();
  int status = 0;

  if (child == 0)
    _exit (open_and_remove (path, ROUNDS) ? 0 : 1);
  g_assert_true (open_and_remove (path, ROUNDS));
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

static void
set_limit (rlim_t bytes)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = bytes;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* A file that cannot grow for a while, in the middle of a line: later lines are read. */
static void
test_full (void)
{
  g_autofree char *path = g_build_filename (folder, "full.journal", NULL);
  g_autoptr (GError) error = NULL;
  guint counts[ITEMS] = { 0 };
  CapraJournal *journal;
  struct stat status;

  signal (SIGXFSZ, SIG_IGN);
  journal = open_journal (path, FALSE, NULL);
  add (journal, 1);
  g_assert_cmpint (stat (path, &status), ==, 0);
  set_limit ((rlim_t) status.st_size + 9);
  g_assert_false (capra_journal_add (journal, 2, 14, &error));
  g_assert_nonnull (strstr (error->message, path));
  set_limit (RLIM_INFINITY);
  add (journal, 3);
  capra_journal_close (journal, FALSE);
  g_test_expect_message ("Capra", G_LOG_LEVEL_WARNING, "*1 damaged lines*");
  capra_journal_close (open_journal (path, TRUE, counts), TRUE);
  g_test_assert_expected_messages ();
  for (guint i = 0; i < 5; i++)
    g_assert_cmpuint (counts[i], ==, i == 1 || i == 3);
}

static void
test_no_folder (void)
{
  g_autofree char *path = g_build_filename (folder, "missing", "x.journal", NULL);
  g_autoptr (GError) error = NULL;
  CapraJournalHeader header;

  init_header (&header);
  g_assert_null (capra_journal_open (path, &alone, &header, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "cannot write to the folder"));
}

static void
remove_files (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("capra-journal-XXXXXX", NULL);
  g_test_add_func ("/journal/cut", test_cut);
  g_test_add_func ("/journal/other", test_other);
  g_test_add_func ("/journal/ranks", test_ranks);
  g_test_add_func ("/journal/taken", test_taken);
  g_test_add_func ("/journal/removed", test_removed);
  g_test_add_func ("/journal/full", test_full);
  g_test_add_func ("/journal/no-folder", test_no_folder);
  status = g_test_run ();
  remove_files ();
  g_free (folder);
  return status;
}
