/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Resident buffers: a GeglBuffer whose pixels are in arrays on devices. */
#include "plugin/buffers/resident.h"

#include <string.h>

/* The column and row of a tile. */
typedef struct {
  gint x, y;
} Position;

struct _CapraResident {
  GeglTileBackend parent_instance;
  CapraTileMap *map;
  GMutex lock;        /* guards stored */
  GHashTable *stored; /* of Position and GeglTile: tiles that GEGL has stored, also outside of the grid; they override
                       * those of the map */
  gint written;       /* atomic: tiles differ from the map's */
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

static Position *
position_new (gint x, gint y)
{
  Position *position = g_new (Position, 1);

  *position = (Position){ x, y };
  return position;
}

static guint
position_hash (gconstpointer key)
{
  const Position *position = key;

  return (guint) position->x * 31 + (guint) position->y;
}

static gboolean
position_equal (gconstpointer a, gconstpointer b)
{
  const Position *first = a, *second = b;

  return first->x == second->x && first->y == second->y;
}

static void
tile_unref (gpointer tile)
{
  gegl_tile_unref (tile);
}

/* A clone of the tile at (@x, @y); NULL if there is none, which GEGL takes for a tile of zeros. */
static GeglTile *
clone_tile (CapraResident *self, gint x, gint y)
{
  gint index = capra_tile_grid_index (&self->map->grid, x, y);
  GeglTile *stored = NULL, *tile = NULL;

  g_mutex_lock (&self->lock);
  stored = g_hash_table_lookup (self->stored, &(Position){ x, y });
  if (stored)
    tile = gegl_tile_dup (stored);
  g_mutex_unlock (&self->lock);
  if (!stored && index >= 0 && self->map->owners[index])
    return capra_device_tiles_get_tile (self->map->owners[index], x, y);
  return tile;
}

static GeglTile *
get_tile (CapraResident *self, gint x, gint y)
{
  GeglTile *tile = clone_tile (self, x, y);

  if (!tile)
    return NULL;
  gegl_tile_mark_as_stored (tile);
  gegl_tile_set_unlock_notify (tile, tile_unlocked, self);
  return tile;
}

/* Stores a tile from GEGL's cache that was written to; NULL stands for a tile of zeros. */
static void
set_tile (CapraResident *self, gint x, gint y, GeglTile *tile)
{
  gint bytes = gegl_tile_backend_get_tile_size (GEGL_TILE_BACKEND (self));
  GeglTile *stored = tile ? gegl_tile_dup (tile) : gegl_tile_new (bytes);

  if (!tile)
    memset (gegl_tile_get_data (stored), 0, bytes);
  gegl_tile_mark_as_stored (stored);
  g_atomic_int_set (&self->written, TRUE);

  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->stored, position_new (x, y), stored);
  g_mutex_unlock (&self->lock);
}

static gboolean
has_tile (CapraResident *self, gint x, gint y)
{
  gint index = capra_tile_grid_index (&self->map->grid, x, y);
  gboolean found = index >= 0 && self->map->owners[index];

  g_mutex_lock (&self->lock);
  found |= g_hash_table_contains (self->stored, &(Position){ x, y });
  g_mutex_unlock (&self->lock);
  return found;
}

/* Reduced tiles (@z > 0) are not stored: GEGL computes them from the others. */
static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  CapraResident *self = CAPRA_RESIDENT (source);

  switch (what)
    {
    case GEGL_TILE_GET: return z == 0 ? get_tile (self, x, y) : NULL;
    case GEGL_TILE_SET:
      if (z == 0)
        set_tile (self, x, y, data);
      gegl_tile_mark_as_stored (data);
      return GINT_TO_POINTER (TRUE);
    case GEGL_TILE_VOID:
      if (z == 0)
        set_tile (self, x, y, NULL);
      return NULL;
    case GEGL_TILE_EXIST: return GINT_TO_POINTER (z == 0 && has_tile (self, x, y));
    default: return gegl_tile_backend_command (GEGL_TILE_BACKEND (self), what, x, y, z, data);
    }
}

static void
capra_resident_finalize (GObject *object)
{
  CapraResident *self = CAPRA_RESIDENT (object);

  g_hash_table_unref (self->stored);
  g_clear_pointer (&self->map, capra_tile_map_unref);
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
  g_mutex_init (&self->lock);
  self->stored = g_hash_table_new_full (position_hash, position_equal, g_free, tile_unref);
}

static void
buffer_changed (GeglBuffer *buffer, const GeglRectangle *rect, gpointer data)
{
  g_atomic_int_set (&CAPRA_RESIDENT (data)->written, TRUE);
}

GeglBuffer *
capra_resident_new_buffer (CapraTileMap *map)
{
  const CapraTileGrid *grid = &map->grid;
  const GeglRectangle *extent = &grid->extent;
  CapraResident *self = g_object_new (CAPRA_TYPE_RESIDENT, "tile-width", grid->width, "tile-height", grid->height,
                                      "format", grid->tile_format, NULL);
  GeglBuffer *buffer = NULL;

  self->map = map;
  gegl_tile_backend_set_extent (GEGL_TILE_BACKEND (self), extent);
  gegl_tile_backend_set_flush_on_destroy (GEGL_TILE_BACKEND (self), FALSE);
  buffer = g_object_new (GEGL_TYPE_BUFFER, "x", extent->x, "y", extent->y, "width", extent->width, "height",
                         extent->height, "backend", self, NULL);
  gegl_buffer_signal_connect (buffer, "changed", G_CALLBACK (buffer_changed), self);
  gegl_object_set_has_forked (G_OBJECT (buffer));
  g_object_unref (self);
  return buffer;
}

CapraTileMap *
capra_resident_peek_map (GeglBuffer *buffer)
{
  GeglTileBackend *backend = gegl_buffer_backend (buffer);

  return backend && CAPRA_IS_RESIDENT (backend) ? CAPRA_RESIDENT (backend)->map : NULL;
}

const CapraTileMap *
capra_resident_get_map (GeglBuffer *buffer)
{
  const CapraTileMap *map = capra_resident_peek_map (buffer);

  if (!map)
    return NULL;
  /* Tiles that were overwritten whole, for example through a sub-buffer, may be in GEGL's cache alone. */
  gegl_buffer_flush (buffer);
  return capra_resident_is_written (buffer) ? NULL : map;
}

gboolean
capra_resident_is_written (GeglBuffer *buffer)
{
  return g_atomic_int_get (&CAPRA_RESIDENT (gegl_buffer_backend (buffer))->written);
}
