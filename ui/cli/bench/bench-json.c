/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of `capra bench` as JSON. */
#include "ui/cli/bench/bench-json.h"
#include "ui/cli/bench/bench-run.h"
#include "ui/cli/json.h"

void
bench_json_begin_table (JsonBuilder *json, const BenchTable *table)
{
  const CapraDeviceInfo *info = capra_device_get_info (table->device);

  json_builder_begin_object (json);
  json_add_string (json, "device", info->name);
  json_add_string (json, "id", info->id);
  json_add_string (json, "driver", info->driver);
  json_add_integer (json, "size", (guint64) table->size);
  json_add_integer (json, "repeats", (guint64) table->repeats);
  json_add_integer (json, "copy_bytes_per_s", (guint64) (table->copy + 0.5));
  json_add_integer (json, "multiply_adds_per_s", (guint64) (table->adds + 0.5));
  json_add_string (json, "unit", "ms");
  json_begin_array (json, "workloads");
}

static void
add_kernels (JsonBuilder *json, const GPtrArray *kernels)
{
  json_begin_array (json, "kernels");
  for (guint i = 0; i < kernels->len; i++)
    {
      const BenchKernel *kernel = kernels->pdata[i];

      json_builder_begin_object (json);
      json_add_string (json, "name", kernel->name);
      json_add_integer (json, "launches", kernel->launches);
      json_add_number (json, "device", bench_median ((double *) kernel->times->data, kernel->times->len));
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
add_result (JsonBuilder *json, const BenchTable *table, const BenchWorkload *workload, const BenchResult *result)
{
  const struct {
    const char *member;
    double value;
  } times[] = {
    { "device", result->device },         { "min", result->device_min },
    { "max", result->device_max },        { "wall", result->wall },
    { "wall_min", result->wall_min },     { "wall_max", result->wall_max },
    { "whole", result->whole },           { "upload", result->upload },
    { "download", result->download },     { "first", result->first },
    { "build", result->build },           { "traffic", result->traffic },
    { "arithmetic", result->arithmetic }, { "limit", MAX (result->traffic, result->arithmetic) },
  };

  json_add_integer (json, "width", workload->width ? workload->width : (gsize) table->size);
  json_add_integer (json, "height", workload->height ? workload->height : (gsize) table->size);
  json_add_integer (json, "depth", workload->depth);
  json_add_integer (json, "channels", workload->channels);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    json_add_number (json, times[i].member, times[i].value);
  if (result->kernels)
    add_kernels (json, result->kernels);
}

void
bench_json_add_row (JsonBuilder *json, const BenchTable *table, const BenchWorkload *workload,
                    const BenchResult *result, const GError *error)
{
  json_builder_begin_object (json);
  json_add_string (json, "name", workload->name);
  if (error)
    json_add_string (json, "error", error->message);
  else
    add_result (json, table, workload, result);
  json_builder_end_object (json);
}

void
bench_json_end_table (JsonBuilder *json)
{
  json_builder_end_array (json);
  json_builder_end_object (json);
}
