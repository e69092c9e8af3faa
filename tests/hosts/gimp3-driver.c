/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives GIMP 3: looks for the operations in its menus, and runs the plug-in.
 *
 * A step in addition to those of driver.h: "?menu" checks that the menu of that name contains each operation. */
#include "tests/hosts/driver.h"

static gboolean
is_menu (GtkWidget *widget, const char *label)
{
  return GTK_IS_MENU_ITEM (widget) && gtk_menu_item_get_submenu (GTK_MENU_ITEM (widget))
         && g_strcmp0 (gtk_menu_item_get_label (GTK_MENU_ITEM (widget)), label) == 0;
}

static void
check_menu (GtkWidget *window, const char *label)
{
  static const char *const operations[] = { "gaussian-blur", "box-blur", "convolve",   "threshold",
                                            "label",         "measure",  "statistics", "azimuthal-integrate" };
  GtkWidget *item = driver_wait_for (window, is_menu, label);
  GtkWidget *menu = gtk_menu_item_get_submenu (GTK_MENU_ITEM (item));
  g_autoptr (GList) items = gtk_container_get_children (GTK_CONTAINER (menu));

  if (g_list_length (items) != G_N_ELEMENTS (operations))
    driver_fail ("%s has %u items", label, g_list_length (items));
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_autofree char *action = g_strdup_printf ("filters-capra-%s", operations[i]);

      if (!g_action_group_has_action (G_ACTION_GROUP (g_application_get_default ()), action))
        driver_fail ("no action %s", action);
    }
}

static gboolean
drive (gpointer data)
{
  g_auto (GStrv) steps = g_strsplit (g_getenv ("CAPRA_DRIVER_STEPS"), "|", 0);
  GtkWidget *window = NULL;
  GtkWidget *canvas = driver_prepare (&window);

  for (guint i = 0; steps[i]; i++)
    if (*steps[i] == '?')
      check_menu (window, steps[i] + 1);
    else
      driver_run_plug_in (window, canvas, steps[i] + 1);
  driver_end (window);
  return G_SOURCE_REMOVE;
}

G_MODULE_EXPORT void
gtk_module_init (gint *argc, gchar ***argv)
{
  driver_start (drive);
}
