/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the machine and a card are idle: beside processes that compute, and a card whose load is known. */
#include <glib.h>

#include "tests/cli/fake-nvml.h"
#include "tests/support/support-load.h"
#include "ui/cards/nvml.h"
#include "ui/cli/check/check-idle.h"

#define SECONDS 2

/* A second after a call, the next one looks at the time since then. */
static void
test_busy (void)
{
  g_assert_false (check_idle ());
  if (!support_load_begin ())
    return;
  for (guint i = 0; i < SECONDS; i++)
    {
      g_usleep (G_USEC_PER_SEC + G_USEC_PER_SEC / 10);
      g_assert_false (check_idle ());
    }
  support_load_end ();
}

static void
test_card (void)
{
  static const struct {
    int load;
    gboolean idle;
  } cases[] = { { 0, TRUE }, { 49, TRUE }, { 50, FALSE }, { 100, FALSE }, { -1, TRUE } };
  g_autofree char *id = capra_nvml_id_of_uuid (FAKE_NVML_UUID);
  CapraCard card;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      fake_nvml_set_load (cases[i].load);
      g_assert_true (capra_nvml_query (id, &card));
      g_assert_cmpint (card.busy, ==, cases[i].load);
      g_assert_cmpint (check_idle_card (id), ==, cases[i].idle);
      g_assert_true (check_idle_card ("a processor"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/check-idle/busy", test_busy);
  g_test_add_func ("/check-idle/card", test_card);
  return g_test_run ();
}
