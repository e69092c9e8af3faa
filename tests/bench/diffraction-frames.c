/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes synthetic frames of a diffraction experiment as a NeXus file whose chunks, a frame each, are compressed with
 * bitshuffle and LZ4: a direct beam, rings, background, Poisson noise. Some distinct frames are repeated in turn. Their
 * values depend only on the seed. */
#include <gio/gio.h>
#include <hdf5.h>
#include <lz4.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FILTER 32008
#define LEVELS 1024 /* of expected counts */
#define LARGEST 64  /* counts with a table; the normal distribution approximates larger ones */
#define MAX_TABLE_MEAN 30.0
#define PIXEL 75e-6 /* m */
#define MODULE_HEIGHT 514
#define MODULE_WIDTH 1030
#define PERIOD_HEIGHT 551
#define PERIOD_WIDTH 1040

typedef struct {
  int frames, distinct, width, height, block, seed;
  double brightness;
  char *type, *gaps, *poni;
  hid_t file_type;
  guint element;
  gboolean is_signed, is_float;
  guint16 *levels; /* of each pixel; LEVELS for gaps */
  double means[LEVELS];
  guint32 cumulative[LEVELS][LARGEST]; /* chances of at most k counts, as fractions of 2^32 */
  GByteArray **chunks;
} Frames;

/* The expected counts of a pixel. */
static double
mean_of (const Frames *frames, double y, double x)
{
  double r = hypot (x + 0.5, y + 0.5), mean = 1.5 + 7.5 * exp (-r / 1200) + 5e4 * exp (-r * r / 450);

  for (guint k = 1; k <= 12; k++)
    {
      double d = (r - 700 * sqrt (k / 1.5)) / 5;

      mean += 6.0 / sqrt (k) * exp (-0.5 * d * d);
    }
  return mean * frames->brightness;
}

static gboolean
is_gap (guint y, guint x)
{
  return y % PERIOD_HEIGHT >= MODULE_HEIGHT || x % PERIOD_WIDTH >= MODULE_WIDTH;
}

static void
frames_prepare (Frames *frames)
{
  double top = log1p (6e4 * frames->brightness);

  frames->levels = g_new (guint16, (gsize) frames->width * frames->height);
  for (guint l = 0; l < LEVELS; l++)
    {
      double mean = expm1 (top * l / (LEVELS - 1)), term = exp (-mean), sum = 0;

      frames->means[l] = mean;
      for (guint k = 0; k < LARGEST; k++)
        {
          sum += term;
          term *= mean / (k + 1);
          frames->cumulative[l][k] = (guint32) MIN (sum * 4294967296.0, 4294967295.0);
        }
    }
  for (int y = 0; y < frames->height; y++)
    for (int x = 0; x < frames->width; x++)
      {
        double level = log1p (mean_of (frames, y, x)) / top * (LEVELS - 1);

        frames->levels[(gsize) y * frames->width + x] = is_gap ((guint) y, (guint) x)
                                                          ? LEVELS
                                                          : (guint16) CLAMP (lrint (level), 0, LEVELS - 1);
      }
}

/* SplitMix64. */
static guint64
next_random (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ z >> 31;
}

static guint32
draw (const Frames *frames, guint level, guint64 *state)
{
  guint64 random = next_random (state);
  guint32 uniform = (guint32) (random >> 32), count = 0;
  double mean = frames->means[level];

  if (mean > MAX_TABLE_MEAN)
    {
      double u = ((double) (random >> 32) + 0.5) / 4294967296.0, v = (double) (random & 0xffffffff) / 4294967296.0;
      double value = rint (mean + sqrt (mean) * sqrt (-2 * log (u)) * cos (2 * G_PI * v));

      return value > 0 ? (guint32) value : 0;
    }
  while (count < LARGEST - 1 && uniform >= frames->cumulative[level][count])
    count++;
  return count;
}

/* Stores a count as the type of the frames; the largest value stands for a gap. */
static void
store (const Frames *frames, guint8 *to, guint32 count, gboolean gap)
{
  guint bits = 8 * frames->element - frames->is_signed;
  guint64 largest = bits == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << bits) - 1, value = MIN (count, largest);
  double number = gap ? -1.0 : count;
  float single = (float) number;

  if (gap)
    value = largest;
  if (frames->is_float)
    memcpy (to, frames->element == 4 ? (void *) &single : &number, frames->element);
  else
    memcpy (to, &value, frames->element); /* little-endian */
}

static guint64
transpose_8x8 (guint64 x)
{
  guint64 t = (x ^ x >> 7) & G_GUINT64_CONSTANT (0x00aa00aa00aa00aa);

  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & G_GUINT64_CONSTANT (0x0000cccc0000cccc);
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & G_GUINT64_CONSTANT (0x00000000f0f0f0f0);
  return x ^ t ^ t << 28;
}

/* The bit planes of @n values. */
static void
make_planes (const guint8 *values, gsize n, guint element, guint8 *planes)
{
  for (gsize j = 0; j < n / 8; j++)
    for (guint k = 0; k < element; k++)
      {
        guint64 x = 0;

        for (guint i = 0; i < 8; i++)
          x |= (guint64) values[(8 * j + i) * element + k] << 8 * i;
        x = transpose_8x8 (x);
        for (guint b = 0; b < 8; b++)
          planes[(8 * k + b) * (n / 8) + j] = (guint8) (x >> 8 * b);
      }
}

static void
append_number (GByteArray *chunk, guint64 number, guint bytes)
{
  guint64 reversed = GUINT64_TO_BE (number << (64 - 8 * bytes));

  g_byte_array_append (chunk, (const guint8 *) &reversed, bytes);
}

static GByteArray *
encode (const Frames *frames, const guint8 *values, gsize n)
{
  GByteArray *chunk = g_byte_array_new ();
  gsize block = (gsize) frames->block, bytes = block * frames->element, done = 0;
  int bound = LZ4_compressBound ((int) bytes);
  g_autofree guint8 *planes = g_malloc (bytes);
  g_autofree char *compressed = g_malloc ((gsize) bound);

  append_number (chunk, n * frames->element, 8);
  append_number (chunk, bytes, 4);
  while (n - done >= 8)
    {
      gsize count = MIN (block, (n - done) / 8 * 8);
      int length = 0;

      make_planes (values + done * frames->element, count, frames->element, planes);
      length = LZ4_compress_default ((char *) planes, compressed, (int) (count * frames->element), bound);
      append_number (chunk, (guint64) length, 4);
      g_byte_array_append (chunk, (guint8 *) compressed, (guint) length);
      done += count;
    }
  g_byte_array_append (chunk, values + done * frames->element, (guint) ((n - done) * frames->element));
  return chunk;
}

static void
make_frame (gpointer number, gpointer data)
{
  Frames *frames = data;
  guint index = GPOINTER_TO_UINT (number) - 1;
  gsize n = (gsize) frames->width * frames->height;
  guint64 state = (guint64) frames->seed << 32 | index;
  g_autofree guint8 *values = g_malloc (n * frames->element);

  for (gsize i = 0; i < n; i++)
    {
      gboolean gap = frames->levels[i] == LEVELS;

      store (frames, values + i * frames->element, gap ? 0 : draw (frames, frames->levels[i], &state),
             gap && g_str_equal (frames->gaps, "largest"));
    }
  frames->chunks[index] = encode (frames, values, n);
}

static gboolean
choose_type (Frames *frames)
{
  const struct {
    const char *name;
    hid_t type;
    guint element;
    gboolean is_signed, is_float;
  } types[] = {
    { "u8", H5T_STD_U8LE, 1, FALSE, FALSE },   { "u16", H5T_STD_U16LE, 2, FALSE, FALSE },
    { "u32", H5T_STD_U32LE, 4, FALSE, FALSE }, { "i32", H5T_STD_I32LE, 4, TRUE, FALSE },
    { "u64", H5T_STD_U64LE, 8, FALSE, FALSE }, { "i64", H5T_STD_I64LE, 8, TRUE, FALSE },
    { "f32", H5T_IEEE_F32LE, 4, FALSE, TRUE }, { "f64", H5T_IEEE_F64LE, 8, FALSE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (frames->type, types[i].name))
      {
        frames->file_type = types[i].type;
        frames->element = types[i].element;
        frames->is_signed = types[i].is_signed;
        frames->is_float = types[i].is_float;
        return TRUE;
      }
  return FALSE;
}

static void
set_text (hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR), attribute = 0;

  H5Tset_size (type, strlen (text));
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, text);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

static hid_t
create_group (hid_t parent, const char *name, const char *class)
{
  hid_t group = H5Gcreate2 (parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  set_text (group, "NX_class", class);
  return group;
}

static hid_t
create_data_set (hid_t group, const Frames *frames)
{
  hsize_t shape[] = { (hsize_t) frames->frames, (hsize_t) frames->height, (hsize_t) frames->width };
  hsize_t chunk[] = { 1, shape[1], shape[2] };
  const unsigned values[] = { 0, 3, frames->element, (unsigned) frames->block, 2 };
  hid_t list = H5Pcreate (H5P_DATASET_CREATE), space = H5Screate_simple (3, shape, NULL), set = -1;

  H5Pset_chunk (list, 3, chunk);
  /* An optional filter may be missing here, since the chunks are written as they are. */
  H5Pset_filter (list, FILTER, H5Z_FLAG_OPTIONAL, G_N_ELEMENTS (values), values);
  set = H5Dcreate2 (group, "data", frames->file_type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Sclose (space);
  H5Pclose (list);
  return set;
}

static gboolean
write_file (const Frames *frames, const char *path)
{
  hid_t access = H5Pcreate (H5P_FILE_ACCESS), file = -1, entry = -1, data = -1, set = -1;
  gboolean good = TRUE;

  /* A plugin for the filter would add values to those in create_data_set(). */
  H5PLset_loading_state (0);
  H5Pset_libver_bounds (access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose (access);
  if (file < 0)
    return FALSE;
  set_text (file, "default", "entry");
  entry = create_group (file, "entry", "NXentry");
  set_text (entry, "default", "data");
  data = create_group (entry, "data", "NXdata");
  set_text (data, "signal", "data");
  set = create_data_set (data, frames);
  for (int i = 0; i < frames->frames && good; i++)
    {
      const GByteArray *chunk = frames->chunks[i % frames->distinct];
      const hsize_t offset[] = { (hsize_t) i, 0, 0 };

      good = set >= 0 && H5Dwrite_chunk (set, H5P_DEFAULT, 0, offset, chunk->len, chunk->data) >= 0;
    }
  if (set >= 0)
    H5Dclose (set);
  H5Gclose (data);
  H5Gclose (entry);
  return H5Fclose (file) >= 0 && good;
}

/* The geometry: a distance of 1 m, the beam at the corner, 1 Angstrom. */
static gboolean
write_poni (const Frames *frames, GError **error)
{
  gboolean eiger = frames->height == 2167 && frames->width == 2070;
  g_autofree char *detector = eiger ? g_strdup ("Detector: Eiger4M\nDetector_config: {\"orientation\": 3}\n")
                                    : g_strdup_printf (
                                      "Detector: Detector\nDetector_config: {\"pixel1\": %g, \"pixel2\": %g, "
                                      "\"max_shape\": [%d, %d], \"orientation\": 3}\n",
                                      PIXEL, PIXEL, frames->height, frames->width);
  g_autofree char *text = g_strdup_printf (
    "# The geometry of synthetic frames\nponi_version: 2.1\n%s"
    "Distance: 1.0\nPoni1: 0.0\nPoni2: 0.0\nRot1: 0.0\nRot2: 0.0\nRot3: 0.0\nWavelength: 1e-10\n",
    detector);

  return g_file_set_contents (frames->poni, text, -1, error);
}

static gboolean
parse (Frames *frames, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "frames", 'n', 0, G_OPTION_ARG_INT, &frames->frames, "Number of frames (64)", "N" },
    { "distinct", 'd', 0, G_OPTION_ARG_INT, &frames->distinct, "Number of different frames (48)", "N" },
    { "width", 0, 0, G_OPTION_ARG_INT, &frames->width, "Pixels of a row (2070)", "N" },
    { "height", 0, 0, G_OPTION_ARG_INT, &frames->height, "Rows (2167)", "N" },
    { "type", 't', 0, G_OPTION_ARG_STRING, &frames->type, "u8, u16, u32, i32, u64, i64, f32 or f64 (u32)", "TYPE" },
    { "block", 'b', 0, G_OPTION_ARG_INT, &frames->block, "Values of a block, a multiple of 8 (8192 bytes)", "N" },
    { "gaps", 0, 0, G_OPTION_ARG_STRING, &frames->gaps, "Value between modules: zero or largest (zero)", "WHICH" },
    { "brightness", 0, 0, G_OPTION_ARG_DOUBLE, &frames->brightness, "Factor of all expected counts (1)", "X" },
    { "seed", 's', 0, G_OPTION_ARG_INT, &frames->seed, "Seed of the noise (1)", "N" },
    { "poni", 'p', 0, G_OPTION_ARG_FILENAME, &frames->poni, "Write the geometry to this file", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE - write synthetic diffraction frames");

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  frames->type = frames->type ? frames->type : g_strdup ("u32");
  frames->gaps = frames->gaps ? frames->gaps : g_strdup ("zero");
  if (*argc != 2 || !choose_type (frames) || frames->frames < 1 || frames->width < 1 || frames->height < 1
      || frames->distinct < 1 || !(frames->brightness > 0)
      || (!g_str_equal (frames->gaps, "zero") && !g_str_equal (frames->gaps, "largest")))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "wrong arguments; see --help");
      return FALSE;
    }
  if (frames->block <= 0)
    frames->block = (int) (8192 / frames->element);
  frames->block = MAX (frames->block / 8 * 8, 8);
  frames->distinct = MIN (frames->distinct, frames->frames);
  return TRUE;
}

static void
frames_free (Frames *frames)
{
  for (int i = 0; frames->chunks && i < frames->distinct; i++)
    g_byte_array_unref (frames->chunks[i]);
  g_free (frames->chunks);
  g_free (frames->levels);
  g_free (frames->type);
  g_free (frames->gaps);
  g_free (frames->poni);
  g_free (frames);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Frames, frames_free)

int
main (int argc, char **argv)
{
  g_autoptr (Frames) frames = g_new0 (Frames, 1);
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  gsize bytes = 0, all = 0;
  GThreadPool *pool = NULL;

  *frames = (Frames){ .frames = 64, .distinct = 48, .width = 2070, .height = 2167, .seed = 1, .brightness = 1 };
  if (!parse (frames, &argc, &argv, &error) || (frames->poni && !write_poni (frames, &error)))
    {
      fprintf (stderr, "%s: %s\n", argv[0], error->message);
      return 2;
    }
  frames_prepare (frames);
  frames->chunks = g_new0 (GByteArray *, frames->distinct);
  pool = g_thread_pool_new (make_frame, frames, (int) g_get_num_processors (), FALSE, NULL);
  for (int i = 0; i < frames->distinct; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  for (int i = 0; i < frames->distinct; i++)
    bytes += frames->chunks[i]->len;
  all = (gsize) frames->width * frames->height * frames->element * frames->distinct;
  if (!write_file (frames, argv[1]))
    {
      fprintf (stderr, "%s: cannot write %s\n", argv[0], argv[1]);
      return 1;
    }
  printf ("%d frames (%d distinct) of %d x %d %s, %.3f MB each, compressed %.2f times, in %.1f s\n", frames->frames,
          frames->distinct, frames->width, frames->height, frames->type, bytes * 1e-6 / frames->distinct,
          (double) all / bytes, (g_get_monotonic_time () - start) * 1e-6);
  return 0;
}
