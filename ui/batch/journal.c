/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Journal: the finished items of a batch, in a file beside the results. */
#include "ui/batch/journal-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fault.h"

#define SUFFIX ".journal"
#define BLOCK 65536        /* bytes */
#define SYNC_EVERY 1000000 /* microseconds */
#define MAX_TRIES 100      /* on a file system whose numbers of files change */

struct _CapraJournal {
  GMutex mutex;
  int descriptor;
  char *path;
  gint64 synced; /* time */
  gboolean unsynced;
  gboolean torn; /* the last line may be incomplete */
};

static gboolean
fail (GError **error, const char *what, const char *path)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "cannot %s the journal \"%s\": %s", what, path,
               g_strerror (code));
  return FALSE;
}

char *
capra_journal_name (const char *pattern)
{
  g_autofree char *whole = g_canonicalize_filename (pattern, NULL);
  g_autofree char *folder = g_strdup (pattern), *name = NULL, *parent = NULL;
  char hash[CAPRA_JOURNAL_HASH + 1], *brace = strchr (folder, '{');

  capra_journal_hash (hash, whole);
  if (brace)
    *brace = '\0';
  if (g_str_has_suffix (folder, G_DIR_SEPARATOR_S) || (!brace && g_file_test (folder, G_FILE_TEST_IS_DIR)))
    parent = g_strdup (folder);
  else
    parent = g_path_get_dirname (folder);
  name = g_strdup_printf (".capra-run-%s" SUFFIX, hash);
  return g_build_filename (parent, name, NULL);
}

/* The journals of all ranks: those whose names begin as @path does. */
static GPtrArray *
list_journals (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *found;

  name[strlen (name) - strlen (SUFFIX)] = '\0';
  while (dir && (found = g_dir_read_name (dir)))
    if (g_str_has_prefix (found, name) && g_str_has_suffix (found, SUFFIX))
      g_ptr_array_add (paths, g_build_filename (folder, found, NULL));
  return paths;
}

/* Feeds the whole file. FALSE with errno set. */
static gboolean
feed_file (int descriptor, CapraJournalReader *reader)
{
  g_autofree char *bytes = g_malloc (BLOCK);
  gssize length;

  while ((length = read (descriptor, bytes, BLOCK)) != 0)
    {
      if (length < 0 && errno == EINTR)
        continue;
      if (length < 0)
        return FALSE;
      capra_journal_reader_feed (reader, bytes, (gsize) length);
    }
  return TRUE;
}

static gboolean
check_state (CapraJournalState state, const char *path, GError **error)
{
  static const char *const other[] = { [CAPRA_JOURNAL_OTHER_GRAPH] = "another graph",
                                       [CAPRA_JOURNAL_OTHER_INPUTS] = "other inputs, or inputs that have changed",
                                       [CAPRA_JOURNAL_OTHER_OPTIONS] = "other options" };

  if (state == CAPRA_JOURNAL_GOOD || state == CAPRA_JOURNAL_EMPTY)
    return TRUE;
  if (state == CAPRA_JOURNAL_DAMAGED)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                 "the journal \"%s\" is damaged; remove it, or run without --resume, to process all items", path);
  else
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                 "the interrupted batch had %s (journal \"%s\"); run it as before, or without --resume to process all "
                 "items",
                 other[state], path);
  return FALSE;
}

static gboolean
read_one (const char *path, const CapraJournalHeader *header, CapraJournalFunc func, gpointer data, GError **error)
{
  int descriptor = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  CapraJournalReader *reader;
  guint64 damaged;
  gboolean good;
  int code;

  if (descriptor < 0)
    return fail (error, "open", path);
  reader = capra_journal_reader_new (header, func, data);
  good = feed_file (descriptor, reader);
  code = errno;
  g_close (descriptor, NULL);
  if (!check_state (capra_journal_reader_end (reader, &damaged), path, good ? error : NULL) && good)
    return FALSE;
  errno = code;
  if (!good)
    return fail (error, "read", path);
  if (damaged > 0)
    g_warning ("%s: %" G_GUINT64_FORMAT " damaged lines are ignored; their items are processed again", path, damaged);
  return TRUE;
}

/* Reads the journals of all ranks, also of another number of ranks. */
static gboolean
read_all (const char *path, const CapraJournalHeader *header, CapraJournalFunc func, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) paths = list_journals (path);

  for (guint i = 0; i < paths->len; i++)
    if (!read_one (paths->pdata[i], header, func, data, error))
      return FALSE;
  return TRUE;
}

/* FALSE with errno set. */
static gboolean
write_line (int descriptor, const char *line)
{
  gsize length = strlen (line);

  while (length > 0)
    {
      gssize written = capra_fault_write () ? -1 : write (descriptor, line, length);

      if (written < 0 && errno != EINTR)
        return FALSE;
      if (written <= 0)
        continue;
      line += written;
      length -= (gsize) written;
    }
  return TRUE;
}

/* The first line, or the end of a line that an earlier process did not complete. */
static gboolean
begin (CapraJournal *journal, const CapraJournalHeader *header, gboolean keep)
{
  char line[CAPRA_JOURNAL_LINE], last = '\n';
  struct stat status;

  if (fstat (journal->descriptor, &status) != 0 || (!keep && ftruncate (journal->descriptor, 0) != 0))
    return FALSE;
  if (keep && status.st_size > 0)
    return pread (journal->descriptor, &last, 1, status.st_size - 1) == 1
           && (last == '\n' || write_line (journal->descriptor, "\n"));
  capra_journal_format_header (line, header);
  return write_line (journal->descriptor, line) && (fsync (journal->descriptor) == 0 || errno == EINVAL);
}

/* A journal that ends before the end of its first line is begun again. */
static gboolean
has_header (const char *path)
{
  char bytes[CAPRA_JOURNAL_LINE];
  int descriptor = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  gssize length = descriptor >= 0 ? read (descriptor, bytes, sizeof bytes) : 0;

  if (descriptor >= 0)
    g_close (descriptor, NULL);
  return length > 0 && memchr (bytes, '\n', (gsize) length);
}

/* Whether @path still names the open file: its last user may have removed it meanwhile. */
static gboolean
is_named (int descriptor, const char *path)
{
  struct stat own, named;

  return fstat (descriptor, &own) == 0 && lstat (path, &named) == 0 && own.st_dev == named.st_dev
         && own.st_ino == named.st_ino;
}

/* Opens the file for this process alone. Negative with @error set. */
static int
open_locked (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int descriptor, code;

  for (guint tries = 0; (descriptor = g_open (path, O_CREAT | O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666)) >= 0;
       tries++)
    {
      /* Some file systems of networks have no locks. */
      if (flock (descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        {
          g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
                       "another process is writing the same results (it uses the journal \"%s\")", path);
          g_close (descriptor, NULL);
          return -1;
        }
      if (tries == MAX_TRIES || is_named (descriptor, path))
        return descriptor;
      g_close (descriptor, NULL);
    }
  code = errno;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "cannot write to the folder \"%s\": %s", folder,
               g_strerror (code));
  return -1;
}

static void
remove_empty (CapraJournal *journal)
{
  struct stat status;

  if (fstat (journal->descriptor, &status) == 0 && status.st_size == 0)
    g_unlink (journal->path);
}

CapraJournal *
capra_journal_open (const char *path, const CapraRanks *ranks, const CapraJournalHeader *header, CapraJournalFunc func,
                    gpointer data, GError **error)
{
  g_autofree char *own = capra_ranks_name_part (ranks, path);
  int descriptor = open_locked (own, error);
  CapraJournal *journal;
  gboolean read;

  if (descriptor < 0)
    return NULL;
  journal = g_new0 (CapraJournal, 1);
  g_mutex_init (&journal->mutex);
  journal->descriptor = descriptor;
  journal->path = g_steal_pointer (&own);
  journal->synced = g_get_monotonic_time ();
  read = !func || read_all (path, header, func, data, error);
  if (read && begin (journal, header, func && has_header (journal->path)))
    return journal;
  if (read)
    fail (error, "write", journal->path);
  remove_empty (journal);
  capra_journal_close (journal, FALSE);
  return NULL;
}

gboolean
capra_journal_add (CapraJournal *journal, guint64 item, guint64 size, GError **error)
{
  g_autofree char *text = g_strdup_printf ("done %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, item, size);
  char line[CAPRA_JOURNAL_LINE];
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&journal->mutex);
  gint64 now = g_get_monotonic_time ();

  capra_journal_format_line (line, text);
  /* The disk may be full only for a while. */
  if ((journal->torn && !write_line (journal->descriptor, "\n")) || !write_line (journal->descriptor, line))
    {
      journal->torn = TRUE;
      return fail (error, "write", journal->path);
    }
  journal->torn = FALSE;
  journal->unsynced = now - journal->synced < SYNC_EVERY;
  if (journal->unsynced)
    return TRUE;
  journal->synced = now;
  return fdatasync (journal->descriptor) == 0 || errno == EINVAL || fail (error, "write", journal->path);
}

void
capra_journal_close (CapraJournal *journal, gboolean remove)
{
  if (remove)
    g_unlink (journal->path);
  else if (journal->unsynced && fdatasync (journal->descriptor) != 0)
    g_debug ("%s: %s", journal->path, g_strerror (errno));
  g_close (journal->descriptor, NULL);
  g_mutex_clear (&journal->mutex);
  g_free (journal->path);
  g_free (journal);
}
