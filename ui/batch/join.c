/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Join: the results of several processes as one HDF5 file, whose virtual data sets refer to theirs. */
#include "ui/batch/join.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <hdf5.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capra.h"
#include "ui/batch/join-frames.h"
#include "ui/batch/join-texts.h"

#define MAX_RANK 32
#define FRAME CAPRA_JOIN_FRAME

typedef struct {
  const char *path;
  char *name; /* in virtual data sets */
  struct stat status;
  hid_t file; /* -1 if it is not open */
  CapraJoinFrames frames;
} Part;

typedef struct {
  const char *path;
  Part *parts;
  guint count;
  guint stacks;       /* the number of groups that were joined */
  GHashTable *groups; /* the paths of the groups that were made, by identify() of the originals */
  GError **error;
} Join;

static gboolean
fail (Join *join, const char *file, const char *reason)
{
  if (*join->error == NULL)
    g_set_error (join->error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", file, reason);
  return FALSE;
}

/* The rank of a data set, 0 if it has too many dimensions. */
static int
get_sizes (hid_t set, hsize_t *sizes)
{
  hid_t space = H5Dget_space (set);
  int rank = H5Sget_simple_extent_ndims (space);

  rank = rank > 0 && rank <= MAX_RANK && H5Sget_simple_extent_dims (space, sizes, NULL) == rank ? rank : 0;
  H5Sclose (space);
  return rank;
}

static herr_t
copy_attribute (hid_t from, const char *name, const H5A_info_t *info, void *data)
{
  hid_t to = *(hid_t *) data, attribute = H5Aopen (from, name, H5P_DEFAULT), type = H5Aget_type (attribute);
  hid_t space = H5Aget_space (attribute), copy = H5Acreate2 (to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  hssize_t points = H5Sget_simple_extent_npoints (space);
  g_autofree guint8 *bytes = g_try_malloc0_n ((gsize) MAX (points, 1), H5Tget_size (type));
  herr_t status = copy >= 0 && bytes ? H5Aread (attribute, type, bytes) : -1;

  if (status >= 0)
    {
      status = H5Awrite (copy, type, bytes);
      H5Dvlen_reclaim (type, space, H5P_DEFAULT, bytes);
    }
  if (copy >= 0)
    H5Aclose (copy);
  H5Sclose (space);
  H5Tclose (type);
  H5Aclose (attribute);
  return status;
}

/* @name in a virtual data set, where "%" begins a pattern. */
static char *
escape (const char *name)
{
  g_auto (GStrv) pieces = g_strsplit (name, "%", -1);

  return g_strjoinv ("%%", pieces);
}

/* Adds the data set @name of a part to @list, from row @at of @space on. The number of its rows, or -1. */
static gint64
add_part (Join *join, Part *part, const char *name, hid_t list, hid_t space, guint64 at, int rank, const hsize_t *sizes)
{
  g_autofree char *escaped = escape (name), *file = escape (part->name);
  hid_t set = H5Dopen2 (part->file, name, H5P_DEFAULT), source;
  hsize_t own[MAX_RANK] = { 0 }, start[MAX_RANK] = { at };
  gboolean fits = set >= 0 && get_sizes (set, own) == rank && memcmp (own + 1, sizes + 1, (gsize) (rank - 1) * 8) == 0;
  herr_t status;

  if (set >= 0)
    H5Dclose (set);
  if (!fits)
    {
      fail (join, part->path, "its data sets have other sizes than those of the first part, or are missing");
      return -1;
    }
  source = H5Screate_simple (rank, own, NULL);
  H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, own, NULL);
  status = H5Pset_virtual (list, space, file, escaped, source);
  H5Sclose (source);
  return status >= 0 ? (gint64) own[0] : -1;
}

/* The rows of the data set @name of all parts together; 0 if one has none. */
static guint64
count_rows (Join *join, const char *name)
{
  guint64 rows = 0;

  for (guint i = 0; i < join->count; i++)
    {
      hid_t set = H5Dopen2 (join->parts[i].file, name, H5P_DEFAULT);
      hsize_t sizes[MAX_RANK] = { 0 };

      if (set < 0 || get_sizes (set, sizes) == 0)
        rows = 0;
      else
        rows += sizes[0];
      if (set >= 0)
        H5Dclose (set);
      if (rows == 0)
        break;
    }
  return rows;
}

/* Properties of a new object, which are without times, so that the same parts give the same file. */
static hid_t
new_list (hid_t kind)
{
  hid_t list = H5Pcreate (kind);

  H5Pset_obj_track_times (list, FALSE);
  return list;
}

/* Creates a virtual data set like @set, the one of the first part. */
static gboolean
join_set (Join *join, hid_t set, const char *name, hid_t target)
{
  hsize_t sizes[MAX_RANK];
  int rank = get_sizes (set, sizes);
  hid_t list = new_list (H5P_DATASET_CREATE), type = H5Dget_type (set), space, made = -1;
  guint64 at = 0;
  gboolean good = TRUE;

  sizes[0] = count_rows (join, name);
  space = H5Screate_simple (rank, sizes, NULL);
  for (guint i = 0; i < join->count && good; i++)
    {
      gint64 rows = sizes[0] > 0 ? add_part (join, &join->parts[i], name, list, space, at, rank, sizes) : -1;

      good = rows >= 0;
      at += good ? (guint64) rows : 0;
    }
  H5Sselect_all (space);
  if (good)
    made = H5Dcreate2 (target, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  good = made >= 0 && H5Aiterate2 (set, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_attribute, &made) >= 0;
  if (made >= 0)
    H5Dclose (made);
  H5Sclose (space);
  H5Tclose (type);
  H5Pclose (list);
  return good || fail (join, join->path, "the HDF5 library cannot create a virtual data set");
}

static gboolean copy_group (Join *join, hid_t from, const char *path, hid_t target);

/* A text that only links to the same object of the same file have. */
static char *
identify (hid_t object)
{
  H5O_info_t info;

  if (H5Oget_info (object, &info) < 0)
    return NULL;
  return g_strdup_printf ("%lu:%" G_GUINT64_FORMAT, info.fileno, (guint64) info.addr);
}

/* A group may contain itself: what was copied already becomes a link to the copy. */
static gboolean
make_group (Join *join, hid_t object, const char *path, hid_t target)
{
  char *identity = identify (object);
  const char *copied = identity ? g_hash_table_lookup (join->groups, identity) : NULL;
  hid_t list, made = -1;
  gboolean good;

  if (!identity || copied)
    {
      g_free (identity);
      return copied && H5Lcreate_hard (target, copied, target, path, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
  g_hash_table_insert (join->groups, identity, g_strdup (path));
  list = new_list (H5P_GROUP_CREATE);
  made = H5Gcreate2 (target, path, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose (list);
  good = made >= 0 && H5Aiterate2 (object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_attribute, &made) >= 0
         && copy_group (join, object, path, target);
  if (made >= 0)
    H5Gclose (made);
  return good;
}

/* Copies a symbolic link whose target does not exist. */
static gboolean
copy_broken_link (hid_t from, const char *name, hid_t target, const char *path)
{
  H5L_info_t info;

  return H5Lget_info (from, name, &info, H5P_DEFAULT) >= 0 && info.type != H5L_TYPE_HARD
         && H5Lcopy (from, name, target, path, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

/* @frames: of the first part in this group; 0 if its data sets have no frames */
static gboolean
copy_link (Join *join, hid_t from, const char *group, const char *name, guint64 frames, char **axes, hid_t target)
{
  g_autofree char *path = g_strdup_printf ("%s/%s", group, name);
  hid_t object = H5Oopen (from, name, H5P_DEFAULT);
  hsize_t sizes[MAX_RANK] = { 0 };
  gboolean good = FALSE, set = object >= 0 && H5Iget_type (object) == H5I_DATASET;
  gboolean axis = axes && g_strv_contains ((const char *const *) axes, name) && strcmp (name, FRAME) != 0;

  if (object < 0)
    good = copy_broken_link (from, name, target, path);
  else if (set && frames > 0 && !axis && get_sizes (object, sizes) > 0 && sizes[0] == frames)
    good = join_set (join, object, path, target);
  else if (set)
    good = H5Ocopy (from, name, target, path, H5P_DEFAULT, H5P_DEFAULT) >= 0;
  else if (H5Iget_type (object) == H5I_GROUP)
    good = make_group (join, object, path, target);
  if (object >= 0)
    H5Oclose (object);
  return good || fail (join, join->parts[0].path, "the HDF5 library cannot copy a group or a data set");
}

/* The number of frames in a group, if it is a stack of frames. */
static guint64
count_frames (hid_t group, char **axes)
{
  hsize_t sizes[MAX_RANK] = { 0 };
  hid_t set = axes && strcmp (axes[0], FRAME) == 0 && H5Lexists (group, FRAME, H5P_DEFAULT) > 0
                ? H5Dopen2 (group, FRAME, H5P_DEFAULT)
                : -1;

  if (set < 0)
    return 0;
  get_sizes (set, sizes);
  H5Dclose (set);
  return sizes[0];
}

static gboolean
copy_group (Join *join, hid_t from, const char *path, hid_t target)
{
  g_auto (GStrv) class = capra_join_texts_read (from, "NX_class");
  g_auto (GStrv) axes = class && strcmp (class[0], "NXdata") == 0 ? capra_join_texts_read (from, "axes") : NULL;
  guint64 frames = count_frames (from, axes);
  H5G_info_t info;

  join->stacks += frames > 0;
  if (H5Gget_info (from, &info) < 0)
    return fail (join, join->parts[0].path, "the file is damaged");
  for (hsize_t i = 0; i < info.nlinks; i++)
    {
      char name[256];
      gssize length = H5Lget_name_by_idx (from, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);

      if (length <= 0 || length >= (gssize) sizeof name)
        return fail (join, join->parts[0].path, "the name of a data set is too long");
      if (!copy_link (join, from, path, name, frames, axes, target))
        return FALSE;
    }
  return TRUE;
}

/* The name of a part in the joined file: relative to its folder if that is the same. */
static char *
name_part (const char *path, const char *part)
{
  g_autofree char *whole = g_canonicalize_filename (part, NULL), *joined = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole), *other = g_path_get_dirname (joined);

  return strcmp (folder, other) == 0 ? g_path_get_basename (whole) : g_steal_pointer (&whole);
}

/* Under any names, since the parts must not be replaced. */
static gboolean
is_same_file (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static gboolean
open_part (Join *join, Part *part, const char *path)
{
  const char *problem;
  struct stat written;

  *part = (Part){ .path = path, .name = name_part (join->path, path), .file = -1 };
  if (stat (path, &part->status) != 0 || !S_ISREG (part->status.st_mode))
    return fail (join, path, "the file does not exist; has the process that writes it ended?");
  if (stat (join->path, &written) == 0 && is_same_file (&written, &part->status))
    return fail (join, path, "the file is both written and joined");
  for (Part *other = join->parts; other < part; other++)
    if (is_same_file (&other->status, &part->status))
      return fail (join, path, "the file is given twice");
  part->file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (part->file < 0)
    return fail (join, path, "it is not an HDF5 file, or it is damaged");
  problem = capra_join_frames_read (part->file, &part->frames);
  return !problem || fail (join, path, problem);
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *one = a, *other = b;

  return one->frames.first < other->frames.first ? -1 : one->frames.first > other->frames.first;
}

/* Sorts the parts. FALSE if they have frames in common, or are those of different batches. */
static gboolean
order_parts (Join *join)
{
  Part *parts = join->parts;

  qsort (parts, join->count, sizeof *parts, compare_parts);
  for (guint i = 1; i < join->count; i++)
    {
      const CapraJoinFrames *frames = &parts[i].frames, *before = &parts[i - 1].frames;
      g_autofree char *reason = NULL;

      if (frames->begin != before->begin || frames->end != before->end)
        reason = g_strdup_printf ("it is a part of another batch than %s", parts[i - 1].path);
      else if (frames->first <= before->last)
        reason = g_strdup_printf ("frame %" G_GUINT64_FORMAT " is in %s, too; are they parts of different batches?",
                                  frames->first, parts[i - 1].path);
      if (reason)
        return fail (join, parts[i].path, reason);
    }
  return TRUE;
}

/* Sets @missing to the frames that no part has. FALSE if there are any, and they are needed. */
static gboolean
check_missing (Join *join, gboolean incomplete, char **missing)
{
  g_autofree CapraJoinFrames *frames = g_new (CapraJoinFrames, join->count);
  g_autofree char *reason = NULL;

  for (guint i = 0; i < join->count; i++)
    frames[i] = join->parts[i].frames;
  *missing = capra_join_frames_find_missing (frames, join->count);
  if (!*missing || incomplete)
    return TRUE;
  reason = g_strdup_printf ("no part has the frames %s; have all processes ended? --incomplete joins the others",
                            *missing);
  return fail (join, join->path, reason);
}

static gboolean
copy_root (Join *join, hid_t file)
{
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  hid_t root = H5Gopen2 (join->parts[0].file, "/", H5P_DEFAULT);
  char *identity = root >= 0 ? identify (root) : NULL;

  if (root >= 0)
    H5Gclose (root);
  if (!identity)
    return fail (join, join->parts[0].path, "the file is damaged");
  g_hash_table_insert (groups, identity, g_strdup ("/"));
  join->groups = groups;
  if (!copy_group (join, join->parts[0].file, "", file))
    return FALSE;
  return join->stacks > 0
         || fail (join, join->parts[0].path,
                  "it contains no stack of frames: no group of the class NXdata whose first axis is \"" FRAME "\"");
}

static gboolean
create (Join *join, const char *temporary)
{
  hid_t list = H5Pcreate (H5P_FILE_ACCESS), root = new_list (H5P_FILE_CREATE), file = -1;
  gboolean good;

  H5Pset_libver_bounds (list, H5F_LIBVER_V110, H5F_LIBVER_LATEST); /* virtual data sets need it */
  file = H5Fcreate (temporary, H5F_ACC_TRUNC, root, list);
  H5Pclose (root);
  H5Pclose (list);
  if (file < 0)
    return fail (join, join->path, "the file cannot be created; is its folder writable?");
  good = H5Aiterate2 (join->parts[0].file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_attribute, &file) >= 0
         && copy_root (join, file);
  if (H5Fclose (file) < 0)
    good = fail (join, join->path, "the file cannot be written");
  return good;
}

/* Flushes the file to disk and gives it its name. */
static gboolean
commit (Join *join, const char *temporary)
{
  int descriptor = g_open (temporary, O_RDONLY | O_CLOEXEC, 0);
  gboolean good = descriptor >= 0 && fsync (descriptor) == 0 && !capra_fault_write ()
                  && g_rename (temporary, join->path) == 0;
  int code = errno;

  if (descriptor >= 0)
    g_close (descriptor, NULL);
  return good || fail (join, join->path, g_strerror (code));
}

gboolean
capra_join (const char *path, char **parts, guint count, gboolean incomplete, char **missing, GError **error)
{
  g_autofree Part *opened = g_new0 (Part, count);
  g_autofree char *temporary = g_strdup_printf ("%s.%d.part", path, (int) getpid ());
  GError *local = NULL;
  Join join = { path, opened, count, 0, NULL, &local };
  gboolean good = count > 0;

  *missing = NULL;
  capra_hdf5_lock ();
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL); /* it would print its errors */
  for (guint i = 0; i < count; i++)
    good = open_part (&join, &opened[i], parts[i]) && good;
  if (good)
    {
      good = order_parts (&join) && check_missing (&join, incomplete, missing) && create (&join, temporary);
      good = good && commit (&join, temporary);
    }
  for (guint i = 0; i < count; i++)
    {
      if (opened[i].file >= 0)
        H5Fclose (opened[i].file);
      g_free (opened[i].name);
    }
  capra_hdf5_unlock ();
  if (!good)
    g_unlink (temporary);
  if (local)
    g_propagate_error (error, local);
  return good;
}
