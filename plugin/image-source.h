/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CapraImageSource: the base class of operations that load an image from a file.
 *
 * A subclass describes the image and reads its values. The base class opens a file again when it has changed, keeps the
 * image on the device until then, and reports errors: the output is empty if the file cannot be opened, and zeros if
 * its values cannot be read. Without an OpenCL device the image is read into the memory of the host. */
#pragma once

#include <gegl-plugin.h>

#include "formats/fits/fits-header.h"
#include "formats/fits/world-coordinates.h"
#include "plugin/compute/job.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_IMAGE_SOURCE (capra_image_source_get_type ())
GType capra_image_source_get_type (void);
G_DECLARE_DERIVABLE_TYPE (CapraImageSource, capra_image_source, CAPRA, IMAGE_SOURCE, GeglOperationSource)
void capra_image_source_register (GTypeModule *module);

/**
 * CapraSourceInfo:
 * @width: of the image
 * @height: of the image
 * @count: how many such images the file has to choose from by their number
 * @header: (nullable): its keywords
 * @coordinates: (nullable): its world coordinates
 */
typedef struct {
  gsize width, height;
  guint64 count;
  CapraFitsHeader *header;
  CapraWorldCoordinates *coordinates;
} CapraSourceInfo;

void capra_source_info_clear (CapraSourceInfo *info);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraSourceInfo, capra_source_info_clear)

/**
 * CapraSourceChoice:
 * @path: of the file
 * @part: the name of what contains images in it; "" for the default
 * @number: of the image in that part, from 0
 */
typedef struct {
  char *path, *part;
  gint64 number;
} CapraSourceChoice;

/**
 * CapraImageSourceClass:
 * @part: the name of the property, a text, for #CapraSourceChoice
 * @number: the name of the property, an integer, for #CapraSourceChoice; if it is -1, the first image is loaded, with a
 *   message if there are others
 * @open: describes the image in @info, which is empty; the number is checked when it is read, since GEGL opens the file
 *   after each change of a property
 * @read: reads its values, row by row from the top, into @pixels
 * @load: (nullable): (transfer full): as @read, into an array on @device
 *
 * The pixels have the format "Y float", that is linear and without a color curve.
 */
struct _CapraImageSourceClass {
  GeglOperationSourceClass parent_class;
  const char *part, *number;
  gboolean (*open) (GeglOperation *operation, const CapraSourceChoice *choice, CapraSourceInfo *info, GError **error);
  gboolean (*read) (GeglOperation *operation, const CapraSourceChoice *choice, const CapraSourceInfo *info,
                    float *pixels, GError **error);
  CapraArray *(*load) (GeglOperation *operation, const CapraSourceChoice *choice, const CapraSourceInfo *info,
                       CapraDevice *device, GError **error);
};

/* Makes the operation GEGL's loader for files of the MIME type "image/…" @type, and of names that end with one of
 * @endings, ended by NULL. */
void capra_image_source_class_handle (CapraImageSourceClass *klass, const char *type, const char *const *endings);

/* Sets @info to new references to the keywords and coordinates of the image, as it was last opened. The file is opened
 * if it was not. */
void capra_image_source_get_info (GeglOperation *operation, CapraSourceInfo *info);

G_END_DECLS
