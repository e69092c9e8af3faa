/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of operations (plugin/operations/operations.ini), for tests over all of them. */
#include "tests/support/operations.h"

#include "operations-table.h"

GPtrArray *
operations_list (void)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *last = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (operations_table); i++)
    if (g_strcmp0 (operations_table[i].operation, last) != 0)
      g_ptr_array_add (names, g_strconcat ("capra:", last = operations_table[i].operation, NULL));
  return names;
}

GPtrArray *
operations_get (const char *key)
{
  GPtrArray *values = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (operations_table); i++)
    if (g_str_equal (operations_table[i].key, key))
      g_ptr_array_add (values, (gpointer) operations_table[i].value);
  return values;
}

const char *
operations_get_value (const char *operation, const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations_table); i++)
    if (g_str_equal (operations_table[i].operation, operation) && g_str_equal (operations_table[i].key, key))
      return operations_table[i].value;
  return NULL;
}

GPtrArray *
operations_get_chains (void)
{
  GPtrArray *chains = operations_get ("prepare");

  g_ptr_array_extend_and_steal (chains, operations_get ("chain"));
  return chains;
}

char *
operations_test_path (const char *prefix, const char *chain)
{
  return g_strdelimit (g_strconcat (prefix, chain, NULL), "\"", '\'');
}
