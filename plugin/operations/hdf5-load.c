/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:hdf5-load: loads a frame of an HDF5 file. */
#ifdef GEGL_PROPERTIES

/* clang-format off */

property_file_path (path, _ ("File"), "")
  description (_ ("The HDF5 file"))

property_string (dataset, _ ("Data set"), "")
  description (_ ("The data set or group with the frames; empty to find it by the attributes of NeXus"))

property_int (frame, _ ("Frame"), -1)
  value_range (-1, G_MAXINT)
  ui_range (-1, 1000)
  description (_ ("The number of the frame, from 0; -1 for the first one, with a message if there are others"))

/* clang-format on */

#else

#define GEGL_OP_NAME hdf5_load
#define GEGL_OP_C_FILE "hdf5-load.c"
#define CAPRA_OP_IMAGE_SOURCE
#include "plugin/capra-op.h"

#include "plugin/compute/frame-load.h"

static void
forget (GeglProperties *o)
{
  if (o->user_data)
    capra_hdf5_frames_close (o->user_data);
  o->user_data = NULL;
}

/* The open file is kept until the frame is read. */
static gboolean
open_file (GeglOperation *operation, const CapraSourceChoice *choice, CapraSourceInfo *info, GError **error)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);
  g_autoptr (CapraHdf5Frames) frames = capra_hdf5_frames_open (choice->path, choice->part, error);
  const CapraHdf5Shape *shape = NULL;

  forget (o);
  if (!frames)
    return FALSE;
  shape = capra_hdf5_frames_get_shape (frames);
  info->width = shape->width;
  info->height = shape->height;
  info->count = shape->frames;
  o->user_data = g_steal_pointer (&frames);
  return TRUE;
}

static CapraArray *
load (GeglOperation *operation, const CapraSourceChoice *choice, const CapraSourceInfo *info, CapraDevice *device,
      GError **error)
{
  CapraHdf5Frames *frames = GEGL_PROPERTIES (operation)->user_data;

  return capra_hdf5_frames_check (frames, choice->number, error) < 0
           ? NULL
           : capra_frame_load (frames, (guint64) choice->number, device, error);
}

static gboolean
read_pixels (GeglOperation *operation, const CapraSourceChoice *choice, const CapraSourceInfo *info, float *pixels,
             GError **error)
{
  CapraHdf5Frames *frames = GEGL_PROPERTIES (operation)->user_data;

  return capra_hdf5_frames_check (frames, choice->number, error) >= 0
         && capra_hdf5_frames_read_floats (frames, (guint64) choice->number, pixels, error);
}

static void
finalize (GObject *object)
{
  forget (GEGL_PROPERTIES (object));
  G_OBJECT_CLASS (gegl_op_parent_class)->finalize (object);
}

static void
class_init (GeglOpClass *klass)
{
  static const char *const endings[] = { ".h5", ".hdf5", ".nxs", NULL };
  CapraImageSourceClass *source_class = CAPRA_IMAGE_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  source_class->part = "dataset";
  source_class->number = "frame";
  source_class->open = open_file;
  source_class->load = load;
  source_class->read = read_pixels;

  gegl_operation_class_set_keys (
    GEGL_OPERATION_CLASS (klass), "name", "capra:hdf5-load", "title", _ ("Load HDF5 Frame (Capra)"), "categories",
    "hidden:input", "description",
    _ ("Loads a frame of an HDF5 file, such as those of Eiger detectors. Values are not changed; integers above 2^24, "
       "such as the marks of dead pixels, and numbers of 64 bits become the nearest float"),
    NULL);
  capra_image_source_class_handle (source_class, "image/x-hdf", endings);
}

#endif
