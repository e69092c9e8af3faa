/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every operation while a call of OpenCL fails: each call of each kind, once or from then on. The result is right, or
 * the failure is reported and the result is a substitute; the input does not change, and nothing leaks. */
#include <math.h>
#include <string.h>

#include "tests/support/graph.h"
#include "tests/support/operations.h"
#include "tests/plugin/compute/fault-files.h"

#define SIDE 300
#define CHANNELS 4
#define POLL_TIME 1000 /* in microseconds */

/* In addition to a fault: the memory budget is a fraction of the image's size. */
#define BUDGET CAPRA_N_FAULTS
#define N_KINDS (CAPRA_N_FAULTS + 1)
#define N_BUDGETS 40

/* The number of existing buffers; the library exports this function but declares it in no header. */
gint gegl_buffer_leaks (void);

static const GeglRectangle rect = { -13, 27, SIDE, SIDE };

static gint reports; /* atomic: failures that operations have logged */

/* The moments that the default tests try; the exhaustive ones try all up to the tenth, and every seventh. */
static gint
get_next (gint moment)
{
  if (!g_test_slow ())
    return moment * 3;
  return moment < 10 ? moment + 1 : moment + 7;
}

/* A message about the next device being tried does not count: the operation has not failed. */
static GLogWriterOutput
count_reports (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  const char *message = "", *domain = "";

  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
    return g_log_writer_default (level, fields, n, data);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal (fields[i].key, "MESSAGE"))
      message = fields[i].value;
    else if (g_str_equal (fields[i].key, "GLIB_DOMAIN"))
      domain = fields[i].value;
  if ((level & G_LOG_LEVEL_WARNING) && g_str_equal (domain, "GEGL-capra") && !strstr (message, " instead"))
    g_atomic_int_inc (&reports);
  return G_LOG_WRITER_HANDLED;
}

typedef struct {
  const char *chain, *format, *device;
  const char *aux;    /* nullable: a chain from the source to the aux pad of the last operation */
  const char *loader; /* nullable: an operation that loads an image, of which chain is the path */
} Case;

#define AUX "capra:gaussian-blur std-dev-x=2"

/* Run in addition to the first chain of every operation of the table. */
static const Case more_cases[] = {
  { "capra:gaussian-blur std-dev-x=3", "RGBA float", "all", NULL },
  { "capra:threshold method=otsu", "RGB float", "0", NULL },
  { "capra:box-blur radius=3 capra:threshold method=otsu capra:gaussian-blur std-dev-y=2 capra:statistics",
    "RGBA float", "0", NULL },
  { "capra:threshold", "RGBA float", "0", AUX },
  { "capra:box-blur radius=3 capra:convolve", "RGBA float", "all", AUX " gegl:crop x=0 y=40 width=5 height=7" },
  { "capra:label rendering=numbers capra:measure", "Y float", "", AUX },
  { "capra:label rendering=numbers capra:measure-save path=/dev/null", "Y float", "", AUX },
};

/* With files of fault-files.h; the default tests run every second one. */
static const Case file_cases[] = {
  { "capra:azimuthal-integrate bins=60 splitting=bbox error-model=poisson poni=PONI", "Y float", "0" },
  { "capra:azimuthal-integrate bins=60 azimuthal-bins=8 error-model=azimuthal sigma-clip=true iterations=2 poni=PONI",
    "Y float", "" },
  { "FITS", "Y float", "0", NULL, "capra:fits-load" },
  { "FITS", "Y float", "", NULL, "capra:fits-load" },
  { "HDF5", "Y float", "0", NULL, "capra:hdf5-load" },
  { "HDF5", "Y float", "", NULL, "capra:hdf5-load" },
};

/* Formats and devices for the operations of the table, used in turn. */
static const struct {
  const char *format, *device;
} variations[] = {
  { "Y float", "0" }, { "R'G'B'A u8", "auto" }, { "Y' u16", "0" }, { "YA float", "" }, { "RGBA half", "auto" },
};

/* How the result is rendered. */
typedef enum { RENDER_WHOLE, RENDER_PARTS, RENDER_BUFFER, N_RENDERS } Render;

typedef struct {
  float *pixels; /* NULL for a sink */
  gsize count;   /* of values */
  gboolean reported;
} Result;

static void
result_clear (Result *result)
{
  g_free (result->pixels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static gboolean
has_failed (GeglNode *graph)
{
  g_autoptr (GSList) children = gegl_node_get_children (graph);
  gboolean any = FALSE;

  for (GSList *link = children; link; link = link->next)
    if (g_str_has_prefix (gegl_node_get_operation (link->data), "capra:")
        && gegl_node_find_property (link->data, "failed"))
      {
        g_autofree char *error = graph_error (link->data);
        gboolean failed = FALSE;

        gegl_node_get (link->data, "failed", &failed, NULL);
        g_assert_true (!failed || *error);
        any |= failed;
      }
  return any;
}

static void
render (GeglNode *last, Render how, Result *result)
{
  g_autoptr (GeglBuffer) target = NULL;
  GeglRectangle box;

  if (!gegl_node_has_pad (last, "output"))
    {
      gegl_node_process (last);
      return;
    }
  box = gegl_node_get_bounding_box (last);
  result->count = (gsize) box.width * (gsize) box.height * CHANNELS;
  if (how == RENDER_WHOLE)
    result->pixels = graph_render (last, NULL, "RGBA float");
  else if (how == RENDER_PARTS)
    result->pixels = graph_render_parts (last, "RGBA float", CHANNELS, 120);
  else
    {
      target = gegl_buffer_new (&box, babl_format ("RGBA float"));
      gegl_node_process (graph_node (gegl_node_get_parent (last), last, "gegl:write-buffer", "buffer", target, NULL));
      result->pixels = g_new (float, result->count);
      gegl_buffer_get (target, &box, 1.0, babl_format ("RGBA float"), result->pixels, GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
    }
}

/* The pixels of the source. */
static float *
get_input (GeglBuffer *buffer)
{
  float *pixels = g_new (float, CHANNELS * SIDE * SIDE);

  gegl_buffer_get (buffer, &rect, 1.0, babl_format ("RGBA float"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return pixels;
}

/* Runs the chain with @faults, and frees the graph and all buffers. */
static Result
run_chain (const Case *c, Render how, const char *faults, float **input)
{
  g_autofree float *noise = support_noise (CHANNELS * SIDE * SIDE, 0.1, 1.0, 31), *before = NULL, *after = NULL;
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, babl_format (c->format));
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer), *last = NULL;
  gint logged = g_atomic_int_get (&reports);
  Result result = { NULL, 0, FALSE };

  gegl_buffer_set (buffer, NULL, 0, babl_format ("RGBA float"), noise, GEGL_AUTO_ROWSTRIDE);
  before = get_input (buffer);
  if (c->loader)
    last = graph_node (graph, NULL, c->loader, "path", c->chain, "device", support_device_name (c->device), NULL);
  else
    last = graph_chain (source, c->chain, c->device);
  if (c->aux)
    gegl_node_connect (graph_chain (source, c->aux, c->device), "output", last, "aux");
  g_assert_true (capra_fault_set (faults, NULL));
  render (last, how, &result);
  result.reported = has_failed (graph);
  after = get_input (buffer);
  g_assert_cmpmem (after, sizeof *after * CHANNELS * SIDE * SIDE, before, sizeof *before * CHANNELS * SIDE * SIDE);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  result.reported |= g_atomic_int_get (&reports) != logged;
  if (input)
    *input = g_steal_pointer (&before);
  return result;
}

static gboolean
is_near (float a, float b)
{
  return (isnan (a) && isnan (b)) || a == b || fabsf (a - b) <= 1e-5f * MAX (1, fabsf (b));
}

/* Whether a failing operation gives zeros: labels cannot be replaced by the input, nor an image by another size. A
 * result that was computed is empty if it could not be downloaded, which is tried twice. */
static gboolean
gives_zeros (const Case *c, guint kind, gboolean ever)
{
  return ever || kind == CAPRA_FAULT_DEVICE || strstr (c->chain, "capra:label") || strstr (c->chain, "capra:convolve")
         || strstr (c->chain, "capra:azimuthal") || c->loader;
}

/* A result without a report equals @reference. With one, each value does, or is that of the input, or of a transparent
 * pixel if @zeros, which is known for a chain of one operation. */
static void
check_result (const Case *c, const Result *result, const Result *reference, const float *input, gboolean zeros,
              const char *what)
{
  gboolean single = strstr (c->chain, "capra:") == g_strrstr (c->chain, "capra:") && !c->aux;
  gboolean same_size = reference->count == CHANNELS * SIDE * SIDE;

  g_assert_cmpuint (result->count, ==, reference->count);
  for (gsize i = 0; i < result->count; i++)
    {
      float value = result->pixels[i], other = same_size ? input[i] : 0;

      if (is_near (value, reference->pixels[i]))
        continue;
      if (!result->reported)
        g_error ("%s: value %zu is %g, not %g, and nothing is reported", what, i, value, reference->pixels[i]);
      if (single && !is_near (value, other) && !(zeros && (value == 0 || (value == 1 && i % CHANNELS == CHANNELS - 1))))
        g_error ("%s: value %zu is %g; the result is %g, the input %g", what, i, value, reference->pixels[i], other);
    }
}

/* The device memory that arrays use, all devices together. */
static guint64
get_used (void)
{
  guint64 used = 0;

  for (guint i = 0; i < support_devices ()->len; i++)
    {
      CapraMemory memory;

      capra_memory_query (support_device (i), &memory);
      used += memory.bytes[CAPRA_MEMORY_ARRAYS] + memory.bytes[CAPRA_MEMORY_RESIDENT];
    }
  return used;
}

static void
set_budget (guint64 bytes)
{
  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_free_unused (support_device (i));
      capra_memory_set_budget (support_device (i), bytes);
    }
}

/* Each call of @kind, alone or with all later ones. */
static void
run_kind (const Case *c, guint kind, gboolean ever, Render how, const Result *reference, const float *input)
{
  gboolean more = TRUE;

  for (gint moment = 1; more; moment = get_next (moment))
    {
      g_autofree char *faults = kind == BUDGET
                                  ? g_strdup_printf ("budget %d", moment)
                                  : g_strdup_printf ("%s:%d%s", capra_fault_get_name (kind), moment, ever ? "-" : "");
      g_auto (Result) result = { 0 };

      set_budget (kind == BUDGET ? (guint64) moment * SIDE * SIDE : 0);
      result = run_chain (c, how, kind == BUDGET ? "count" : faults, NULL);
      more = kind == BUDGET ? moment < N_BUDGETS : capra_fault_get_calls (kind) >= (guint) moment;
      capra_fault_set (NULL, NULL);
      check_result (c, &result, reference, input, gives_zeros (c, kind, ever), faults);
    }
  set_budget (0);
}

/* Kernels are built once: the second of those that are left fails, until all are built. */
static void
run_builds (const Case *c)
{
  g_auto (Result) none = run_chain (c, RENDER_WHOLE, "build:1-", NULL);

  g_assert_true (none.reported || capra_fault_get_calls (CAPRA_FAULT_BUILD) == 0);
  do
    {
      g_auto (Result) result = run_chain (c, RENDER_WHOLE, "build:2", NULL);
    }
  while (capra_fault_get_calls (CAPRA_FAULT_BUILD) > 1);
}

/* Each kind of failure with one way to render, once or from then on, which changes from test to test, or with all of
 * them. */
static void
test_faults (gconstpointer data)
{
  static guint turn;
  const Case *c = data;
  g_autofree float *input = NULL;
  g_auto (Result) reference = { 0 };
  gint before = 0;
  guint64 used = 0;
  gint64 end = 0;

  run_builds (c);
  for (guint how = 0; how < N_RENDERS; how++)
    {
      g_auto (Result) result = run_chain (c, (Render) how, NULL, NULL); /* fills GEGL's caches */
    }
  reference = run_chain (c, RENDER_WHOLE, NULL, &input);
  g_assert_false (reference.reported);
  before = gegl_buffer_leaks ();
  used = get_used ();
  for (guint kind = 0; kind < N_KINDS; kind++)
    for (guint i = 0; i < 2 * N_RENDERS; i++)
      if (g_test_slow () || i == (kind + turn) % (2 * N_RENDERS))
        run_kind (c, kind, i % 2, (Render) (i / 2), &reference, input);
  turn++;
  g_assert_cmpint (gegl_buffer_leaks (), ==, before);
  end = g_get_monotonic_time () + SUPPORT_TIMEOUT;
  /* Integrations that nobody uses for a minute are freed. */
  while (get_used () > used && g_get_monotonic_time () < end)
    g_usleep (POLL_TIME);
  g_assert_cmpuint (get_used (), <=, used);
}

static void
add_case (const Case *c)
{
  g_autofree char *path = g_strdup_printf ("/operations-faults/%s %s %s%s", c->format, c->device, c->chain,
                                           c->aux ? " aux" : "");

  g_test_add_data_func_full (path, g_memdup2 (c, sizeof *c), test_faults, g_free);
}

static void
case_free (gpointer data)
{
  Case *c = data;

  g_free ((char *) c->chain);
  g_free (c);
}

static void
add_file_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (file_cases); i++)
    {
      const Case *c = &file_cases[i];
      g_autofree char *path = g_strdup_printf ("/operations-faults/%s %s %s", c->device, c->loader ? c->loader : "",
                                               c->chain);
      Case *own = NULL;
      char *chain = i % 2 == 0 || g_test_slow () ? fault_files_replace (c->chain) : NULL;

      if (!chain)
        continue;
      own = g_memdup2 (c, sizeof *c);
      own->chain = chain;
      g_test_add_data_func_full (path, own, test_faults, case_free);
    }
}

/* Operations without a chain cannot run without a file. */
static void
add_operations (void)
{
  g_autoptr (GPtrArray) names = operations_list ();

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i] + strlen ("capra:"), *chain = operations_get_value (name, "prepare");

      if (!chain)
        chain = operations_get_value (name, "chain");
      if (chain)
        add_case (&(Case){ chain, variations[i % G_N_ELEMENTS (variations)].format,
                           variations[i % G_N_ELEMENTS (variations)].device, NULL });
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_writer_func (count_reports, NULL, NULL);
  g_log_set_default_handler (g_log_default_handler, NULL); /* that of GLib's tests does not call the writer */
  graph_init (&argc, &argv);
  add_operations ();
  for (guint i = 0; i < G_N_ELEMENTS (more_cases); i++)
    add_case (&more_cases[i]);
  fault_files_write (SIDE);
  add_file_cases ();
  status = g_test_run ();
  fault_files_remove ();
  gegl_exit ();
  return status;
}
