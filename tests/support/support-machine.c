/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program `capra`, whose path is in CAPRA_PROGRAM, with drivers and caches of its own. */
#include "tests/support/support-machine.h"

#include <string.h>
#include <sys/wait.h>

#include "tests/support/support-drivers.h"
#include "tests/support/support.h"

void
support_machine_init (SupportMachine *machine, const char *names)
{
  machine->drivers = support_drivers_new (names);
  machine->vendors = g_strdup (g_getenv ("OCL_ICD_VENDORS"));
  machine->caches = g_dir_make_tmp ("capra-caches-XXXXXX", NULL);
  g_setenv ("OCL_ICD_VENDORS", machine->drivers, TRUE);
  g_setenv ("XDG_CACHE_HOME", machine->caches, TRUE);
}

void
support_machine_clear (SupportMachine *machine)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s' '%s'", machine->drivers, machine->caches);

  if (machine->vendors)
    g_setenv ("OCL_ICD_VENDORS", machine->vendors, TRUE);
  else
    g_unsetenv ("OCL_ICD_VENDORS");
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (machine->drivers);
  g_free (machine->caches);
  g_free (machine->vendors);
}

int
support_machine_run (const char *arguments, char **output, char **errors)
{
  g_autofree char *command = g_strdup_printf ("%s %s", g_getenv ("CAPRA_PROGRAM"), arguments);
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_clear_pointer (output, g_free);
  g_clear_pointer (errors, g_free);
  g_spawn_command_line_sync (command, output, errors, &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

void
support_assert_part (const char *text, const char *part)
{
  if (!strstr (text, part))
    g_error ("\"%s\" is not part of\n%s", part, text);
}

void
support_assert_good_devices (const char *output)
{
  const GPtrArray *devices = support_devices ();

  g_assert_cmpuint (devices->len, >, 0);
  for (guint i = 0; i < devices->len; i++)
    support_assert_part (output, capra_device_get_info (devices->pdata[i])->id);
  g_assert_null (strstr (output, "Fake"));
}
