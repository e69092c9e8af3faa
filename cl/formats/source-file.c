/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Source file: opens regular files, decompresses gzip, and reads at given positions. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_CLOEXEC beside gnu11 */
#endif
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/source-file.h"

/* A small file can expand to a thousand times its size. */
#define MAX_DECOMPRESSED ((gsize) 4 << 30)
#define FIRST_ROOM ((gsize) 1 << 20)

static const guint8 gzip_magic[2] = { 0x1f, 0x8b };

struct _CapraSourceFile {
  char *path;
  int fd;
  struct stat opened;
  char *memory;
  gsize size; /* of memory */
};

static void
set_errno (const char *path, int code, GError **error)
{
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_READ, _ ("cannot read %s: %s"), path, g_strerror (code));
}

void
capra_source_file_free (CapraSourceFile *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->memory);
  g_free (self->path);
  g_free (self);
}

const char *
capra_source_file_get_path (CapraSourceFile *self)
{
  return self->path;
}

guint64
capra_source_file_get_size (CapraSourceFile *self)
{
  return self->memory ? self->size : (guint64) self->opened.st_size;
}

gpointer
capra_source_file_get_memory (CapraSourceFile *self)
{
  return self->memory;
}

int
capra_source_file_get_descriptor (CapraSourceFile *self)
{
  return self->fd;
}

/* Makes room for more than the @used bytes that are in use. */
static gboolean
grow (CapraSourceFile *self, gsize used, gsize *room, GError **error)
{
  gsize larger = MIN (*room ? 2 * *room : FIRST_ROOM, MAX_DECOMPRESSED);
  char *memory = NULL;

  if (used < *room)
    return TRUE;
  if (larger == *room)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE,
                   _ ("cannot read %s: it has more than 4 GiB when decompressed; decompress it with gunzip"),
                   self->path);
      return FALSE;
    }
  memory = g_try_realloc (self->memory, larger);
  if (!memory)
    {
      set_errno (self->path, ENOMEM, error);
      return FALSE;
    }
  self->memory = memory;
  *room = larger;
  return TRUE;
}

/* Compressed bytes of the file that are not decompressed yet. */
typedef struct {
  guint8 data[1 << 16];
  gsize start, length;
  off_t next; /* where the file is read next */
} Input;

static gboolean
is_gzip (const Input *input)
{
  return input->length >= sizeof gzip_magic && memcmp (input->data + input->start, gzip_magic, sizeof gzip_magic) == 0;
}

static gboolean
refill (CapraSourceFile *self, Input *input, GError **error)
{
  gssize n = 0;

  memmove (input->data, input->data + input->start, input->length);
  input->start = 0;
  do
    n = pread (self->fd, input->data + input->length, sizeof input->data - input->length, input->next);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      set_errno (self->path, errno, error);
      return FALSE;
    }
  input->length += (gsize) n;
  input->next += n;
  return TRUE;
}

/* Decompresses a part of the file. Sets @done at its end, or where something else follows the compressed data. */
static gboolean
decompress_part (CapraSourceFile *self, GConverter *converter, Input *input, gsize room, gboolean *done, GError **error)
{
  g_autoptr (GError) cause = NULL;
  gsize taken = 0, made = 0;
  GConverterResult result = g_converter_convert (converter, input->data + input->start, input->length,
                                                 self->memory + self->size, room - self->size, G_CONVERTER_NO_FLAGS,
                                                 &taken, &made, &cause);

  if (result == G_CONVERTER_ERROR)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED, _ ("cannot decompress %s: %s"), self->path,
                   cause->message);
      return FALSE;
    }
  input->start += taken;
  input->length -= taken;
  self->size += made;
  if (result != G_CONVERTER_FINISHED)
    return TRUE;
  /* gzip files may consist of several parts. */
  if (!refill (self, input, error))
    return FALSE;
  *done = !is_gzip (input);
  g_converter_reset (converter);
  return TRUE;
}

/* Decompresses the file into memory if it begins as gzip files do. */
static gboolean
decompress_if_gzip (CapraSourceFile *self, GError **error)
{
  g_autoptr (GZlibDecompressor) decompressor = NULL;
  g_autofree Input *input = g_new0 (Input, 1);
  gboolean done = FALSE;
  gsize room = 0;

  if (!refill (self, input, error))
    return FALSE;
  if (!is_gzip (input))
    return TRUE;
  decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  while (!done)
    if (!grow (self, self->size, &room, error) || !refill (self, input, error)
        || !decompress_part (self, G_CONVERTER (decompressor), input, room, &done, error))
      return FALSE;
  return TRUE;
}

/* Returns a descriptor; -1 with @error set on failure. */
static int
open_regular (const char *path, struct stat *opened, GError **error)
{
  /* Without these flags a fifo would block, and a terminal could become the controlling one. */
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

  if (fd < 0 || fstat (fd, opened) != 0)
    set_errno (path, errno, error);
  else if (S_ISDIR (opened->st_mode))
    set_errno (path, EISDIR, error);
  else if (!S_ISREG (opened->st_mode))
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_READ, _ ("cannot read %s: it is not a regular file"),
                 path);
  else
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

gboolean
capra_source_file_check (const char *path, GError **error)
{
  struct stat opened = { 0 };
  int fd = open_regular (path, &opened, error);

  if (fd >= 0)
    close (fd);
  return fd >= 0;
}

CapraSourceFile *
capra_source_file_open (const char *path, GError **error)
{
  g_autoptr (CapraSourceFile) self = g_new0 (CapraSourceFile, 1);

  self->path = g_strdup (path);
  self->fd = open_regular (path, &self->opened, error);
  return self->fd >= 0 && decompress_if_gzip (self, error) ? g_steal_pointer (&self) : NULL;
}

gsize
capra_source_file_peek (const char *path, gpointer data, gsize bytes)
{
  g_autoptr (CapraSourceFile) self = g_new0 (CapraSourceFile, 1);
  g_autofree Input *input = g_new0 (Input, 1);
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  gsize taken = 0, made = 0;

  self->path = g_strdup (path);
  self->fd = open_regular (path, &self->opened, NULL);
  if (self->fd < 0 || !refill (self, input, NULL))
    return 0;
  if (is_gzip (input))
    return g_converter_convert (G_CONVERTER (decompressor), input->data, input->length, data, bytes,
                                G_CONVERTER_NO_FLAGS, &taken, &made, NULL)
               != G_CONVERTER_ERROR
             ? made
             : 0;
  made = MIN (bytes, input->length);
  memcpy (data, input->data, made);
  return made;
}

gboolean
capra_source_file_read_descriptor (int fd, const char *path, guint64 offset, gpointer data, gsize bytes, GError **error)
{
  char *to = data;

  while (bytes > 0)
    {
      gssize n = pread (fd, to, bytes, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          set_errno (path, errno, error);
          return FALSE;
        }
      if (n == 0)
        {
          g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_CHANGED, _ ("%s was cut off while it was read"),
                       path);
          return FALSE;
        }
      to += n;
      offset += (guint64) n;
      bytes -= (gsize) n;
    }
  return TRUE;
}

gboolean
capra_source_file_read (CapraSourceFile *self, guint64 offset, gpointer data, gsize bytes, GError **error)
{
  guint64 size = capra_source_file_get_size (self);

  if (offset > size || bytes > size - offset)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED,
                   _ ("%s is cut off: it should have at least %" PRIu64 " bytes, and has %" PRIu64), self->path,
                   offset + bytes, size);
      return FALSE;
    }
  if (!self->memory)
    return capra_source_file_read_descriptor (self->fd, self->path, offset, data, bytes, error);
  memcpy (data, self->memory + offset, bytes);
  return TRUE;
}

gboolean
capra_source_file_check_unchanged (CapraSourceFile *self, GError **error)
{
  struct stat now = { 0 };

  if (fstat (self->fd, &now) != 0)
    {
      set_errno (self->path, errno, error);
      return FALSE;
    }
  if (now.st_size == self->opened.st_size && now.st_mtim.tv_sec == self->opened.st_mtim.tv_sec
      && now.st_mtim.tv_nsec == self->opened.st_mtim.tv_nsec)
    return TRUE;
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_CHANGED, _ ("%s was changed while it was read"),
               self->path);
  return FALSE;
}
