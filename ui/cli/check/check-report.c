/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of `capra check`: plain text that can be pasted anywhere, or JSON. */
#include "ui/cli/check/check-report.h"

#include "ui/cli/json.h"

static const char *const verdicts[] = {
  [CHECK_PASSED] = "passed",
  [CHECK_DIFFERS] = "DIFFERS",
  [CHECK_FAILED] = "FAILED",
  [CHECK_NOT_RUN] = "not run",
};

char *
check_report_head (const GPtrArray *pairs, gboolean full)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i + 1 < pairs->len; i += 2)
    g_string_append_printf (text, "%-9s %s\n", (const char *) pairs->pdata[i], (const char *) pairs->pdata[i + 1]);
  g_string_append_printf (text, "%-9s %s\n\n", "check", full ? "full" : "quick");
  return g_string_free (text, FALSE);
}

char *
check_report_name (const CheckFamily *family, const char *variant)
{
  return variant ? g_strdup_printf ("%s (%s)\n%-20s", family->name, variant, "")
                 : g_strdup_printf ("%-20s", family->name);
}

char *
check_report_verdict (const CheckResult *result)
{
  return g_strdup_printf (" %-8s%5u cases %8.3f s%s%s\n", verdicts[result->verdict], result->cases, result->seconds,
                          result->message ? "\n    " : "", result->message ? result->message : "");
}

static guint
count_verdicts (const GPtrArray *results, CheckVerdict verdict)
{
  guint n = 0;

  for (guint i = 0; i < results->len; i++)
    n += ((const CheckResult *) results->pdata[i])->verdict == verdict;
  return n;
}

gboolean
check_report_passed (const GPtrArray *results)
{
  return count_verdicts (results, CHECK_DIFFERS) == 0 && count_verdicts (results, CHECK_FAILED) == 0;
}

char *
check_report_foot (const GPtrArray *results, double seconds)
{
  return g_strdup_printf ("\n%u passed, %u differ, %u failed, %u not run, in %.2f s\n",
                          count_verdicts (results, CHECK_PASSED), count_verdicts (results, CHECK_DIFFERS),
                          count_verdicts (results, CHECK_FAILED), count_verdicts (results, CHECK_NOT_RUN), seconds);
}

/* (transfer full): the names of the families with @verdict. */
static char **
list_names (const GPtrArray *results, CheckVerdict verdict)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < results->len; i++)
    {
      const CheckResult *result = results->pdata[i];

      if (result->verdict == verdict)
        g_ptr_array_add (names, result->variant ? g_strdup_printf ("%s (%s)", result->family->name, result->variant)
                                                : g_strdup (result->family->name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}

/* Whether a basic family differs or failed. */
static gboolean
is_unreliable (const GPtrArray *results)
{
  for (guint i = 0; i < results->len; i++)
    {
      const CheckResult *result = results->pdata[i];

      if (result->family->basic && (result->verdict == CHECK_DIFFERS || result->verdict == CHECK_FAILED))
        return TRUE;
    }
  return FALSE;
}

CapraCheckRecord *
check_report_record (gboolean full, const GPtrArray *results)
{
  CapraCheckRecord *record = capra_check_record_new (full);

  record->ended = TRUE;
  record->unreliable = is_unreliable (results);
  record->passed = count_verdicts (results, CHECK_PASSED);
  g_strfreev (record->differ);
  g_strfreev (record->failed);
  record->differ = list_names (results, CHECK_DIFFERS);
  record->failed = list_names (results, CHECK_FAILED);
  return record;
}

static void
add_result (JsonBuilder *json, const CheckResult *result)
{
  static const char *const names[] = {
    [CHECK_PASSED] = "passed",
    [CHECK_DIFFERS] = "differs",
    [CHECK_FAILED] = "failed",
    [CHECK_NOT_RUN] = "not-run",
  };

  json_builder_begin_object (json);
  json_add_string (json, "family", result->family->name);
  if (result->variant)
    json_add_string (json, "variant", result->variant);
  json_add_string (json, "verdict", names[result->verdict]);
  if (result->message)
    json_add_string (json, "message", result->message);
  json_add_integer (json, "cases", result->cases);
  json_add_number (json, "seconds", result->seconds);
  json_builder_end_object (json);
}

JsonBuilder *
check_report_json (const GPtrArray *pairs, gboolean full, const GPtrArray *results, double seconds)
{
  JsonBuilder *json = json_builder_new ();

  json_builder_begin_object (json);
  for (guint i = 0; i + 1 < pairs->len; i += 2)
    json_add_string (json, pairs->pdata[i], pairs->pdata[i + 1]);
  json_add_string (json, "check", full ? "full" : "quick");
  json_begin_array (json, "results");
  for (guint i = 0; i < results->len; i++)
    add_result (json, results->pdata[i]);
  json_builder_end_array (json);
  json_builder_set_member_name (json, "passed");
  json_builder_add_boolean_value (json, check_report_passed (results));
  json_builder_set_member_name (json, "unreliable");
  json_builder_add_boolean_value (json, is_unreliable (results));
  json_add_number (json, "seconds", seconds);
  json_builder_end_object (json);
  return json;
}
