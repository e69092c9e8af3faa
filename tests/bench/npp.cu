// SPDX-License-Identifier: GPL-3.0-or-later
// Times NPP for peers.py, and saves what it makes: npp INPUTS RESULTS SIZE REPEATS. Prints one line of JSON, medians in
// milliseconds by CUDA events, by the names of `capra bench`'s workloads. INPUTS holds the matrices as raw floats in
// matrix-N.f32, beside the images.
#include <cuda_runtime.h>
#include <nppi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

constexpr size_t BUSY = 256 << 20;

static std::string inputs, results;
static int size, repeats;
static NppStreamContext stream;

static void
check (int status, const char *what)
{
  if (status != 0)
    {
      std::fprintf (stderr, "%s: %d\n", what, status);
      std::exit (1);
    }
}

template <typename T>
static std::vector<T>
load (const std::string &name, size_t count)
{
  std::vector<T> values (count);
  std::FILE *file = std::fopen ((inputs + "/" + name + ".f32").c_str (), "rb");

  check (!file || std::fread (values.data (), sizeof (T), count, file) != count, name.c_str ());
  std::fclose (file);
  return values;
}

template <typename T>
static T *
to_device (const std::vector<T> &values)
{
  void *memory = nullptr;

  check (cudaMalloc (&memory, values.size () * sizeof (T)), "cudaMalloc");
  check (cudaMemcpy (memory, values.data (), values.size () * sizeof (T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return static_cast<T *> (memory);
}

// Times `call`, whose result of `bytes` lies at `memory`, and saves it. The device copies until the host has handed
// over the call, as in `capra bench`. A function that NPP refuses is left out.
static void
time_work (const std::string &work, void *memory, size_t bytes, const std::function<NppStatus ()> &call)
{
  static bool first = true;
  static char *busy = to_device (std::vector<char> (2 * BUSY));
  std::vector<float> times (repeats);
  std::vector<char> host (bytes);
  cudaEvent_t start, end;

  if (call () != NPP_SUCCESS)
    return;
  cudaEventCreate (&start);
  cudaEventCreate (&end);
  for (float &time : times)
    {
      check (cudaDeviceSynchronize (), work.c_str ());
      for (int i = 0; i < 4; i++)
        cudaMemcpyAsync (busy, busy + BUSY, BUSY, cudaMemcpyDeviceToDevice);
      cudaEventRecord (start);
      call ();
      cudaEventRecord (end);
      cudaEventSynchronize (end);
      cudaEventElapsedTime (&time, start, end);
    }
  std::sort (times.begin (), times.end ());
  check (cudaMemcpy (host.data (), memory, bytes, cudaMemcpyDeviceToHost), work.c_str ());
  std::FILE *file = std::fopen ((results + "/" + work + ".raw").c_str (), "wb");
  check (!file || std::fwrite (host.data (), 1, bytes, file) != bytes, work.c_str ());
  std::fclose (file);
  std::printf ("%s\"%s\": %.4f", first ? "{" : ", ", work.c_str (), times[repeats / 2]);
  first = false;
}

static void
time_filters (const Npp32f *image, Npp32f *target, size_t bytes)
{
  const NppiSize whole = { size, size };
  const int step = size * (int) sizeof (float), radius = 15;

  for (int n : { 3, 5, 7, 15, 31 })
    {
      Npp32f *weights = to_device (load<Npp32f> ("matrix-" + std::to_string (n), n * n));

      time_work ("convolve-" + std::to_string (n), target, bytes, [=] {
        return nppiFilterBorder_32f_C1R_Ctx (image, step, whole, { 0, 0 }, target, step, whole, weights, { n, n },
                                             { n / 2, n / 2 }, NPP_BORDER_REPLICATE, stream);
      });
      cudaFree (weights);
    }
  time_work ("box-15", target, bytes, [=] {
    return nppiFilterBoxBorder_32f_C1R_Ctx (image, step, whole, { 0, 0 }, target, step, whole,
                                            { 2 * radius + 1, 2 * radius + 1 }, { radius, radius },
                                            NPP_BORDER_REPLICATE, stream);
  });
}

static void
time_threshold (const Npp32f *image)
{
  const NppiSize whole = { size, size };
  Npp8u *mask = to_device (std::vector<Npp8u> ((size_t) size * size));

  time_work ("threshold-u8", mask, (size_t) size * size, [=] {
    return nppiCompareC_32f_C1R_Ctx (image, size * (int) sizeof (float), 0.5f, mask, size, whole, NPP_CMP_GREATER_EQ,
                                     stream);
  });
  cudaFree (mask);
}

static void
time_labels ()
{
  const NppiSize whole = { size, size };
  size_t count = (size_t) size * size;
  Npp32u *labels = to_device (std::vector<Npp32u> (count));
  int bytes = 0;

  check (nppiLabelMarkersUFGetBufferSize_32u_C1R (whole, &bytes), "nppiLabelMarkersUFGetBufferSize");
  Npp8u *scratch = to_device (std::vector<Npp8u> (bytes));
  for (const char *name : { "blobs", "noise-50", "noise-59", "sparse", "full" })
    {
      std::vector<Npp32f> values = load<Npp32f> (name, count);
      std::vector<Npp8u> bits (count);
      std::transform (values.begin (), values.end (), bits.begin (), [] (float v) { return v > 0; });
      Npp8u *mask = to_device (bits);

      time_work (std::string ("label-") + name, labels, count * sizeof (Npp32u), [=] {
        return nppiLabelMarkersUF_8u32u_C1R_Ctx (mask, size, labels, size * (int) sizeof (Npp32u), whole, nppiNormInf,
                                                 scratch, stream);
      });
      cudaFree (mask);
    }
}

int
main (int argc, char **argv)
{
  check (argc != 5, "npp INPUTS RESULTS SIZE REPEATS");
  inputs = argv[1];
  results = argv[2];
  size = std::atoi (argv[3]);
  repeats = std::atoi (argv[4]);

  cudaDeviceProp properties;
  check (cudaGetDevice (&stream.nCudaDeviceId), "cudaGetDevice");
  check (cudaGetDeviceProperties (&properties, stream.nCudaDeviceId), "cudaGetDeviceProperties");
  stream.nMultiProcessorCount = properties.multiProcessorCount;
  stream.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  stream.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  stream.nSharedMemPerBlock = properties.sharedMemPerBlock;
  stream.nCudaDevAttrComputeCapabilityMajor = properties.major;
  stream.nCudaDevAttrComputeCapabilityMinor = properties.minor;

  std::vector<Npp32f> noise = load<Npp32f> ("noise", (size_t) size * size);
  size_t bytes = noise.size () * sizeof (Npp32f);
  Npp32f *image = to_device (noise), *target = to_device (noise);
  time_filters (image, target, bytes);
  time_threshold (image);
  time_labels ();
  std::printf ("}\n");
  return 0;
}
