/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Resident buffers: a GeglBuffer whose pixels are in arrays on devices. */
#include "plugin/buffers/resident.h"

#include <string.h>

#include "plugin/buffers/format.h"
#include "plugin/buffers/scatter.h"

/* The column and row of a tile. */
typedef struct {
  gint x, y;
} Position;

struct _CapraResident {
  GeglTileBackend parent_instance;
  GArray *bands; /* (nullable): NULL if the pixels are in tiles alone */
  CapraTileGrid grid;
  GWeakRef operation; /* whose result it is */
  CapraLossFunc lost;
  GMutex lock;        /* guards the rest, but written */
  GeglTile **tiles;   /* (nullable): the downloaded tiles; GEGL gets clones, which copy on write */
  GHashTable *stored; /* of Position and GeglTile: tiles that GEGL has stored, also outside of the grid; they override
                       * the downloaded ones */
  gboolean failed;    /* the arrays could not be downloaded */
  gint written;       /* atomic: tiles differ from the arrays */
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

static void
report_loss (CapraResident *self, CapraDevice *device, const GError *error)
{
  g_autoptr (GeglOperation) operation = g_weak_ref_get (&self->operation);

  self->lost (operation, device, error);
}

/* Downloads the arrays into tiles, unless that was tried before. */
static void
download (CapraResident *self)
{
  if (self->tiles || self->failed)
    return;
  self->tiles = capra_tile_grid_new_tiles (&self->grid);
  for (guint i = 0; i < self->bands->len && !self->failed; i++)
    {
      const CapraPixels *band = &g_array_index (self->bands, CapraPixels, i);
      g_autoptr (GError) error = NULL;

      if (capra_scatter (&self->grid, self->tiles, band, FALSE, &error))
        continue;
      self->failed = TRUE;
      capra_tile_grid_free_tiles (&self->grid, g_steal_pointer (&self->tiles));
      report_loss (self, capra_array_get_device (band->array), error);
    }
}

/* The tile at (@x, @y); NULL if there is none, which GEGL takes for a tile of zeros. */
static GeglTile *
find_tile (CapraResident *self, gint x, gint y)
{
  gint index = capra_tile_grid_index (&self->grid, x, y);
  GeglTile *tile = g_hash_table_lookup (self->stored, &(Position){ x, y });

  if (tile || index < 0)
    return tile;
  download (self);
  return self->tiles ? self->tiles[index] : NULL;
}

static GeglTile *
get_tile (CapraResident *self, gint x, gint y)
{
  GeglTile *tile = NULL, *original = NULL;

  g_mutex_lock (&self->lock);
  original = find_tile (self, x, y);
  if (original)
    {
      tile = gegl_tile_dup (original);
      gegl_tile_mark_as_stored (tile);
      gegl_tile_set_unlock_notify (tile, tile_unlocked, self);
    }
  g_mutex_unlock (&self->lock);
  return tile;
}

/* Stores a tile from GEGL's cache that was written to; NULL stands for a tile of zeros. */
static void
set_tile (CapraResident *self, gint x, gint y, GeglTile *tile)
{
  gint bytes = gegl_tile_backend_get_tile_size (GEGL_TILE_BACKEND (self));
  gint index = capra_tile_grid_index (&self->grid, x, y);
  GeglTile *stored = tile ? gegl_tile_dup (tile) : gegl_tile_new (bytes);

  if (!tile)
    memset (gegl_tile_get_data (stored), 0, bytes);
  gegl_tile_mark_as_stored (stored);
  g_atomic_int_set (&self->written, TRUE);

  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->stored, position_new (x, y), stored);
  if (self->tiles && index >= 0)
    g_clear_pointer (&self->tiles[index], gegl_tile_unref);
  g_mutex_unlock (&self->lock);
}

static gboolean
has_tile (CapraResident *self, gint x, gint y)
{
  gboolean found = capra_tile_grid_index (&self->grid, x, y) >= 0;

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

  capra_tile_grid_free_tiles (&self->grid, self->tiles);
  g_hash_table_unref (self->stored);
  g_clear_pointer (&self->bands, g_array_unref);
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
  self->stored = g_hash_table_new_full (position_hash, position_equal, g_free, tile_unref);
}

static void
buffer_changed (GeglBuffer *buffer, const GeglRectangle *rect, gpointer data)
{
  g_atomic_int_set (&CAPRA_RESIDENT (data)->written, TRUE);
}

static CapraResident *
new_resident (const CapraTileGrid *grid, const Babl *tile_format)
{
  CapraResident *self = g_object_new (CAPRA_TYPE_RESIDENT, "tile-width", grid->width, "tile-height", grid->height,
                                      "format", tile_format, NULL);

  self->grid = *grid;
  gegl_tile_backend_set_extent (GEGL_TILE_BACKEND (self), &grid->extent);
  gegl_tile_backend_set_flush_on_destroy (GEGL_TILE_BACKEND (self), FALSE);
  return self;
}

/* Takes the reference to @self. */
static GeglBuffer *
new_buffer (CapraResident *self)
{
  const GeglRectangle *extent = &self->grid.extent;
  GeglBuffer *buffer = g_object_new (GEGL_TYPE_BUFFER, "x", extent->x, "y", extent->y, "width", extent->width, "height",
                                     extent->height, "backend", self, NULL);

  gegl_buffer_signal_connect (buffer, "changed", G_CALLBACK (buffer_changed), self);
  gegl_object_set_has_forked (G_OBJECT (buffer));
  g_object_unref (self);
  return buffer;
}

GeglBuffer *
capra_resident_new_buffer (GArray *bands, const Babl *array_format, const Babl *tile_format, GeglOperation *operation,
                           CapraLossFunc lost)
{
  CapraRect rect = capra_bands_get_rect (bands);
  GeglRectangle extent = { rect.x, rect.y, rect.width, rect.height };
  CapraTileGrid grid = capra_tile_grid_new (&extent, array_format, tile_format);
  CapraResident *self = new_resident (&grid, tile_format);

  for (guint i = 0; i < bands->len; i++)
    {
      CapraPixels *band = &g_array_index (bands, CapraPixels, i);

      band->rect.x -= rect.x;
      band->rect.y -= rect.y;
    }
  self->bands = bands;
  self->lost = lost;
  g_weak_ref_set (&self->operation, operation);
  return new_buffer (self);
}

GeglBuffer *
capra_resident_new_from_tiles (const CapraTileGrid *grid, GeglTile **tiles, const Babl *tile_format)
{
  CapraResident *self = new_resident (grid, tile_format);

  self->tiles = tiles;
  self->written = TRUE;
  return new_buffer (self);
}

/* Whether the arrays hold values of @format. gegl_buffer_set_format() reinterprets the pixels of a buffer as any format
 * of the same size. */
static gboolean
holds_format (CapraResident *self, const Babl *format)
{
  const CapraShape *held = capra_array_get_shape (g_array_index (self->bands, CapraPixels, 0).array);
  CapraShape shape;

  return capra_format_get_shape (format, held->width, held->height, &shape) && shape.type == held->type
         && shape.channels == held->channels;
}

gboolean
capra_view_init (CapraView *view, GeglBuffer *buffer)
{
  GeglTileBackend *backend = gegl_buffer_backend (buffer);
  CapraResident *resident = NULL;
  GeglRectangle abyss;
  gint shift_x = 0, shift_y = 0;

  *view = (CapraView){ NULL };
  if (!backend || !CAPRA_IS_RESIDENT (backend))
    return FALSE;
  resident = CAPRA_RESIDENT (backend);
  /* Tiles that were overwritten whole, for example through a sub-buffer, may be in GEGL's cache alone. */
  gegl_buffer_flush (buffer);
  /* If the tiles have another format than the arrays, the buffer is copied into another buffer, and no operation reads
   * it. */
  if (resident->grid.fish || g_atomic_int_get (&resident->written)
      || !holds_format (resident, gegl_buffer_get_format (buffer)))
    return FALSE;

  g_object_get (buffer, "shift-x", &shift_x, "shift-y", &shift_y, "abyss-x", &abyss.x, "abyss-y", &abyss.y,
                "abyss-width", &abyss.width, "abyss-height", &abyss.height, NULL);
  view->resident = g_object_ref (resident);
  view->bands = g_array_ref (resident->bands);
  view->area = resident->grid.extent;
  view->area.x -= shift_x;
  view->area.y -= shift_y;
  gegl_rectangle_intersect (&view->visible, &view->area, &abyss);
  view->format = gegl_buffer_get_format (buffer);
  return TRUE;
}

void
capra_view_clear (CapraView *view)
{
  g_clear_pointer (&view->bands, g_array_unref);
  g_clear_object (&view->resident);
}
