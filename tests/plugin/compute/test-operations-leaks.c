/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever fails in an operation, and whenever, no GeglBuffer is left over. This program's own OpenCL functions, found
 * before the loader's, fail from one call on, one call after the other. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "tests/support/graph.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

#define SIDE 300

/* Exported by the library but in none of its headers: how many buffers there are. */
gint gegl_buffer_leaks (void);

static const GeglRectangle rect = { -13, 27, SIDE, SIDE };

/* What fails. */
typedef enum {
  FAULT_BUFFER,   /* memory */
  FAULT_KERNEL,   /* work */
  FAULT_TRANSFER, /* either way */
  FAULT_BUDGET,   /* so many pieces of the image's memory may be used */
  N_FAULTS,
} Fault;

static struct {
  gint kind;  /* atomic, as all of them */
  gint calls; /* of that kind */
  gint first; /* this one fails, and those that follow, as many as */
  gint most;
} fault;

static gboolean
fails (Fault kind)
{
  gint number = 0;

  if (g_atomic_int_get (&fault.kind) != (gint) kind)
    return FALSE;
  number = g_atomic_int_add (&fault.calls, 1) - g_atomic_int_get (&fault.first);
  return number >= 0 && number < g_atomic_int_get (&fault.most);
}

cl_mem
clCreateBuffer (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *status)
{
  cl_mem (*next) (cl_context, cl_mem_flags, size_t, void *, cl_int *) = dlsym (RTLD_NEXT, "clCreateBuffer");

  if (!fails (FAULT_BUFFER))
    return next (context, flags, size, host, status);
  *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return NULL;
}

cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                        const size_t *global, const size_t *local, cl_uint n_waits, const cl_event *waits,
                        cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                  const cl_event *, cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueNDRangeKernel");

  return fails (FAULT_KERNEL) ? CL_OUT_OF_RESOURCES
                              : next (queue, kernel, dimensions, offset, global, local, n_waits, waits, event);
}

void *
clEnqueueMapBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags, size_t offset,
                    size_t size, cl_uint n_waits, const cl_event *waits, cl_event *event, cl_int *status)
{
  void *(*next) (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event *, cl_event *,
                 cl_int *)
    = dlsym (RTLD_NEXT, "clEnqueueMapBuffer");

  if (!fails (FAULT_TRANSFER))
    return next (queue, mem, blocking, flags, offset, size, n_waits, waits, event, status);
  *status = CL_OUT_OF_RESOURCES;
  return NULL;
}

cl_int
clEnqueueReadBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size, void *host,
                     cl_uint n_waits, const cl_event *waits, cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueReadBuffer");

  return fails (FAULT_TRANSFER) ? CL_OUT_OF_RESOURCES
                                : next (queue, mem, blocking, offset, size, host, n_waits, waits, event);
}

cl_int
clEnqueueWriteBuffer (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size,
                      const void *host, cl_uint n_waits, const cl_event *waits, cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *,
                  cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueWriteBuffer");

  return fails (FAULT_TRANSFER) ? CL_OUT_OF_RESOURCES
                                : next (queue, mem, blocking, offset, size, host, n_waits, waits, event);
}

static GLogWriterOutput
ignore (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  return level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL) ? g_log_writer_default (level, fields, n, data)
                                                            : G_LOG_WRITER_HANDLED;
}

/* Chains of operations, each with a property and its value as text. */
typedef struct {
  const char *operation, *property;
  double value;
} Step;

static const struct {
  const char *name, *format, *device;
  gboolean aux; /* the source, blurred, goes into the last operation's aux pad */
  Step steps[4];
} cases[] = {
  { "gaussian", "Y float", "0", FALSE, { { "capra:gaussian-blur", "std-dev-x", 3 } } },
  { "gaussian-all", "RGBA float", "all", FALSE, { { "capra:gaussian-blur", "std-dev-x", 3 } } },
  { "box", "R'G'B'A u8", "auto", FALSE, { { "capra:box-blur", "radius", 9 } } },
  { "convolve", "Y' u16", "0", FALSE, { { "capra:convolve", "divisor", 2 } } },
  { "threshold", "YA float", "", FALSE, { { "capra:threshold", "value", 0.3 } } },
  { "otsu", "RGB float", "0", FALSE, { { "capra:threshold", "method", 1 } } },
  { "statistics", "RGBA half", "auto", FALSE, { { "capra:statistics" } } },
  { "label", "Y float", "0", FALSE, { { "capra:label", "rendering", 1 } } },
  { "measure",
    "Y float",
    "",
    FALSE,
    { { "capra:threshold", "value", 0.4 }, { "capra:label", "rendering", 1 }, { "capra:measure" } } },
  { "chain",
    "RGBA float",
    "0",
    FALSE,
    { { "capra:box-blur", "radius", 3 },
      { "capra:threshold", "method", 1 },
      { "capra:gaussian-blur", "std-dev-y", 2 },
      { "capra:statistics" } } },
  { "measure-save", "Y float", "", TRUE, { { "capra:label", "rendering", 1 }, { "capra:measure-save" } } },
  { "threshold-aux", "RGBA float", "0", TRUE, { { "capra:threshold" } } },
  { "convolve-aux", "RGBA float", "all", TRUE, { { "capra:box-blur", "radius", 3 }, { "capra:convolve" } } },
  { "measure-aux", "Y float", "", TRUE, { { "capra:label", "rendering", 1 }, { "capra:measure" } } },
};

static GeglNode *
add_step (GeglNode *graph, GeglNode *input, const Step *step, const char *device)
{
  GeglNode *node = graph_node (graph, input, step->operation, "device", device, NULL);

  if (gegl_node_find_property (node, "path") && !gegl_node_has_pad (node, "output"))
    gegl_node_set (node, "path", "/dev/null", NULL);
  if (step->property && G_IS_PARAM_SPEC_DOUBLE (gegl_node_find_property (node, step->property)))
    gegl_node_set (node, step->property, step->value, NULL);
  else if (step->property)
    gegl_node_set (node, step->property, (gint) step->value, NULL);
  return node;
}

/* Renders the chain whole, in parts, or into a buffer, and frees everything. */
static void
render (guint number, guint way)
{
  static const Step blur = { "capra:gaussian-blur", "std-dev-x", 2 };
  g_autofree float *noise = support_noise (4 * SIDE * SIDE, 0.1, 1.0, 31), *pixels = NULL;
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, babl_format (cases[number].format));
  g_autoptr (GeglBuffer) target = gegl_buffer_new (&rect, babl_format ("RGBA float"));
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer), *node = source;

  gegl_buffer_set (buffer, NULL, 0, babl_format ("RGBA float"), noise, GEGL_AUTO_ROWSTRIDE);
  for (const Step *step = cases[number].steps; step < cases[number].steps + 4 && step->operation; step++)
    node = add_step (graph, node, step, cases[number].device);
  if (cases[number].aux)
    gegl_node_connect (add_step (graph, source, &blur, cases[number].device), "output", node, "aux");
  if (!gegl_node_has_pad (node, "output"))
    gegl_node_process (node);
  else if (way == 0)
    pixels = graph_render (node, NULL, "Y float");
  else if (way == 1)
    pixels = graph_render_parts (node, "Y float", 1, 120);
  else
    gegl_node_process (graph_node (graph, node, "gegl:write-buffer", "buffer", target, NULL));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* From call number @first on, all of a kind fail, or that one alone. Returns whether there were as many. */
static gboolean
render_with (guint number, Fault kind, gint first, guint way, gint most)
{
  gsize bytes = kind == FAULT_BUDGET ? (gsize) (first + 1) * SIDE * SIDE : 0;

  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_free_unused (support_device (i));
      capra_memory_set_budget (support_device (i), bytes);
    }
  fault.calls = 0;
  fault.first = first;
  fault.most = most;
  g_atomic_int_set (&fault.kind, (gint) kind);
  render (number, way);
  g_atomic_int_set (&fault.kind, N_FAULTS);
  return fault.calls > first || (kind == FAULT_BUDGET && first < 40);
}

static void
test_faults (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);
  gint before = 0;

  for (guint way = 0; way < 3; way++)
    render (number, way); /* builds kernels; GEGL makes what it keeps */
  before = gegl_buffer_leaks ();
  for (guint variant = 0; variant < 6 * N_FAULTS; variant++)
    {
      gint first = 0, most = variant % 2 ? 1 : G_MAXINT;

      while (render_with (number, (Fault) (variant / 6), first, variant / 2 % 3, most) && first < 60)
        first += first < 10 ? 1 : 7;
      if (gegl_buffer_leaks () != before)
        g_error ("%d buffers are left: fault %u, variant %u", gegl_buffer_leaks () - before, variant / 6, variant % 6);
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  fault.kind = N_FAULTS;
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_writer_func (ignore, NULL, NULL);
  graph_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/operations-leaks/", cases[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_faults);
    }
  status = g_test_run ();
  gegl_exit ();
  return status;
}
