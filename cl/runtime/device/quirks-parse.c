/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Quirks: the file. GLib's parser refuses a whole file for one wrong line, and does not say which. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/device/quirks-private.h"

static const char *const actions[] = {
  [CAPRA_QUIRK_NONE] = "none",
  [CAPRA_QUIRK_AVOID_VARIANT] = "avoid-variant",
  [CAPRA_QUIRK_ADD_OPTIONS] = "add-options",
  [CAPRA_QUIRK_REFUSE_KERNELS] = "refuse-kernels",
  [CAPRA_QUIRK_REFUSE_DEVICE] = "refuse-device",
  [CAPRA_QUIRK_END_CHILDREN] = "end-children",
  NULL,
};

typedef struct {
  const char *path, *file;
  guint line;
  CapraQuirk *quirk; /* the entry that is read; NULL before the first */
  char *action;
  guint begin;     /* its line */
  gboolean broken; /* it has an error */
  GPtrArray *quirks, *complaints;
} Parser;

void
capra_quirk_free (CapraQuirk *quirk)
{
  g_free (quirk->name);
  g_free (quirk->platform);
  g_free (quirk->vendor);
  g_free (quirk->device);
  g_free (quirk->driver_from);
  g_free (quirk->driver_before);
  g_free (quirk->variant);
  g_strfreev (quirk->kernels);
  g_free (quirk->options);
  g_free (quirk->reason);
  g_free (quirk->link);
  g_free (quirk->file);
  g_free (quirk);
}

static void G_GNUC_PRINTF (3, 4) complain (Parser *parser, guint line, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* Translators: a path, a line number, what is wrong. */
  g_ptr_array_add (parser->complaints,
                   parser->quirk
                     ? g_strdup_printf (_ ("%s, line %u: %s; this entry is ignored"), parser->path, line, text)
                     : g_strdup_printf (_ ("%s, line %u: %s; this line is ignored"), parser->path, line, text));
  parser->broken = TRUE;
}

static gboolean
find_action (const char *name, CapraQuirkAction *action)
{
  for (guint i = 0; actions[i]; i++)
    if (g_str_equal (actions[i], name))
      {
        *action = (CapraQuirkAction) i;
        return TRUE;
      }
  return FALSE;
}

/* The key that an entry lacks for its action, as it is written; NULL if it is complete. */
static const char *
find_missing (const CapraQuirk *quirk)
{
  gboolean needs_kernels = quirk->action == CAPRA_QUIRK_ADD_OPTIONS || quirk->action == CAPRA_QUIRK_REFUSE_KERNELS;

  if (quirk->action == CAPRA_QUIRK_NONE)
    return NULL;
  if (!quirk->platform && !quirk->vendor && !quirk->device)
    return "platform=, vendor=, device=";
  if (quirk->action == CAPRA_QUIRK_AVOID_VARIANT && !quirk->variant)
    return "variant=";
  if (needs_kernels && !quirk->kernels)
    return "kernels=";
  if (quirk->action == CAPRA_QUIRK_ADD_OPTIONS && !quirk->options)
    return "options=";
  return quirk->reason ? NULL : "reason=";
}

static void
end_entry (Parser *parser)
{
  CapraQuirk *quirk = parser->quirk;
  const char *missing = NULL;

  if (!quirk)
    return;
  if (!parser->broken && !parser->action)
    complain (parser, parser->begin, _ ("\"%s\" lacks %s"), quirk->name, "action=");
  else if (!parser->broken && (missing = find_missing (quirk)))
    complain (parser, parser->begin, _ ("\"%s\" lacks %s"), quirk->name, missing);
  if (parser->broken)
    capra_quirk_free (quirk);
  else
    g_ptr_array_add (parser->quirks, quirk);
  parser->quirk = NULL;
  g_clear_pointer (&parser->action, g_free);
}

static void
begin_entry (Parser *parser, const char *line)
{
  gsize length = strlen (line);

  end_entry (parser);
  parser->broken = FALSE;
  parser->begin = parser->line;
  parser->quirk = g_new0 (CapraQuirk, 1);
  parser->quirk->file = g_strdup (parser->file);
  parser->quirk->name = g_strndup (line + 1, length - 1 - (line[length - 1] == ']'));
  if (line[length - 1] != ']' || length < 3)
    complain (parser, parser->line, _ ("\"%s\" is not the name of an entry, such as [name]"), line);
  for (guint i = 0; i < parser->quirks->len; i++)
    if (g_str_equal (((const CapraQuirk *) parser->quirks->pdata[i])->name, parser->quirk->name))
      complain (parser, parser->line, _ ("the entry \"%s\" exists already"), parser->quirk->name);
}

/* Where the value of a key is stored; NULL if the key is unknown. */
static char **
find_text (Parser *parser, const char *key)
{
  CapraQuirk *quirk = parser->quirk;
  const struct {
    const char *key;
    char **text;
  } texts[] = {
    { "platform", &quirk->platform },
    { "vendor", &quirk->vendor },
    { "device", &quirk->device },
    { "driver-from", &quirk->driver_from },
    { "driver-before", &quirk->driver_before },
    { "action", &parser->action },
    { "variant", &quirk->variant },
    { "options", &quirk->options },
    { "reason", &quirk->reason },
    { "link", &quirk->link },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (texts[i].key, key))
      return texts[i].text;
  return NULL;
}

/* Checks the value of a key that is stored as it is. */
static void
check_value (Parser *parser, const char *key, const char *value)
{
  if (g_str_equal (key, "action") && !find_action (value, &parser->quirk->action))
    {
      g_autofree char *names = g_strjoinv (", ", (char **) actions);

      complain (parser, parser->line, _ ("unknown action \"%s\"; the actions are: %s"), value, names);
    }
  else if (g_str_has_prefix (key, "driver-") && !g_ascii_isdigit (*value))
    complain (parser, parser->line, _ ("\"%s\" is not a version"), value);
  else if (g_str_equal (key, "variant") && (*value == '=' || !strchr (value, '=')))
    complain (parser, parser->line, _ ("\"%s\" is not a variant, such as taps.variant=group"), value);
}

static void
set_value (Parser *parser, const char *key, const char *value)
{
  gboolean is_list = g_str_equal (key, "kernels");
  char **text = is_list ? NULL : find_text (parser, key);

  if (!is_list && !text)
    complain (parser, parser->line, _ ("unknown key \"%s\""), key);
  else if (is_list ? parser->quirk->kernels != NULL : *text != NULL)
    complain (parser, parser->line, _ ("\"%s\" is set twice"), key);
  else if (!*value || !g_utf8_validate (value, -1, NULL))
    complain (parser, parser->line, _ ("\"%s\" has no value"), key);
  else if (is_list)
    parser->quirk->kernels = g_strsplit (value, ";", -1);
  else
    {
      *text = g_strdup (value);
      check_value (parser, key, value);
    }
}

static void
read_line (Parser *parser, char *line)
{
  char *equal = NULL;

  g_strstrip (line);
  if (!*line || *line == '#')
    return;
  if (*line == '[')
    begin_entry (parser, line);
  else if (!parser->quirk)
    complain (parser, parser->line, _ ("\"%s\" is before the first entry, such as [name]"), line);
  else if (!(equal = strchr (line, '=')))
    complain (parser, parser->line, _ ("\"%s\" is neither KEY=VALUE nor a comment"), line);
  else
    {
      *equal = '\0';
      set_value (parser, g_strchomp (line), g_strchug (equal + 1));
    }
}

GPtrArray *
capra_quirks_parse (const char *text, const char *path, const char *file, GPtrArray *complaints)
{
  Parser parser = { .path = path, .file = file, .complaints = complaints };
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  parser.quirks = g_ptr_array_new_with_free_func ((GDestroyNotify) capra_quirk_free);
  for (char **line = lines; *line; line++)
    {
      parser.line++;
      read_line (&parser, *line);
    }
  end_entry (&parser);
  return parser.quirks;
}
