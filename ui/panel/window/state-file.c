/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State-file: images and steps of the windows, saved for the next start: a key file with one group per window, and a
 * lock file. */
#include "ui/panel/window/state-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/write-text.h"

#define MAX_BYTES (32 << 20)
#define MAX_WINDOWS 32
#define MAX_PLAIN 8 /* windows without steps */
#define MAX_READS 2 /* without a write in between */
#define MAX_PROCESSES 8
#define SESSION "session"
#define READS "reads"
#define IMAGE "image"
#define DATASET "data-set"
#define FRAME "frame"
#define STEPS "steps"

struct _CapraStateFile {
  char *name, *path;
  guint number;
  int lock;
};

CapraWindowState *
capra_window_state_copy (const CapraWindowState *state)
{
  CapraWindowState *copy = g_new0 (CapraWindowState, 1);

  copy->image = g_strdup (state->image);
  copy->dataset = g_strdup (state->dataset);
  copy->frame = state->frame;
  copy->steps = g_strdup (state->steps);
  copy->unsaved = state->unsaved;
  return copy;
}

void
capra_window_state_free (CapraWindowState *state)
{
  g_free (state->image);
  g_free (state->dataset);
  g_free (state->steps);
  g_free (state);
}

static void
state_free (gpointer state)
{
  capra_window_state_free (state);
}

void
capra_window_states_limit (GPtrArray *states)
{
  int oldest = -1; /* of those without steps */
  guint plain = 0;

  for (guint i = states->len; i > 0; i--)
    if (!((const CapraWindowState *) states->pdata[i - 1])->steps)
      {
        plain++;
        oldest = (int) i - 1;
      }
  if (plain > MAX_PLAIN)
    g_ptr_array_remove_index (states, (guint) oldest);
  else if (states->len > MAX_WINDOWS)
    g_ptr_array_remove_index (states, (guint) MAX (oldest, 0));
}

/* NAME.ini and its lock for the first process, NAME-2.ini for the second. */
static char *
get_path (const char *name, guint number, const char *suffix)
{
  g_autofree char *file = number == 0 ? g_strconcat (name, suffix, NULL)
                                      : g_strdup_printf ("%s-%u%s", name, number + 1, suffix);

  return g_build_filename (g_get_user_state_dir (), "capra", file, NULL);
}

/* %NULL with @error set if another process has the file, or if the lock cannot be created. */
static CapraStateFile *
open_number (const char *name, guint number, GError **error)
{
  g_autofree char *path = get_path (name, number, ".lock");
  int lock = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600), code = errno;
  CapraStateFile *state_file = NULL;

  if (lock >= 0 && flock (lock, LOCK_EX | LOCK_NB) != 0)
    {
      code = errno;
      g_close (lock, NULL);
      lock = -1;
    }
  if (lock < 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", path, g_strerror (code));
      return NULL;
    }
  state_file = g_new0 (CapraStateFile, 1);
  state_file->name = g_strdup (name);
  state_file->path = get_path (name, number, ".ini");
  state_file->number = number;
  state_file->lock = lock;
  return state_file;
}

CapraStateFile *
capra_state_file_open (const char *name, GError **error)
{
  g_autofree char *first = get_path (name, 0, ".ini"), *folder = g_path_get_dirname (first);
  g_autoptr (GError) local = NULL;
  CapraStateFile *state_file = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    g_set_error (&local, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
  for (guint i = 0; i < MAX_PROCESSES && !state_file && (!local || i > 0); i++)
    {
      g_clear_error (&local);
      state_file = open_number (name, i, &local);
    }
  if (!state_file)
    g_propagate_error (error, g_steal_pointer (&local));
  return state_file;
}

void
capra_state_file_close (CapraStateFile *state_file)
{
  g_close (state_file->lock, NULL);
  g_free (state_file->name);
  g_free (state_file->path);
  g_free (state_file);
}

/* Reads a regular file of at most MAX_BYTES. */
static char *
read_text (const char *path, gsize *length, GError **error)
{
  int descriptor = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  g_autofree char *text = NULL;
  struct stat status;
  ssize_t done = 0, got = 0;

  if (descriptor < 0)
    {
      int code = errno;

      g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
      return NULL;
    }
  if (fstat (descriptor, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size > MAX_BYTES)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           _ ("the file is larger than 32 MiB, or not a regular file"));
      g_close (descriptor, NULL);
      return NULL;
    }
  text = g_malloc ((gsize) status.st_size + 1);
  while (
    done < status.st_size
    && ((got = read (descriptor, text + done, (size_t) (status.st_size - done))) > 0 || (got < 0 && errno == EINTR)))
    done += MAX (got, 0);
  g_close (descriptor, NULL);
  text[done] = '\0';
  *length = (gsize) done;
  return g_steal_pointer (&text);
}

static gboolean
check_reads (GKeyFile *file, GError **error)
{
  if (g_key_file_get_integer (file, SESSION, READS, NULL) < MAX_READS)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       _ ("the program ended twice while opening these windows"));
  return FALSE;
}

static GKeyFile *
read_file (CapraStateFile *state_file, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  gsize length = 0;
  g_autofree char *text = read_text (state_file->path, &length, error);

  if (!text || (length > 0 && !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error))
      || !check_reads (file, error))
    return NULL;
  return g_steal_pointer (&file);
}

/* Renames the file, so that it is not overwritten. */
static void
move_aside (CapraStateFile *state_file, GError **error, GError *reason)
{
  g_autofree char *aside = g_strconcat (state_file->path, ".unused", NULL);
  gboolean moved = g_rename (state_file->path, aside) == 0;

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               _ ("The windows of the last session cannot be restored: %s. See “%s”."), reason->message,
               moved ? aside : state_file->path);
}

static void
append_states (GPtrArray *states, GKeyFile *file)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] && states->len < MAX_WINDOWS; i++)
    {
      CapraWindowState *state = NULL;

      if (g_str_equal (groups[i], SESSION))
        continue;
      state = g_new0 (CapraWindowState, 1);
      state->image = g_key_file_get_string (file, groups[i], IMAGE, NULL);
      state->dataset = g_key_file_get_string (file, groups[i], DATASET, NULL);
      state->frame = g_key_file_get_uint64 (file, groups[i], FRAME, NULL);
      state->steps = g_key_file_get_string (file, groups[i], STEPS, NULL);
      g_ptr_array_add (states, state);
    }
}

/* @reads: how often the file was read since a process has shown its windows */
static gboolean
write_states (CapraStateFile *state_file, GPtrArray *states, int reads, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < states->len; i++)
    {
      const CapraWindowState *state = states->pdata[i];
      g_autofree char *group = g_strdup_printf ("window %u", i);

      if (state->image)
        g_key_file_set_string (file, group, IMAGE, state->image);
      if (state->dataset)
        g_key_file_set_string (file, group, DATASET, state->dataset);
      if (state->frame > 0)
        g_key_file_set_uint64 (file, group, FRAME, state->frame);
      if (state->steps)
        g_key_file_set_string (file, group, STEPS, state->steps);
    }
  if (reads > 0)
    g_key_file_set_integer (file, SESSION, READS, reads);
  text = g_key_file_to_data (file, NULL, NULL);
  return capra_write_private (state_file->path, text, error);
}

/* The file of a process that has ended is removed as soon as its states are in this one. */
static void
take_over (CapraStateFile *state_file, guint number, GPtrArray *states, int reads)
{
  CapraStateFile *other = open_number (state_file->name, number, NULL);
  g_autoptr (GKeyFile) file = other ? read_file (other, NULL) : NULL;
  guint before = states->len;

  if (file && before < MAX_WINDOWS)
    {
      append_states (states, file);
      if (states->len > before && write_states (state_file, states, reads, NULL))
        g_remove (other->path);
    }
  if (other)
    capra_state_file_close (other);
}

GPtrArray *
capra_state_file_read (CapraStateFile *state_file, GError **error)
{
  GPtrArray *states = g_ptr_array_new_with_free_func (state_free);
  g_autoptr (GError) reason = NULL;
  g_autoptr (GKeyFile) file = read_file (state_file, &reason);
  int reads = 1;

  if (file)
    {
      reads += g_key_file_get_integer (file, SESSION, READS, NULL);
      append_states (states, file);
    }
  else if (!g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    move_aside (state_file, error, reason);
  for (guint i = 0; i < MAX_PROCESSES; i++)
    if (i != state_file->number)
      take_over (state_file, i, states, reads);
  if (states->len > 0)
    write_states (state_file, states, reads, NULL); /* what prevents this is reported by the first change */
  return states;
}

gboolean
capra_state_file_write (CapraStateFile *state_file, GPtrArray *states, GError **error)
{
  return write_states (state_file, states, 0, error);
}
