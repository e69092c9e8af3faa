/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program cache: files of binaries, checked when they are read, and replaced as a whole. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_DIRECTORY and O_CLOEXEC beside gnu11 */
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fault-check.h"
#include "runtime/base/fault.h"
#include "runtime/base/file.h"
#include "runtime/launch/program-cache.h"

#define MAGIC "CapraBin"
#define FORMAT 1u
#define SUM_BYTES 32 /* SHA-256 */
#define MAX_BYTES ((gsize) 64 << 20)

/* Followed by the identity and the binary; @sum is over both. In the machine's byte order: devices are not shared. */
typedef struct {
  char magic[8];
  guint32 format, identity_bytes;
  guint64 binary_bytes;
  guint8 sum[SUM_BYTES];
} Header;

/* The file of a program, and the identity that it must contain. */
typedef struct {
  int folder; /* open, or -1 */
  char *name;
  GString *identity;
} Entry;

static void
entry_clear (Entry *entry)
{
  if (entry->folder >= 0)
    close (entry->folder);
  g_free (entry->name);
  if (entry->identity)
    g_string_free (entry->identity, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Entry, entry_clear)

static uid_t
cache_owner (const CapraProgramCache *cache)
{
  return cache->shared ? 0 : geteuid ();
}

/* Opens the folder if only its owner can create files in it; otherwise -1. */
static int
open_folder (const CapraProgramCache *cache, gboolean create)
{
  struct stat found = { 0 };
  int fd = -1;

  if (create
      && !(cache->shared ? g_mkdir_with_parents (cache->folder, 0755) == 0 : capra_file_create_folder (cache->folder)))
    return -1;
  fd = open (cache->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && fstat (fd, &found) == 0 && found.st_uid == cache_owner (cache)
      && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return fd;
  if (fd >= 0)
    {
      g_info ("the kernel cache %s is not used: it belongs to another user, or others may write to it", cache->folder);
      close (fd);
    }
  return -1;
}

/* What a binary was built from and for, a line each. */
static GString *
identity_new (CapraContext *context, const char *source, const char *options)
{
  const CapraDeviceInfo *info = context->info;
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, source, -1);
  GString *identity = g_string_new (NULL);

  g_string_printf (identity, "%s\n%s\n%s\n%s\n%s\n%s\n", sum, options, info->platform_name, info->name, info->version,
                   info->driver);
  return identity;
}

static gboolean
entry_init (Entry *entry, const CapraProgramCache *cache, gboolean create, CapraContext *context, const char *source,
            const char *options)
{
  g_autofree char *sum = NULL;

  entry->identity = identity_new (context, source, options);
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, entry->identity->str, (gssize) entry->identity->len);
  entry->name = g_strconcat (sum, ".bin", NULL);
  entry->folder = open_folder (cache, create);
  return entry->folder >= 0;
}

/* The sum over the identity and the binary. */
static void
compute_sum (const GString *identity, gconstpointer binary, gsize bytes, guint8 sum[SUM_BYTES])
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = SUM_BYTES;

  g_checksum_update (checksum, (const guchar *) identity->str, (gssize) identity->len);
  g_checksum_update (checksum, binary, (gssize) bytes);
  g_checksum_get_digest (checksum, sum, &length);
}

/* The binary within the @length bytes of a file; NULL if any of them is wrong. */
static const guchar *
find_binary (const GString *identity, const char *data, gsize length, gsize *bytes)
{
  guint8 sum[SUM_BYTES];
  const char *binary = data + sizeof (Header) + identity->len;
  Header header;

  if (length <= sizeof header + identity->len)
    return NULL;
  memcpy (&header, data, sizeof header);
  *bytes = length - sizeof header - identity->len;
  if (memcmp (header.magic, MAGIC, sizeof header.magic) != 0 || header.format != FORMAT
      || header.identity_bytes != identity->len || header.binary_bytes != *bytes
      || memcmp (data + sizeof header, identity->str, identity->len) != 0)
    return NULL;
  compute_sum (identity, binary, *bytes, sum);
  return memcmp (header.sum, sum, sizeof sum) == 0 ? (const guchar *) binary : NULL;
}

static cl_program
build_binary (CapraContext *context, const guchar *binary, gsize bytes, const char *options)
{
  cl_int status = CL_SUCCESS, binary_status = CL_SUCCESS;
  cl_program program = clCreateProgramWithBinary (context->cl, 1, &context->cl_device, &bytes, &binary, &binary_status,
                                                  &status);

  if (status == CL_SUCCESS)
    status = capra_fault_check (context->device, CAPRA_FAULT_BUILD);
  if (status == CL_SUCCESS && binary_status == CL_SUCCESS)
    status = clBuildProgram (program, 1, &context->cl_device, options, NULL, NULL);
  if (status == CL_SUCCESS && binary_status == CL_SUCCESS)
    return program;
  if (program)
    clReleaseProgram (program);
  return NULL;
}

/* Whether the driver loads the binary that it returned. PoCL reads parts of a binary from files of its cache, and omits
 * those that are missing, or truncated by a full disk; it then ends the process that loads the binary. Better this
 * process, once, than every process that finds it in the cache. */
static gboolean
loads_again (CapraContext *context, const guchar *binary, gsize bytes, const char *options)
{
  cl_program program = capra_context_compiles_slowly (context) ? build_binary (context, binary, bytes, options) : NULL;
  cl_uint count = 0;
  gboolean good = !capra_context_compiles_slowly (context)
                  || (program && clCreateKernelsInProgram (program, 0, NULL, &count) == CL_SUCCESS && count > 0);

  if (program)
    clReleaseProgram (program);
  return good;
}

/* Removes a file that cannot be used; not for a temporary reason, such as a lack of descriptors. */
static void
remove_unusable (const CapraProgramCache *cache, const Entry *entry, const GError *error, const char *damage)
{
  if (error && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM)
      && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES)
      && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NXIO))
    return;
  g_info ("%s/%s is not used: %s", cache->folder, entry->name, error ? error->message : damage);
  if (!cache->shared && unlinkat (entry->folder, entry->name, 0) != 0)
    unlinkat (entry->folder, entry->name, AT_REMOVEDIR);
}

cl_program
capra_program_cache_load (const CapraProgramCache *cache, CapraContext *context, const char *source,
                          const char *options)
{
  const CapraFileRule rule = { cache_owner (cache), FALSE, FALSE, S_IWGRP | S_IWOTH, MAX_BYTES };
  g_auto (Entry) entry = { -1, NULL, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  const guchar *binary = NULL;
  gsize length = 0, bytes = 0;
  cl_program program = NULL;

  if (!entry_init (&entry, cache, !cache->shared, context, source, options))
    return NULL;
  data = capra_file_read (entry.folder, entry.name, &rule, &length, &error);
  binary = data ? find_binary (entry.identity, data, length, &bytes) : NULL;
  if (binary && !capra_context_check_compiler (context, NULL))
    return NULL;
  program = binary ? build_binary (context, binary, bytes, options) : NULL;
  if (!program)
    remove_unusable (cache, &entry, error, binary ? "the driver rejects it" : "it is damaged");
  return program;
}

static gboolean
write_all (int fd, gconstpointer data, gsize bytes)
{
  const char *next = data;

  while (bytes > 0)
    {
      gssize n = capra_fault_write () ? -1 : write (fd, next, bytes);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      next += n;
      bytes -= (gsize) n;
    }
  return TRUE;
}

/* Writes a temporary file and renames it: other processes find the complete file, or none. */
static gboolean
write_entry (const Entry *entry, mode_t mode, gconstpointer binary, gsize bytes)
{
  Header header = { .format = FORMAT, .identity_bytes = (guint32) entry->identity->len, .binary_bytes = bytes };
  g_autofree char *temporary = g_strdup_printf (".%d-%08x", (int) getpid (), g_random_int ());
  int fd = openat (entry->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  gboolean written = FALSE;

  if (fd < 0)
    return FALSE;
  memcpy (header.magic, MAGIC, sizeof header.magic);
  compute_sum (entry->identity, binary, bytes, header.sum);
  written = write_all (fd, &header, sizeof header) && write_all (fd, entry->identity->str, entry->identity->len)
            && write_all (fd, binary, bytes);
  written = close (fd) == 0 && written && !capra_fault_write ()
            && renameat (entry->folder, temporary, entry->folder, entry->name) == 0;
  if (!written)
    unlinkat (entry->folder, temporary, 0);
  return written;
}

gboolean
capra_program_cache_save (const CapraProgramCache *cache, CapraContext *context, const char *source,
                          const char *options, cl_program program)
{
  g_auto (Entry) entry = { -1, NULL, NULL };
  g_autofree guchar *binary = NULL;
  gsize bytes = 0;

  if (clGetProgramInfo (program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS || bytes == 0
      || bytes > MAX_BYTES / 2)
    return FALSE;
  binary = g_malloc (bytes);
  return clGetProgramInfo (program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS
         && capra_context_check_compiler (context, NULL) && loads_again (context, binary, bytes, options)
         && entry_init (&entry, cache, TRUE, context, source, options)
         && write_entry (&entry, cache->shared ? 0644 : 0600, binary, bytes);
}

const CapraProgramCache *
capra_program_cache_user (void)
{
  static CapraProgramCache cache;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      cache.folder = g_build_filename (g_get_user_cache_dir (), "capra", "kernels", NULL);
      g_once_init_leave (&ready, 1);
    }
  return &cache;
}

const CapraProgramCache *
capra_program_cache_shared (void)
{
  static CapraProgramCache cache = { .shared = TRUE };
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      const char *folder = g_getenv ("CAPRA_SHARED_KERNELS");

      cache.folder = folder && *folder ? g_strdup (folder) : CAPRA_SHARED_KERNELS;
      g_once_init_leave (&ready, 1);
    }
  return &cache;
}
