/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log-catcher: what GEGL only says in its log, for those who have to tell a person.
 *
 * GEGL's loaders and savers cannot fail: they warn, and leave an empty or unfinished image. */
#include "log-catcher.h"

static GPrivate catching = G_PRIVATE_INIT (NULL); /* of char **: owned by whoever began */
static GLogFunc previous;

static void
on_message (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  char **kept = g_private_get (&catching);

  if (kept && (level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL)))
    {
      if (!*kept)
        *kept = g_strdup (message);
      return;
    }
  previous (domain, level, message, data);
}

void
capra_log_catcher_install (void)
{
  if (!previous)
    previous = g_log_set_default_handler (on_message, NULL);
}

void
capra_log_catcher_begin (void)
{
  if (!g_private_get (&catching))
    g_private_set (&catching, g_new0 (char *, 1));
}

char *
capra_log_catcher_end (void)
{
  g_autofree char **kept = g_private_get (&catching);

  g_private_set (&catching, NULL);
  return kept ? *kept : NULL;
}
