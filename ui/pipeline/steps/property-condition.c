/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Property-condition: evaluates the keys "visible" and "sensitive" of an operation's properties.
 *
 * GEGL stores these keys without interpreting them, and GIMP's parser (app/propgui) is not in a library. */
#include "ui/pipeline/steps/property-condition.h"

#include <string.h>

#include "ui/pipeline/text/value-text.h"

typedef struct {
  CapraStep *step;
  const char *at;
  gboolean failed; /* syntax error */
} Reader;

static gboolean read_or (Reader *reader);

static gboolean
take (Reader *reader, char wanted)
{
  reader->at += strspn (reader->at, " \t\n");
  if (*reader->at != wanted)
    return FALSE;
  reader->at++;
  return TRUE;
}

/* A name or a value: "std-dev-x", "0.5". */
static char *
take_word (Reader *reader)
{
  gsize length;
  char *word;

  reader->at += strspn (reader->at, " \t\n");
  length = strcspn (reader->at, " \t\n{},()!&|");
  reader->failed |= length == 0;
  word = g_strndup (reader->at, length);
  reader->at += length;
  return word;
}

static char *
get_text (Reader *reader, const char *name)
{
  GParamSpec *property = capra_operation_find_property (capra_step_get_operation (reader->step), name);
  g_auto (GValue) value = G_VALUE_INIT;

  reader->failed |= !property;
  if (!property)
    return NULL;
  capra_step_get (reader->step, property, &value);
  return capra_value_to_text (&value);
}

/* NAME: the property is true; NAME {VALUE, …}: it has one of the values. */
static gboolean
read_property (Reader *reader)
{
  g_autofree char *name = take_word (reader);
  g_autofree char *text = NULL;
  gboolean holds = FALSE;

  if (strcmp (name, "0") == 0 || strcmp (name, "1") == 0)
    return *name == '1';
  text = get_text (reader, name);
  if (!take (reader, '{'))
    return g_strcmp0 (text, "true") == 0;
  do
    {
      g_autofree char *wanted = take_word (reader);

      holds |= g_strcmp0 (text, wanted) == 0;
    }
  while (take (reader, ','));
  reader->failed |= !take (reader, '}');
  return holds;
}

static gboolean
read_not (Reader *reader)
{
  gboolean holds;

  if (reader->failed)
    return FALSE;
  if (take (reader, '!'))
    return !read_not (reader);
  if (!take (reader, '('))
    return read_property (reader);
  holds = read_or (reader);
  reader->failed |= !take (reader, ')');
  return holds;
}

static gboolean
read_and (Reader *reader)
{
  gboolean holds = read_not (reader);

  while (!reader->failed && take (reader, '&'))
    holds &= read_not (reader);
  return holds;
}

static gboolean
read_or (Reader *reader)
{
  gboolean holds = read_and (reader);

  while (!reader->failed && take (reader, '|'))
    holds |= read_and (reader);
  return holds;
}

gboolean
capra_property_condition_holds (CapraStep *step, const char *condition)
{
  Reader reader = { step, condition, FALSE };
  gboolean holds;

  if (!condition)
    return TRUE;
  holds = read_or (&reader);
  return holds || reader.failed || !(take (&reader, '\0'));
}
