/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5 driver: reads regular files, or records where values are. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_CLOEXEC beside gnu11 */
#endif
#include "formats/hdf5/hdf5-driver.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORDER "capra-recorder"
#define MAX_ADDRESS ((haddr_t) G_MAXINT64)

typedef struct {
  H5FD_t parent;
  char *path;
  int fd;
  dev_t device;
  ino_t inode;
  haddr_t eoa;
} File;

/* As of now: a detector may still write to the file. */
static guint64
get_file_size (const File *file)
{
  struct stat found = { 0 };

  return fstat (file->fd, &found) == 0 ? (guint64) found.st_size : 0;
}

static H5FD_t *
open_file (const char *name, unsigned flags, hid_t access, haddr_t maximum)
{
  struct stat found = { 0 };
  File *file = NULL;
  int fd = -1;

  if (flags & (H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC))
    return NULL;
  /* Without these flags a fifo would block, and a terminal could become the controlling one. */
  fd = open (name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  if (fstat (fd, &found) != 0 || !S_ISREG (found.st_mode))
    {
      close (fd);
      return NULL;
    }
  file = g_new0 (File, 1);
  file->path = g_strdup (name);
  file->fd = fd;
  file->device = found.st_dev;
  file->inode = found.st_ino;
  return &file->parent;
}

static herr_t
close_file (H5FD_t *handle)
{
  File *file = (File *) handle;

  close (file->fd);
  g_free (file->path);
  g_free (file);
  return 0;
}

/* libhdf5 opens a file once that is linked several times. */
static int
compare_files (const H5FD_t *a, const H5FD_t *b)
{
  const File *first = (const File *) a, *second = (const File *) b;

  if (first->device != second->device)
    return first->device < second->device ? -1 : 1;
  if (first->inode != second->inode)
    return first->inode < second->inode ? -1 : 1;
  return 0;
}

static herr_t
query (const H5FD_t *handle, unsigned long *flags)
{
  /* Without a sieve buffer, which would keep values that were only recorded. */
  *flags = H5FD_FEAT_ACCUMULATE_METADATA_READ | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t
get_eoa (const H5FD_t *handle, H5FD_mem_t type)
{
  return ((const File *) handle)->eoa;
}

static herr_t
set_eoa (H5FD_t *handle, H5FD_mem_t type, haddr_t address)
{
  ((File *) handle)->eoa = address;
  return 0;
}

static haddr_t
get_eof (const H5FD_t *handle, H5FD_mem_t type)
{
  return get_file_size ((const File *) handle);
}

/* (nullable): the recorder in the transfer properties @transfer. */
static CapraHdf5Recorder *
get_recorder (hid_t transfer)
{
  CapraHdf5Recorder *recorder = NULL;

  if (transfer <= 0 || H5Pexist (transfer, RECORDER) <= 0 || H5Pget (transfer, RECORDER, &recorder) < 0)
    return NULL;
  return recorder;
}

static void
record (CapraHdf5Recorder *recorder, File *file, haddr_t address, size_t size)
{
  *recorder = (CapraHdf5Recorder){ .path = file->path,
                                   .descriptor = file->fd,
                                   .offset = address,
                                   .length = size,
                                   .file_size = get_file_size (file),
                                   .count = recorder->count + 1 };
}

static herr_t
read_file (H5FD_t *handle, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer)
{
  File *file = (File *) handle;
  CapraHdf5Recorder *recorder = type == H5FD_MEM_DRAW ? get_recorder (transfer) : NULL;
  char *data = buffer;

  if (recorder)
    {
      record (recorder, file, address, size);
      return 0;
    }
  if (address > (haddr_t) G_MAXINT64 || size > G_MAXINT64 - address)
    return -1;
  while (size > 0)
    {
      gssize n = pread (file->fd, data, size, (off_t) address);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0) /* libhdf5 expects zeros beyond the end of a file, for metadata that was allocated early */
        {
          memset (data, 0, size);
          return type == H5FD_MEM_DRAW ? -1 : 0;
        }
      data += n;
      address += (haddr_t) n;
      size -= (size_t) n;
    }
  return 0;
}

/* The file is never opened for writing. */
static herr_t
write_file (H5FD_t *handle, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, const void *buffer)
{
  return -1;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
  .version = H5FD_CLASS_VERSION,
  .value = 700, /* outside of what the HDF Group has assigned */
#endif
  .name = "capra",
  .maxaddr = MAX_ADDRESS,
  .fc_degree = H5F_CLOSE_WEAK,
  .open = open_file,
  .close = close_file,
  .cmp = compare_files,
  .query = query,
  .get_eoa = get_eoa,
  .set_eoa = set_eoa,
  .get_eof = get_eof,
  .read = read_file,
  .write = write_file,
  .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t
capra_hdf5_driver_new_access (void)
{
  static gsize driver = 0;
  hid_t access = H5Pcreate (H5P_FILE_ACCESS);

  if (g_once_init_enter (&driver))
    {
      hid_t id = H5FDregister (&driver_class);

      g_once_init_leave (&driver, id > 0 ? (gsize) id : G_MAXSIZE);
    }
  if (access >= 0 && (driver == G_MAXSIZE || H5Pset_driver (access, (hid_t) driver, NULL) < 0))
    {
      H5Pclose (access);
      access = -1;
    }
  return access;
}

hid_t
capra_hdf5_driver_new_recording (CapraHdf5Recorder *recorder)
{
  hid_t transfer = H5Pcreate (H5P_DATASET_XFER);

  if (transfer >= 0
      && H5Pinsert2 (transfer, RECORDER, sizeof recorder, &recorder, NULL, NULL, NULL, NULL, NULL, NULL) < 0)
    {
      H5Pclose (transfer);
      transfer = -1;
    }
  return transfer;
}
