/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times of a run, from the timeline. */
#include "ui/cli/bench/bench-kernels.h"

static gboolean
is_transfer (const char *name)
{
  return g_str_equal (name, "upload") || g_str_equal (name, "download") || g_str_equal (name, "result")
         || g_str_equal (name, "numbers");
}

double
bench_device_time (guint skip)
{
  g_autoptr (GArray) records = capra_timeline_records (0);
  guint64 start = G_MAXUINT64, end = 0;

  for (guint i = skip; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);

      if (is_transfer (record->name))
        continue;
      start = MIN (start, record->start);
      end = MAX (end, record->end);
    }
  return end > 0 ? (double) (end - start) * 1e-6 : 0;
}

static void
kernel_free (BenchKernel *kernel)
{
  g_array_unref (kernel->times);
  g_free (kernel);
}

GPtrArray *
bench_kernels_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) kernel_free);
}

static BenchKernel *
find_kernel (GPtrArray *kernels, const char *name)
{
  BenchKernel *kernel = NULL;

  for (guint i = 0; i < kernels->len; i++)
    {
      kernel = kernels->pdata[i];
      if (g_str_equal (kernel->name, name))
        return kernel;
    }
  kernel = g_new0 (BenchKernel, 1);
  kernel->name = name;
  kernel->times = g_array_new (FALSE, TRUE, sizeof (double));
  g_ptr_array_add (kernels, kernel);
  return kernel;
}

void
bench_kernels_add (GPtrArray *kernels, guint skip)
{
  g_autoptr (GArray) records = capra_timeline_records (0);

  for (guint i = 0; i < kernels->len; i++)
    ((BenchKernel *) kernels->pdata[i])->launches = 0;
  for (guint i = skip; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);
      BenchKernel *kernel = is_transfer (record->name) ? NULL : find_kernel (kernels, record->name);
      double time = (double) (record->end - record->start) * 1e-6;

      if (!kernel)
        continue;
      if (kernel->launches++ == 0)
        g_array_append_val (kernel->times, time);
      else
        g_array_index (kernel->times, double, kernel->times->len - 1) += time;
    }
}
