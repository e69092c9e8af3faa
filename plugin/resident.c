/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resident buffers: a GeglBuffer whose pixels lie in arrays on devices. */
#include "plugin/resident.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "plugin/common.h"
#include "plugin/host-copy.h"

struct _CapraResident {
  GeglTileBackend parent_instance;
  GArray *parts;
  CapraBands bands;
  GWeakRef operation;  /* whose result it is */
  GMutex lock;         /* guards what follows */
  CapraHostCopy *host; /* once a tile was read */
  GeglTile **tiles;    /* what was handed out, as we keep it: GEGL gets clones, which copy on write */
  gboolean failed;     /* the arrays could not be pulled */
  gint written;        /* atomic: tiles differ from the arrays */
};

typedef struct {
  GeglTileBackendClass parent_class;
} CapraResidentClass;

G_DEFINE_DYNAMIC_TYPE (CapraResident, capra_resident, GEGL_TYPE_TILE_BACKEND)

void
capra_resident_register (GTypeModule *module)
{
  capra_resident_register_type (module);
}

static void
tile_unlocked (GeglTile *tile, gpointer data)
{
  g_atomic_int_set (&CAPRA_RESIDENT (data)->written, TRUE);
}

/* The device failed after the operation was done: the pixels are lost. */
static void
report_loss (CapraResident *self, const GError *cause)
{
  g_autoptr(GeglOperation) operation = g_weak_ref_get (&self->operation);
  g_autoptr(GError) error = g_error_copy (cause);

  g_prefix_error (&error, "%s", _("the result was lost and is empty: "));
  if (operation)
    capra_outcome_set (capra_common_get (operation)->outcome, error);
  else
    g_warning ("%s", error->message);
}

/* The kept tile of a band; NULL if the arrays cannot be pulled. */
static GeglTile *
keep_tile (CapraResident *self, gint index)
{
  if (!self->host && !self->failed)
    {
      g_autoptr(GError) error = NULL;

      self->host = capra_host_copy_new (self->parts, &self->bands, &error);
      self->failed = !self->host;
      if (self->failed)
        report_loss (self, error);
    }
  if (!self->tiles[index] && self->host)
    self->tiles[index] = capra_host_copy_get_tile (self->host, index);
  return self->tiles[index];
}

static GeglTile *
get_tile (CapraResident *self, gint index)
{
  GeglTile *tile = NULL, *kept = NULL;

  g_mutex_lock (&self->lock);
  kept = keep_tile (self, index);
  if (kept)
    {
      tile = gegl_tile_dup (kept);
      gegl_tile_mark_as_stored (tile);
      gegl_tile_set_unlock_notify (tile, tile_unlocked, self);
    }
  g_mutex_unlock (&self->lock);
  return tile;
}

/* GEGL's cache gives back a tile that was written to, or (NULL) one that shall be empty. */
static void
set_tile (CapraResident *self, gint index, GeglTile *tile)
{
  gint bytes = gegl_tile_backend_get_tile_size (GEGL_TILE_BACKEND (self));
  GeglTile *kept = tile ? gegl_tile_dup (tile) : gegl_tile_new (bytes);

  if (!tile)
    memset (gegl_tile_get_data (kept), 0, bytes);
  gegl_tile_mark_as_stored (kept);
  g_atomic_int_set (&self->written, TRUE);

  g_mutex_lock (&self->lock);
  if (self->tiles[index])
    gegl_tile_unref (self->tiles[index]);
  self->tiles[index] = kept;
  g_mutex_unlock (&self->lock);
}

static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  CapraResident *self = CAPRA_RESIDENT (source);
  gboolean ours = x == 0 && y >= 0 && y < self->bands.bands && z == 0;

  switch (what)
    {
    case GEGL_TILE_GET:
      return ours ? get_tile (self, y) : NULL;
    case GEGL_TILE_SET:
      if (ours)
        set_tile (self, y, data);
      gegl_tile_mark_as_stored (data);
      return GINT_TO_POINTER (TRUE);
    case GEGL_TILE_VOID:
      if (ours)
        set_tile (self, y, NULL);
      return NULL;
    case GEGL_TILE_EXIST:
      return GINT_TO_POINTER (ours);
    default:
      return gegl_tile_backend_command (GEGL_TILE_BACKEND (self), what, x, y, z, data);
    }
}

static void
capra_resident_finalize (GObject *object)
{
  CapraResident *self = CAPRA_RESIDENT (object);

  for (gint i = 0; self->tiles && i < self->bands.bands; i++)
    if (self->tiles[i])
      gegl_tile_unref (self->tiles[i]);
  g_free (self->tiles);

  /* Clones of our tiles may live on in other buffers, and be written to once we do not share them any
   * more: no kernel may read the arrays then. */
  if (self->host && capra_host_copy_is_shared (self->host))
    for (guint i = 0; i < self->parts->len; i++)
      capra_array_wait (g_array_index (self->parts, CapraPixels, i).array, NULL);
  g_clear_pointer (&self->host, capra_host_copy_unref);
  g_clear_pointer (&self->parts, g_array_unref);
  g_weak_ref_clear (&self->operation);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (capra_resident_parent_class)->finalize (object);
}

static void
capra_resident_class_init (CapraResidentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = capra_resident_finalize;
}

static void
capra_resident_class_finalize (CapraResidentClass *klass)
{
}

static void
capra_resident_init (CapraResident *self)
{
  GEGL_TILE_SOURCE (self)->command = command;
  g_weak_ref_init (&self->operation, NULL);
  g_mutex_init (&self->lock);
}

static void
buffer_changed (GeglBuffer *buffer, const GeglRectangle *rect, gpointer data)
{
  g_atomic_int_set (&CAPRA_RESIDENT (data)->written, TRUE);
}

GeglBuffer *
capra_resident_new_buffer (GArray *parts, const Babl *format, GeglOperation *operation)
{
  CapraRect rect = capra_parts_get_rect (parts);
  GeglRectangle extent = { rect.x, rect.y, rect.width, rect.height };
  CapraBands bands = capra_bands_plan (rect.width, rect.height,
                                       babl_format_get_bytes_per_pixel (format));
  CapraResident *self = g_object_new (CAPRA_TYPE_RESIDENT, "tile-width", bands.tile_width,
                                      "tile-height", bands.tile_height, "format", format, NULL);
  GeglBuffer *buffer = NULL;

  for (guint i = 0; i < parts->len; i++)
    {
      CapraPixels *part = &g_array_index (parts, CapraPixels, i);

      part->rect.x -= rect.x;
      part->rect.y -= rect.y;
    }
  self->parts = parts;
  self->bands = bands;
  g_weak_ref_set (&self->operation, operation);
  self->tiles = g_new0 (GeglTile *, bands.bands);
  gegl_tile_backend_set_extent (GEGL_TILE_BACKEND (self), &extent);
  gegl_tile_backend_set_flush_on_destroy (GEGL_TILE_BACKEND (self), FALSE);

  buffer = g_object_new (GEGL_TYPE_BUFFER, "x", rect.x, "y", rect.y, "width", rect.width, "height",
                         rect.height, "shift-x", -rect.x, "shift-y", -rect.y, "backend", self, NULL);
  gegl_buffer_signal_connect (buffer, "changed", G_CALLBACK (buffer_changed), self);
  gegl_object_set_has_forked (G_OBJECT (buffer));
  g_object_unref (self);
  return buffer;
}

gboolean
capra_view_init (CapraView *view, GeglBuffer *buffer)
{
  GeglTileBackend *backend = gegl_buffer_backend (buffer);
  CapraResident *resident = NULL;
  GeglRectangle abyss;
  gint shift_x = 0, shift_y = 0;

  *view = (CapraView) { NULL };
  if (!backend || !CAPRA_IS_RESIDENT (backend))
    return FALSE;
  resident = CAPRA_RESIDENT (backend);
  if (g_atomic_int_get (&resident->written))
    return FALSE;

  g_object_get (buffer, "shift-x", &shift_x, "shift-y", &shift_y, "abyss-x", &abyss.x, "abyss-y",
                &abyss.y, "abyss-width", &abyss.width, "abyss-height", &abyss.height, NULL);
  view->resident = g_object_ref (resident);
  view->parts = g_array_ref (resident->parts);
  view->area = (GeglRectangle) { -shift_x, -shift_y, resident->bands.width, resident->bands.height };
  gegl_rectangle_intersect (&view->visible, &view->area, &abyss);
  view->format = gegl_buffer_get_format (buffer);
  return TRUE;
}

void
capra_view_clear (CapraView *view)
{
  g_clear_pointer (&view->parts, g_array_unref);
  g_clear_object (&view->resident);
}
