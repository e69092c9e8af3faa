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
  description (_ ("The number of the frame, from 0; -1 for the only frame"))

/* clang-format on */

#else

#define GEGL_OP_NAME hdf5_load
#define GEGL_OP_C_FILE "hdf5-load.c"
#define CAPRA_OP_IMAGE_SOURCE
#include "plugin/capra-op.h"

#include "plugin/compute/frame-load.h"

static char *
dup_key (GeglOperation *operation)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);

  return g_strdup_printf ("%s\n%s\n%d", o->path, o->dataset, o->frame);
}

static void
forget (GeglProperties *o)
{
  if (o->user_data)
    capra_hdf5_frames_close (o->user_data);
  o->user_data = NULL;
}

/* The open file is kept until the frame is read. The number of the frame is checked then, since GEGL opens the file
 * after each change of a property. */
static gboolean
open_file (GeglOperation *operation, CapraSourceInfo *info, GError **error)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);
  g_autoptr (CapraHdf5Frames) frames = capra_hdf5_frames_open (o->path, o->dataset, error);
  const CapraHdf5Shape *shape = NULL;

  forget (o);
  if (!frames)
    return FALSE;
  shape = capra_hdf5_frames_get_shape (frames);
  info->width = shape->width;
  info->height = shape->height;
  o->user_data = g_steal_pointer (&frames);
  return TRUE;
}

static CapraArray *
load (GeglOperation *operation, const CapraSourceInfo *info, CapraDevice *device, GError **error)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);

  gint64 frame = capra_hdf5_frames_check (o->user_data, o->frame, error);

  return frame < 0 ? NULL : capra_frame_load (o->user_data, (guint64) frame, device, error);
}

static gboolean
read_pixels (GeglOperation *operation, const CapraSourceInfo *info, float *pixels, GError **error)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);

  gint64 frame = capra_hdf5_frames_check (o->user_data, o->frame, error);

  return frame >= 0 && capra_hdf5_frames_read_floats (o->user_data, (guint64) frame, pixels, error);
}

static void
finalize (GObject *object)
{
  forget (GEGL_PROPERTIES (object));
  G_OBJECT_CLASS (gegl_op_parent_class)->finalize (object);
}

static void
register_loaders (void)
{
  static const char *const types[] = { "application/x-hdf", "application/x-hdf5", "application/x-nexus" };
  static const char *const endings[] = { ".h5", ".hdf5", ".nxs" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    gegl_operation_handlers_register_loader (types[i], "capra:hdf5-load");
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    gegl_operation_handlers_register_loader (endings[i], "capra:hdf5-load");
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraImageSourceClass *source_class = CAPRA_IMAGE_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  source_class->dup_key = dup_key;
  source_class->open = open_file;
  source_class->load = load;
  source_class->read = read_pixels;

  gegl_operation_class_set_keys (
    operation_class, "name", "capra:hdf5-load", "title", _ ("Load HDF5 Frame (Capra)"), "categories", "hidden:input",
    "description",
    _ ("Loads a frame of an HDF5 file, such as those of Eiger detectors. Values are not changed; integers above 2^24, "
       "such as the marks of dead pixels, become the nearest float"),
    NULL);
  register_loaders ();
}

#endif
