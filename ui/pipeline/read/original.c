/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Original: the image file that a result was computed from, which is named in the result. */
#include "ui/pipeline/read/original.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/pipeline/read/png-chunks.h"
#include "ui/pipeline/regular-file.h"

#define GROUP "original"
#define BLOCK (1 << 20)

/* What is known of the file of an image. */
typedef struct {
  char *path, *dataset;
  guint64 frame;
  gint64 size, seconds, nanoseconds;
} Mark;

static GQuark
mark_quark (void)
{
  return g_quark_from_static_string ("capra-original");
}

static void
mark_free (gpointer data)
{
  Mark *mark = data;

  g_free (mark->path);
  g_free (mark->dataset);
  g_free (mark);
}

static gboolean
read_times (const char *path, Mark *mark)
{
  GStatBuf info = { 0 };

  if (g_stat (path, &info) != 0)
    return FALSE;
  mark->size = info.st_size;
  mark->seconds = info.st_mtim.tv_sec;
  mark->nanoseconds = info.st_mtim.tv_nsec;
  return TRUE;
}

void
capra_original_mark (GeglBuffer *image, GFile *file, const char *dataset, guint64 frame, gint64 since)
{
  g_autofree char *path = g_file_get_path (file);
  Mark *mark = NULL;
  Mark now = { .frame = frame };

  if (!path || !read_times (path, &now) || now.seconds * G_USEC_PER_SEC + now.nanoseconds / 1000 >= since)
    return;
  mark = g_memdup2 (&now, sizeof now);
  mark->dataset = g_strdup (dataset);
  mark->path = g_canonicalize_filename (path, NULL);
  g_object_set_qdata_full (G_OBJECT (image), mark_quark (), mark, mark_free);
}

/* (nullable): the SHA-256 of the contents. */
static char *
hash_file (const char *path)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *block = g_malloc (BLOCK);
  int descriptor = capra_open_regular (path, NULL);
  gssize length = 0;

  if (descriptor < 0)
    return NULL;
  while ((length = read (descriptor, block, BLOCK)) > 0)
    g_checksum_update (checksum, block, length);
  close (descriptor);
  return length == 0 ? g_strdup (g_checksum_get_string (checksum)) : NULL;
}

char *
capra_original_describe (GeglBuffer *image)
{
  const Mark *mark = g_object_get_qdata (G_OBJECT (image), mark_quark ());
  g_autoptr (GKeyFile) text = g_key_file_new ();
  g_autofree char *hash = NULL, *uri = NULL;
  Mark now = { 0 };

  if (!mark)
    return NULL;
  hash = hash_file (mark->path);
  uri = g_filename_to_uri (mark->path, NULL, NULL);
  if (!hash || !uri || !read_times (mark->path, &now) || now.size != mark->size || now.seconds != mark->seconds
      || now.nanoseconds != mark->nanoseconds)
    return NULL;
  g_key_file_set_string (text, GROUP, "uri", uri);
  g_key_file_set_string (text, GROUP, "sha256", hash);
  g_key_file_set_uint64 (text, GROUP, "frame", mark->frame);
  if (mark->dataset)
    g_key_file_set_string (text, GROUP, "dataset", mark->dataset);
  return g_key_file_to_data (text, NULL, NULL);
}

void
capra_original_free (CapraOriginal *original)
{
  g_clear_object (&original->file);
  g_free (original->name);
  g_free (original->hash);
  g_free (original->dataset);
  g_free (original);
}

/* Whether @file is the original, if it is not @result itself, which has replaced it. */
static CapraOriginalState
check (GFile *file, GFile *result, const char *hash)
{
  g_autofree char *path = g_file_get_path (file), *now = NULL;

  if (!path || g_file_equal (file, result) || !(now = hash_file (path)))
    return CAPRA_ORIGINAL_MISSING;
  return g_strcmp0 (now, hash) == 0 ? CAPRA_ORIGINAL_FOUND : CAPRA_ORIGINAL_CHANGED;
}

/* At its path, else in the folder of the result, with which it may have been moved. */
static void
search (CapraOriginal *original, const char *uri, const char *hash, GFile *result)
{
  g_autoptr (GFile) first = g_file_new_for_uri (uri), folder = g_file_get_parent (result), second = NULL;
  CapraOriginalState beside = CAPRA_ORIGINAL_MISSING;

  original->name = g_file_get_basename (first);
  original->state = check (first, result, hash);
  if (folder && original->name && original->state != CAPRA_ORIGINAL_FOUND)
    {
      second = g_file_get_child (folder, original->name);
      beside = check (second, result, hash);
    }
  if (beside > original->state)
    {
      original->state = beside;
      g_set_object (&first, second);
    }
  if (original->state != CAPRA_ORIGINAL_MISSING)
    original->file = g_steal_pointer (&first);
}

CapraOriginal *
capra_original_find (GFile *result)
{
  CapraOriginal *original = g_new0 (CapraOriginal, 1);
  g_autofree char *path = g_file_get_path (result), *text = NULL, *uri = NULL;
  g_autoptr (GKeyFile) keys = g_key_file_new ();

  text = path ? capra_png_find_text (path, CAPRA_PNG_ORIGINAL) : NULL;
  if (!text || !g_key_file_load_from_data (keys, text, strlen (text), G_KEY_FILE_NONE, NULL))
    return original;
  uri = g_key_file_get_string (keys, GROUP, "uri", NULL);
  original->hash = g_key_file_get_string (keys, GROUP, "sha256", NULL);
  original->dataset = g_key_file_get_string (keys, GROUP, "dataset", NULL);
  original->frame = g_key_file_get_uint64 (keys, GROUP, "frame", NULL);
  if (uri && original->hash && g_str_has_prefix (uri, "file:"))
    search (original, uri, original->hash, result);
  return original;
}

static gboolean
has_hash (GFile *file, const char *expected)
{
  g_autofree char *path = g_file_get_path (file), *hash = path ? hash_file (path) : NULL;

  return g_strcmp0 (hash, expected) == 0;
}

gboolean
capra_original_is (const CapraOriginal *original, GFile *file)
{
  return has_hash (file, original->hash);
}

static void
find (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, capra_original_find (data), (GDestroyNotify) capra_original_free);
}

void
capra_original_find_async (GFile *result, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);

  g_task_set_task_data (task, g_object_ref (result), g_object_unref);
  g_task_run_in_thread (task, find);
}

CapraOriginal *
capra_original_find_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

static void
compare (GTask *task, gpointer file, gpointer hash, GCancellable *cancellable)
{
  g_task_return_boolean (task, has_hash (file, hash));
}

void
capra_original_is_async (const CapraOriginal *original, GFile *file, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (file, NULL, callback, data);

  g_task_set_task_data (task, g_strdup (original->hash), g_free);
  g_task_run_in_thread (task, compare);
}

gboolean
capra_original_is_finish (GAsyncResult *result)
{
  return g_task_propagate_boolean (G_TASK (result), NULL);
}
