/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times effects in a running GIMP with a window: how long a person waits until the canvas shows the result.
 *
 * This is a GTK module that GIMP loads (gimp-effects.sh sets that up). It calls the functions of GIMP's core that the
 * filter tool and the layer effects call, which GIMP's program exports: a GimpDrawableFilter is added to a layer, its
 * operation is changed, the layer is painted on. GIMP then renders its projection in idle callbacks, in chunks whose
 * size depends on how long the last ones took, and draws each chunk on the canvas. A case starts with the call, as a
 * click or a key would, and ends with the last chunk: the projection emits "update" after each one. Scripts cannot
 * measure this: the calls of the PDB return before anything is rendered, and copies of the visible image are rendered
 * in one piece.
 *
 * CAPRA_EFFECTS_SIZE, _FORMAT, _OPERATIONS, _REPEATS, _LIMIT, _PAUSE, _MEMORY: see gimp-effects.sh.
 * CAPRA_EFFECTS_CHUNKS: prints each chunk. Each line printed is "effect", the operation, whose it is (capra or gegl),
 * the case, the milliseconds until the first and until the last chunk, and the number of chunks, separated by tabs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gegl.h>
#include <gtk/gtk.h>

#define QUIET 0.25 /* seconds without work in the main loop, after which a case has ended */
#define DAB 64     /* pixels, the side of the square that a stroke touches */

/* GIMP's core, in all versions from 2.10 to 3.0. */
#define GIMP_RGB 0
#define GIMP_FILTER_REGION_DRAWABLE 1
#define GIMP_LAYER_MODE_NORMAL 28
typedef struct _Gimp Gimp;
typedef struct _GimpDisplay GimpDisplay;
typedef struct _GimpDisplayShell GimpDisplayShell;
typedef struct _GimpImage GimpImage;
typedef struct _GimpLayer GimpLayer;
typedef struct _GimpFilter GimpFilter;
GType gimp_projection_get_type (void);
GimpDisplayShell *gimp_image_window_get_active_shell (GtkWidget *window);
Gimp *gimp_display_get_gimp (GimpDisplay *display);
GimpImage *gimp_image_new (Gimp *gimp, gint width, gint height, int base_type, int precision);
const Babl *gimp_image_get_layer_format (GimpImage *image, gboolean with_alpha);
gboolean gimp_image_add_layer (GimpImage *image, GimpLayer *layer, GimpLayer *parent, gint position, gboolean undo);
void gimp_image_undo_disable (GimpImage *image);
void gimp_image_flush (GimpImage *image);
GimpLayer *gimp_layer_new (GimpImage *image, gint width, gint height, const Babl *format, const char *name,
                           gdouble opacity, int mode);
GeglBuffer *gimp_drawable_get_buffer (GimpLayer *layer);
void gimp_drawable_start_paint (GimpLayer *layer);
gboolean gimp_drawable_flush_paint (GimpLayer *layer);
gboolean gimp_drawable_end_paint (GimpLayer *layer);
void gimp_drawable_update (GimpLayer *layer, gint x, gint y, gint width, gint height);
GimpFilter *gimp_drawable_filter_new (GimpLayer *layer, const char *name, GeglNode *operation, const char *icon);
void gimp_drawable_filter_set_region (GimpFilter *filter, int region);
void gimp_drawable_filter_apply (GimpFilter *filter, const GeglRectangle *area);
void gimp_drawable_filter_abort (GimpFilter *filter);
#if GTK_MAJOR_VERSION == 2
void gimp_display_fill (GimpDisplay *display, GimpImage *image, int unit, gdouble scale);
gboolean gimp_drawable_filter_commit (GimpFilter *filter, gpointer progress, gboolean cancellable);
#else
gpointer gimp_unit_pixel (void);
void gimp_display_fill (GimpDisplay *display, GimpImage *image, gpointer unit, gdouble scale);
gboolean gimp_drawable_filter_commit (GimpFilter *filter, gboolean non_destructive, gpointer progress,
                                      gboolean cancellable);
#endif
void gtk_module_init (gint *argc, gchar ***argv);

typedef struct {
  const char *name;
  const char *operation;  /* without "capra:" or "gegl:", except where both are to use the same */
  const char *properties; /* separated by commas; all get the value */
  double value, moved;    /* the slider's value, and where it is moved */
} Effect;

static const Effect effects[] = {
  { "gaussian-2", "gaussian-blur", "std-dev-x,std-dev-y", 2, 2.2 },
  { "gaussian-12", "gaussian-blur", "std-dev-x,std-dev-y", 12, 13 },
  { "gaussian-50", "gaussian-blur", "std-dev-x,std-dev-y", 50, 52 },
  { "gaussian-200", "gaussian-blur", "std-dev-x,std-dev-y", 200, 210 },
  { "box-15", "box-blur", "radius", 15, 16 },
  { "threshold", "threshold", "value", 0.5, 0.45 },
  /* Passes the tiles of the layer on: what GIMP takes by itself. */
  { "pass-on", "gegl:translate", "x", 0, 128 },
};

/* What GIMP has rendered since the start of a case. */
typedef struct {
  gint64 start, first, last, since_last;
  guint chunks;
  gboolean print;
} Progress;

typedef struct {
  GimpImage *image;
  GimpLayer *layer;
  GeglBuffer *noise;
  int width, height;
  Progress progress;
  double limit; /* seconds after which a case is given up */
  gsize memory; /* bytes that are used before the first case */
} Bench;

static gboolean
on_projection_update (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  Progress *progress = data;

  if (!g_value_get_boolean (&values[1])) /* invalidated only */
    return TRUE;
  progress->since_last = progress->last > 0 ? progress->last : progress->start;
  progress->last = g_get_monotonic_time ();
  if (progress->chunks++ == 0)
    progress->first = progress->last;
  if (progress->print)
    printf ("chunk\t%d\t%d\t%d\t%d\t%.1f\n", g_value_get_int (&values[2]), g_value_get_int (&values[3]),
            g_value_get_int (&values[4]), g_value_get_int (&values[5]),
            (double) (progress->last - progress->since_last) * 1e-3);
  return TRUE;
}

static const char *
setting (const char *name, const char *otherwise)
{
  const char *value = g_getenv (name);

  return value && *value ? value : otherwise;
}

/* Returns: whether GIMP was idle within the limit */
static gboolean
wait_until_quiet (double limit)
{
  gint64 now = g_get_monotonic_time (), since = now, end = now + (gint64) (limit * G_USEC_PER_SEC);

  while (now - since < (gint64) (QUIET * G_USEC_PER_SEC) && now < end)
    {
      gboolean worked = g_main_context_iteration (NULL, FALSE);

      if (!worked)
        g_usleep (2000);
      now = g_get_monotonic_time ();
      if (worked)
        since = now;
    }
  return now < end;
}

/* What a person takes from the image to the first filter. GIMP is idle in that time, and may prepare. */
static void
pause_for (double seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (2000);
}

static void
begin (Bench *bench)
{
  bench->progress = (Progress){ .start = g_get_monotonic_time (), .print = bench->progress.print };
}

/* Renders what was changed since begin () and prints the times. Returns: whether it ended within the limit */
static gboolean
end (Bench *bench, const Effect *effect, const char *whose, const char *what)
{
  Progress *progress = &bench->progress;
  gint64 returned = g_get_monotonic_time ();
  gboolean ended = FALSE;

  gimp_image_flush (bench->image);
  ended = wait_until_quiet (bench->limit);
  /* OK in GIMP 2.10 ends without rendering. */
  if (progress->chunks == 0)
    progress->first = progress->last = returned;
  printf ("effect\t%s\t%s\t%s\t%.1f\t%.1f\t%u\n", effect->name, whose, what,
          (double) (progress->first - progress->start) * 1e-3,
          ended ? (double) (progress->last - progress->start) * 1e-3 : 1e9, progress->chunks);
  fflush (stdout);
  return ended;
}

/* Uses @bytes of memory in large pages, if there are any, and frees it. */
static void
use_memory (gsize bytes)
{
  void *memory = bytes > 0 ? mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                           : MAP_FAILED;

  if (memory == MAP_FAILED)
    return;
  madvise (memory, bytes, MADV_HUGEPAGE);
  memset (memory, 1, bytes);
  munmap (memory, bytes);
}

static GeglBuffer *
make_noise (int width, int height, const Babl *format)
{
  enum { ROWS = 64 };
  GeglBuffer *noise = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), format);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree float *rows = g_new (float, (gsize) 4 * (width + 256) * ROWS);

  for (gsize i = 0; i < (gsize) 4 * (width + 256) * ROWS; i++)
    rows[i] = i % 4 == 3 ? 1.0f : (float) g_rand_double (rand);
  for (int y = 0; y < height; y += ROWS)
    gegl_buffer_set (noise, GEGL_RECTANGLE (0, y, width, MIN (ROWS, height - y)), 0, babl_format ("R'G'B'A float"),
                     rows + 4 * g_rand_int_range (rand, 0, 256), 4 * (width + 256) * (int) sizeof (float));
  return noise;
}

/* Writes all of the layer, so that no kept result and no tile on the device remains valid. */
static void
write_layer (Bench *bench)
{
  const Babl *format = gegl_buffer_get_format (bench->noise);
  int stride = bench->width * babl_format_get_bytes_per_pixel (format);
  g_autofree guint8 *rows = g_malloc ((gsize) 256 * stride);

  for (int y = 0; y < bench->height; y += 256)
    {
      const GeglRectangle area = { 0, y, bench->width, MIN (256, bench->height - y) };

      gegl_buffer_get (bench->noise, &area, 1.0, format, rows, stride, GEGL_ABYSS_NONE);
      gegl_buffer_set (gimp_drawable_get_buffer (bench->layer), &area, 0, format, rows, stride);
    }
  gimp_drawable_update (bench->layer, 0, 0, bench->width, bench->height);
  gimp_image_flush (bench->image);
  if (!wait_until_quiet (bench->limit))
    g_error ("GIMP does not become idle");
}

static void
paint (Bench *bench, int number)
{
  const GeglRectangle dab = { (bench->width - DAB) / 2 + 96 * (number % 3), (bench->height - DAB) / 2, DAB, DAB };
  GeglColor *color = gegl_color_new (number % 2 ? "#a04020" : "#2040a0");

  gegl_buffer_set_color (gimp_drawable_get_buffer (bench->layer), &dab, color);
  g_object_unref (color);
  gimp_drawable_update (bench->layer, dab.x, dab.y, dab.width, dab.height);
}

static void
set_value (GeglNode *node, const Effect *effect, double value)
{
  g_auto (GStrv) names = g_strsplit (effect->properties, ",", 0);

  for (guint i = 0; names[i]; i++)
    {
      GType type = gegl_node_find_property (node, names[i])->value_type;

      if (type == G_TYPE_INT)
        gegl_node_set (node, names[i], (int) value, NULL);
      else
        gegl_node_set (node, names[i], value, NULL);
    }
}

/* OK in GIMP 2.10 writes the result into the layer. In GIMP 3 the effect stays, which is part of the first case. */
static gboolean
commit (GimpFilter *filter)
{
#if GTK_MAJOR_VERSION == 2
  return gimp_drawable_filter_commit (filter, NULL, FALSE);
#else
  return gimp_drawable_filter_commit (filter, TRUE, NULL, FALSE);
#endif
}

/* A dab of a brush. GIMP renders what it touched while the button is held, and the whole layer when it is released. */
static gboolean
time_stroke (Bench *bench, const Effect *effect, const char *whose, int number)
{
  gboolean ended = FALSE;

  gimp_drawable_start_paint (bench->layer);
  begin (bench);
  paint (bench, number);
  gimp_drawable_flush_paint (bench->layer);
  ended = end (bench, effect, whose, "stroke");
  begin (bench);
  gimp_drawable_end_paint (bench->layer);
  return end (bench, effect, whose, "release") && ended;
}

static gboolean
time_slider (Bench *bench, const Effect *effect, const char *whose, GimpFilter *filter, GeglNode *node, double value)
{
  begin (bench);
  set_value (node, effect, value);
  gimp_drawable_filter_apply (filter, NULL);
  return end (bench, effect, whose, "slider");
}

/* A new effect, after all of the layer was written. @first: the name of its first case */
static void
time_effect (Bench *bench, const Effect *effect, const char *whose, const char *first)
{
  g_autofree char *operation = strchr (effect->operation, ':') ? g_strdup (effect->operation)
                                                               : g_strconcat (whose, ":", effect->operation, NULL);
  GeglNode *node = NULL;
  GimpFilter *filter = NULL;
  gboolean ended = FALSE;

  write_layer (bench);
  node = gegl_node_new_child (NULL, "operation", operation, NULL);
  set_value (node, effect, effect->value);
  if (g_str_equal (first, "first"))
    use_memory (bench->memory);
  begin (bench);
  filter = gimp_drawable_filter_new (bench->layer, operation, node, NULL);
  gimp_drawable_filter_set_region (filter, GIMP_FILTER_REGION_DRAWABLE);
  gimp_drawable_filter_apply (filter, NULL);
  if (GTK_MAJOR_VERSION > 2)
    commit (filter);
  ended = end (bench, effect, whose, first);
  ended = ended && time_slider (bench, effect, whose, filter, node, effect->moved);
  ended = ended && time_slider (bench, effect, whose, filter, node, effect->value);
  for (int i = 0; i < 3 && ended && GTK_MAJOR_VERSION > 2; i++)
    ended = time_stroke (bench, effect, whose, i);
  if (ended && GTK_MAJOR_VERSION == 2)
    {
      begin (bench);
      commit (filter);
      end (bench, effect, whose, "ok");
    }
  else
    gimp_drawable_filter_abort (filter);
  g_object_unref (filter);
  g_object_unref (node);
  gimp_image_flush (bench->image);
  wait_until_quiet (bench->limit);
}

static void
time_all (Bench *bench)
{
  const char *names = g_getenv ("CAPRA_EFFECTS_OPERATIONS");
  g_auto (GStrv) chosen = names && *names ? g_strsplit (names, ",", 0) : NULL;
  int repeats = atoi (setting ("CAPRA_EFFECTS_REPEATS", "3"));

  for (guint i = 0; i < G_N_ELEMENTS (effects); i++)
    {
      if (chosen && !g_strv_contains ((const char *const *) chosen, effects[i].name))
        continue;
      /* The first use in a process is a case of its own: it loads kernels, and that of the first operation OpenCL. */
      for (int k = 0; k <= repeats; k++)
        {
          time_effect (bench, &effects[i], "capra", k == 0 ? "first" : "composite");
          time_effect (bench, &effects[i], "gegl", k == 0 ? "first" : "composite");
        }
    }
}

static GtkWidget *
find_window (void)
{
  GList *windows = gtk_window_list_toplevels ();
  GtkWidget *found = NULL;

  for (GList *l = windows; l && !found; l = l->next)
    if (g_str_equal (G_OBJECT_TYPE_NAME (l->data), "GimpImageWindow") && gtk_widget_get_mapped (l->data))
      found = l->data;
  g_list_free (windows);
  return found;
}

static void
show_image (Bench *bench)
{
  const char *format = setting ("CAPRA_EFFECTS_FORMAT", "u8");
  int precision = g_str_equal (format, "u8") ? 150 : g_str_equal (format, "u16") ? 250 : 600; /* float is linear */
  GtkWidget *window = find_window ();
  GimpDisplay *display = NULL;

  gtk_window_resize (GTK_WINDOW (window), 1400, 850);
  wait_until_quiet (bench->limit);
  g_object_get (gimp_image_window_get_active_shell (window), "display", &display, NULL);
  bench->image = gimp_image_new (gimp_display_get_gimp (display), bench->width, bench->height, GIMP_RGB, precision);
  gimp_image_undo_disable (bench->image);
  bench->layer = gimp_layer_new (bench->image, bench->width, bench->height,
                                 gimp_image_get_layer_format (bench->image, TRUE), "layer", 1.0,
                                 GIMP_LAYER_MODE_NORMAL);
  bench->noise = make_noise (bench->width, bench->height, gimp_image_get_layer_format (bench->image, TRUE));
  gimp_image_add_layer (bench->image, bench->layer, NULL, 0, FALSE);
#if GTK_MAJOR_VERSION == 2
  gimp_display_fill (display, bench->image, 0, 1.0);
#else
  gimp_display_fill (display, bench->image, gimp_unit_pixel (), 1.0);
#endif
  gimp_image_flush (bench->image);
  if (!wait_until_quiet (bench->limit))
    g_error ("GIMP does not show the image");
}

static gboolean
run (gpointer data)
{
  Bench bench = { .limit = g_ascii_strtod (setting ("CAPRA_EFFECTS_LIMIT", "60"), NULL) };

  if (sscanf (setting ("CAPRA_EFFECTS_SIZE", "3000x2000"), "%dx%d", &bench.width, &bench.height) != 2)
    g_error ("CAPRA_EFFECTS_SIZE is not WIDTHxHEIGHT");
  bench.memory = (gsize) g_ascii_strtoull (setting ("CAPRA_EFFECTS_MEMORY", "0"), NULL, 10) << 20;
  bench.progress.print = *setting ("CAPRA_EFFECTS_CHUNKS", "");
  g_type_class_ref (gimp_projection_get_type ());
  g_signal_add_emission_hook (g_signal_lookup ("update", gimp_projection_get_type ()), 0, on_projection_update,
                              &bench.progress, NULL);
  show_image (&bench);
  pause_for (g_ascii_strtod (setting ("CAPRA_EFFECTS_PAUSE", "0"), NULL));
  time_all (&bench);
  printf ("effects: done\n");
  fflush (NULL);
  _exit (0); /* without GIMP's question whether to save */
}

static gboolean
on_wait_for_window (gpointer data)
{
  if (!find_window ())
    return G_SOURCE_CONTINUE;
  wait_until_quiet (10);
  /* GIMP renders in idle callbacks of higher priorities, in nested main loops of this one. */
  g_idle_add_full (G_PRIORITY_LOW, run, NULL, NULL);
  return G_SOURCE_REMOVE;
}

G_MODULE_EXPORT void
gtk_module_init (gint *argc, gchar ***argv)
{
  /* Plug-ins of GIMP load this module, too. */
  if (g_str_has_prefix (g_get_prgname (), "gimp"))
    g_timeout_add (200, on_wait_for_window, NULL);
}
