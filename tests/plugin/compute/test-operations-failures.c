/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that fail during an operation. This program defines OpenCL functions that replace the loader's. They fail
 * when memory is allocated or when a kernel is launched, once or always, or report a lost device. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "tests/support/graph.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

#include "runtime/base/error.h"

#define SIDE 512
#define COUNT (SIDE * SIDE)
#define BYTES (COUNT * 4)

static const GeglRectangle rect = { 3, -4, SIDE, SIDE };

/* The simulated failures of the device that is used by default. They need no certain driver. */
static struct {
  cl_device_id device;
  gint64 room; /* the size of all buffers together, in bytes; 0: no limit */
  gint64 taken;
  gsize most_items; /* kernels with more work-items run out of memory; 0: no limit */
  gint failing;     /* the number of kernels that fail, whatever their size */
  gboolean lost;
  gint hits; /* the number of failures */
} fault;
static const char *failing; /* its id */
static GMutex lock;

/* Memory by cl_mem. It counts as freed when this program has released it, even if the driver frees it later. */
static GHashTable *memories;

typedef struct {
  gint64 size;
  guint refs; /* held by this program */
} Memory;

cl_mem clCreateBuffer (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *status);
cl_int clRetainMemObject (cl_mem mem);
cl_int clReleaseMemObject (cl_mem mem);
cl_int clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                               const size_t *global, const size_t *local, cl_uint n_waits, const cl_event *waits,
                               cl_event *event);

static gboolean
is_concerned (cl_context context)
{
  cl_device_id device = NULL;

  clGetContextInfo (context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
  return device == fault.device;
}

/* Adds @size bytes to the allocated memory. Returns FALSE if the limit would be exceeded. */
static gboolean
allow (gint64 size)
{
  gboolean allowed = TRUE;

  g_mutex_lock (&lock);
  allowed = fault.room == 0 || fault.taken + size <= fault.room;
  fault.taken += allowed ? size : 0;
  fault.hits += !allowed;
  g_mutex_unlock (&lock);
  return allowed;
}

/* Records a new memory object; NULL: the allocation failed. */
static void
note_created (cl_mem mem, gint64 size)
{
  Memory *memory = g_new (Memory, 1);

  *memory = (Memory){ size, 1 };
  g_mutex_lock (&lock);
  if (mem)
    g_hash_table_insert (memories, mem, g_steal_pointer (&memory));
  else
    fault.taken -= size;
  g_mutex_unlock (&lock);
  g_free (memory);
}

cl_mem
clCreateBuffer (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *status)
{
  cl_mem (*next) (cl_context, cl_mem_flags, size_t, void *, cl_int *) = dlsym (RTLD_NEXT, "clCreateBuffer");
  gboolean counts = is_concerned (context) && !(flags & CL_MEM_ALLOC_HOST_PTR);
  cl_mem mem = NULL;

  if (counts && !allow ((gint64) size))
    {
      *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
      return NULL;
    }
  mem = next (context, flags, size, host, status);
  if (counts)
    note_created (mem, (gint64) size);
  return mem;
}

cl_int
clRetainMemObject (cl_mem mem)
{
  cl_int (*next) (cl_mem) = dlsym (RTLD_NEXT, "clRetainMemObject");
  Memory *memory = NULL;

  g_mutex_lock (&lock);
  memory = g_hash_table_lookup (memories, mem);
  if (memory)
    memory->refs++;
  g_mutex_unlock (&lock);
  return next (mem);
}

cl_int
clReleaseMemObject (cl_mem mem)
{
  cl_int (*next) (cl_mem) = dlsym (RTLD_NEXT, "clReleaseMemObject");
  Memory *memory = NULL;

  g_mutex_lock (&lock);
  memory = g_hash_table_lookup (memories, mem);
  if (memory && --memory->refs == 0)
    {
      fault.taken -= memory->size;
      g_hash_table_remove (memories, mem);
    }
  g_mutex_unlock (&lock);
  return next (mem);
}

cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                        const size_t *global, const size_t *local, cl_uint n_waits, const cl_event *waits,
                        cl_event *event)
{
  cl_int (*next) (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                  const cl_event *, cl_event *)
    = dlsym (RTLD_NEXT, "clEnqueueNDRangeKernel");
  cl_device_id device = NULL;
  cl_int status = CL_SUCCESS;
  gsize items = 1;

  for (cl_uint i = 0; i < dimensions; i++)
    items *= global[i];
  clGetCommandQueueInfo (queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  g_mutex_lock (&lock);
  if (device == fault.device)
    {
      if (fault.lost)
        status = CL_DEVICE_NOT_AVAILABLE;
      else if (fault.failing > 0)
        {
          fault.failing--;
          status = CL_OUT_OF_RESOURCES;
        }
      else if (fault.most_items && items > fault.most_items)
        status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
      fault.hits += status != CL_SUCCESS;
    }
  g_mutex_unlock (&lock);
  return status ? status : next (queue, kernel, dimensions, offset, global, local, n_waits, waits, event);
}

/* An image, and the result of a chain of Capra's operations without failures. */
typedef struct {
  GeglBuffer *buffer;
  GeglNode *graph, *source;
  float *expected;
} Scene;

static GeglNode *
add_chain (Scene *scene, const char *device)
{
  GeglNode *node = graph_node (scene->graph, scene->source, "capra:gaussian-blur", "device", device, NULL);

  node = graph_node (scene->graph, node, "capra:convolve", "device", device, NULL);
  return graph_node (scene->graph, node, "capra:threshold", "value", 0.5, "device", device, NULL);
}

static void
scene_init (Scene *scene)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 31);

  fault.room = fault.most_items = fault.failing = fault.lost = 0;
  scene->buffer = graph_buffer ("Y float", &rect, noise);
  scene->graph = gegl_node_new ();
  scene->source = graph_source (scene->graph, scene->buffer);
  scene->expected = graph_render (add_chain (scene, failing), NULL, "Y float");
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_free_unused (support_device (i));
  fault.hits = 0;
}

static void
scene_clear (Scene *scene)
{
  fault.room = fault.most_items = fault.failing = fault.lost = 0;
  g_object_unref (scene->graph);
  g_object_unref (scene->buffer);
  g_free (scene->expected);
}

/* Checks the code and the device of the last failure. The code -1 means success. */
static void
assert_error_code (GeglNode *node, int expected)
{
  g_autofree char *device = NULL;
  int code = G_MAXINT;

  gegl_node_get (node, "error-code", &code, "error-device", &device, NULL);
  g_assert_cmpint (code, ==, expected);
  g_assert_cmpstr (device, ==, code < 0 ? "" : failing);
}

/* Renders @node although a call fails, and checks that it reports no error. */
static void
assert_renders (Scene *scene, GeglNode *node)
{
  g_autofree float *pixels = graph_render (node, NULL, "Y float");
  g_autofree char *error = graph_error (node);

  g_assert_cmpstr (error, ==, "");
  assert_error_code (node, -1);
  g_assert_cmpmem (pixels, BYTES, scene->expected, BYTES);
  g_assert_cmpint (fault.hits, >, 0);
}

/* The device has less memory than its budget. */
static void
test_allocation (void)
{
  Scene scene;

  scene_init (&scene);
  fault.room = fault.taken + BYTES * 5 / 2;
  assert_renders (&scene, add_chain (&scene, failing));
  fault.hits = 0;
  fault.room = fault.taken + BYTES / 2;
  assert_renders (&scene, add_chain (&scene, failing));
  scene_clear (&scene);
}

/* Drivers that allocate memory at its first use report a failed allocation only then. */
static void
test_late (void)
{
  Scene scene;

  scene_init (&scene);
  fault.failing = 1;
  assert_renders (&scene, add_chain (&scene, failing));
  fault.hits = 0;
  fault.most_items = COUNT / 64;
  assert_renders (&scene, add_chain (&scene, failing));
  scene_clear (&scene);
}

/* If memory remains exhausted, an operation on a device chosen by name fails. */
static void
test_exhausted (void)
{
  Scene scene;
  GeglNode *node = NULL;
  g_autofree float *pixels = NULL;
  g_autofree char *error = NULL;

  scene_init (&scene);
  fault.failing = G_MAXINT;
  node = graph_node (scene.graph, scene.source, "capra:threshold", "device", failing, NULL);
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*CL_OUT_OF_RESOURCES*");
  pixels = graph_render (node, NULL, "Y float");
  g_test_assert_expected_messages ();
  error = graph_error (node);
  g_assert_nonnull (strstr (error, "CL_OUT_OF_RESOURCES"));
  assert_error_code (node, CAPRA_ERROR_MEMORY);
  scene_clear (&scene);
}

/* Each of three operations moves from a lost device to the next one, unless the device was chosen by name. With "auto",
 * the operations after the first one begin with the device that has its result. */
static void
test_lost (void)
{
  static const struct {
    const char *name;
    guint moves;
  } devices[] = { { "auto", 1 }, { "", 3 }, { "all", 3 } };
  Scene scene;
  GeglNode *node = NULL;
  g_autofree float *pixels = NULL;

  if (support_skip_alone ())
    return;
  scene_init (&scene);
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_test_message ("device=%s", devices[i].name);
      node = add_chain (&scene, devices[i].name);
      fault.lost = TRUE;
      fault.hits = 0;
      for (guint k = 0; k < devices[i].moves; k++)
        g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*CL_DEVICE_NOT_AVAILABLE*trying*instead*");
      assert_renders (&scene, node);
      g_test_assert_expected_messages ();
    }
  node = graph_node (scene.graph, scene.source, "capra:threshold", "device", failing, NULL);
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*CL_DEVICE_NOT_AVAILABLE*");
  pixels = graph_render (node, NULL, "Y float");
  g_test_assert_expected_messages ();
  assert_error_code (node, CAPRA_ERROR_DEVICE);

  /* Hosts may set all properties; setting the error's properties has no effect. */
  gegl_node_set (node, "error-code", CAPRA_ERROR_ARGUMENT, "error-device", "another", NULL);
  assert_error_code (node, CAPRA_ERROR_DEVICE);
  fault.lost = FALSE;
  gegl_node_set (node, "device", "", NULL);
  g_free (graph_render (node, NULL, "Y float"));
  assert_error_code (node, -1);
  scene_clear (&scene);
}

int
main (int argc, char *argv[])
{
  cl_platform_id platforms[8] = { NULL };
  cl_device_id devices[8] = { NULL };
  const CapraDeviceInfo *info = NULL;
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("CAPRA_DEVICE");
  memories = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  graph_init (&argc, &argv);
  info = capra_device_get_info (capra_device_get_best (NULL));
  failing = info->id;
  clGetPlatformIDs (G_N_ELEMENTS (platforms), platforms, NULL);
  g_assert_cmpint (
    clGetDeviceIDs (platforms[info->platform], CL_DEVICE_TYPE_ALL, G_N_ELEMENTS (devices), devices, NULL), ==,
    CL_SUCCESS);
  fault.device = devices[info->number];
  g_test_add_func ("/operations-failures/allocation", test_allocation);
  g_test_add_func ("/operations-failures/late", test_late);
  g_test_add_func ("/operations-failures/exhausted", test_exhausted);
  g_test_add_func ("/operations-failures/lost", test_lost);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
