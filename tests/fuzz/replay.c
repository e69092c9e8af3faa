/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzz target on the files of folders: libFuzzer's main() without libFuzzer. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, size_t bytes);

int
main (int argc, char **argv)
{
  guint n = 0;

  for (int i = 1; i < argc; i++)
    {
      g_autoptr (GDir) folder = g_dir_open (argv[i], 0, NULL);
      const char *name = NULL;

      while (folder && (name = g_dir_read_name (folder)))
        {
          g_autofree char *path = g_build_filename (argv[i], name, NULL);
          g_autofree char *contents = NULL;
          gsize bytes = 0;

          if (!g_file_get_contents (path, &contents, &bytes, NULL))
            return 1;
          {
            /* Exactly as long as needed, so that AddressSanitizer finds accesses outside. */
            g_autofree guint8 *data = g_memdup2 (contents, bytes);

            LLVMFuzzerTestOneInput (data, bytes);
          }
          n++;
        }
    }
  printf ("%u inputs\n", n);
  return n > 0 ? 0 : 1;
}
