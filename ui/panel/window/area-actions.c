/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area-actions: actions of a window that move the focus between its areas and show the pages of the sidebar. */
#include "ui/panel/window/area-actions.h"

enum { PICTURE, SIDEBAR, HEADER, N_AREAS };

/* What the actions of one window work on; the window owns it. */
typedef struct {
  GtkWidget *areas[N_AREAS]; /* in the order in which they get the focus */
  AdwFlap *flap;
} Target;

static gboolean
has_focus (GtkWidget *area)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (area));

  return focus && (focus == area || gtk_widget_is_ancestor (focus, area));
}

static gboolean
is_shown (Target *target, int area)
{
  return area != SIDEBAR || adw_flap_get_reveal_flap (target->flap);
}

/* The first area gets the focus if none has it. */
static void
move_focus (Target *target, int by)
{
  int area = by > 0 ? N_AREAS - 1 : 0;

  for (int i = 0; i < N_AREAS; i++)
    if (has_focus (target->areas[i]))
      area = i;
  for (int tries = 1; tries < N_AREAS; tries++)
    {
      area = (area + by + N_AREAS) % N_AREAS;
      if (is_shown (target, area) && gtk_widget_child_focus (target->areas[area], GTK_DIR_TAB_FORWARD))
        return;
    }
}

static void
on_next_area (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  move_focus (data, 1);
}

static void
on_previous_area (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  move_focus (data, -1);
}

static void
on_show_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Target *target = data;

  adw_flap_set_reveal_flap (target->flap, TRUE);
  capra_sidebar_set_page (CAPRA_SIDEBAR (target->areas[SIDEBAR]), g_variant_get_string (parameter, NULL));
  capra_sidebar_focus_page (CAPRA_SIDEBAR (target->areas[SIDEBAR]));
}

void
capra_area_actions_add (GtkApplicationWindow *window, GtkWidget *header, GtkWidget *picture, AdwFlap *flap,
                        CapraSidebar *sidebar)
{
  static const GActionEntry entries[] = {
    { "next-area", on_next_area },
    { "previous-area", on_previous_area },
    { "show-page", on_show_page, "s" },
  };
  Target *target = g_new0 (Target, 1);

  target->areas[PICTURE] = picture;
  target->areas[SIDEBAR] = GTK_WIDGET (sidebar);
  target->areas[HEADER] = header;
  target->flap = flap;
  g_object_set_data_full (G_OBJECT (window), "capra-area-actions", target, g_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), target);
}
