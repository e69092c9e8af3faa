/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory card: a plot, a legend with the current values, and the memory of each process. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/panel/monitor/memory-card.h"
#include "ui/panel/monitor/plot.h"
#include "ui/panel/widgets/units.h"

/* The entries of the legend. */
enum { ARRAYS, RESIDENT, POOL, STAGING, PEAK, BUDGET, N_ENTRIES };

static const struct {
  const char *name, *hint;
  int color; /* of the area in the plot, or -1 */
} entries[N_ENTRIES] = {
  [ARRAYS] = { N_ ("In use"), N_ ("Memory in use by operations"), CAPRA_PALETTE_ARRAYS },
  [RESIDENT] = { N_ ("Kept results"), N_ ("Results kept on the device for the next operation"),
                 CAPRA_PALETTE_RESIDENT },
  [POOL] = { N_ ("Free blocks"), N_ ("Kept for the next allocation"), CAPRA_PALETTE_POOL },
  [STAGING] = { N_ ("Transfer buffers"), N_ ("Host memory for uploads and downloads"), -1 },
  [PEAK] = { N_ ("Peak"), N_ ("Largest sum of memory in use and kept results in one process"), -1 },
  [BUDGET] = { N_ ("Budget"), N_ ("Memory limit of one process"), -1 },
};

struct _CapraMemoryCard {
  GtkWidget parent_instance;
  GtkWidget *box, *title, *total, *plot_bin, *legend, *card, *users;
  GtkWidget *values[N_ENTRIES];
  CapraPlot *plot;
  char *id;
  guint64 areas[CAPRA_PLOT_AREAS];
};

G_DEFINE_FINAL_TYPE (CapraMemoryCard, capra_memory_card, GTK_TYPE_WIDGET)

static void
capra_memory_card_dispose (GObject *object)
{
  CapraMemoryCard *card = CAPRA_MEMORY_CARD (object);

  g_clear_pointer (&card->box, gtk_widget_unparent);
  G_OBJECT_CLASS (capra_memory_card_parent_class)->dispose (object);
}

static void
capra_memory_card_finalize (GObject *object)
{
  g_free (CAPRA_MEMORY_CARD (object)->id);
  G_OBJECT_CLASS (capra_memory_card_parent_class)->finalize (object);
}

static void
capra_memory_card_class_init (CapraMemoryCardClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = capra_memory_card_dispose;
  G_OBJECT_CLASS (class)->finalize = capra_memory_card_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/capra/Panel/views/memory-card.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryCard, box);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryCard, title);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryCard, total);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryCard, plot_bin);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryCard, legend);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryCard, card);
  gtk_widget_class_bind_template_child (widget_class, CapraMemoryCard, users);
}

/* The name of the entry with a dot in the color of the plot, and the value below it. */
static void
add_entry (CapraMemoryCard *card, int which)
{
  GtkWidget *entry = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *value = gtk_label_new (NULL);
  g_autofree char *markup = NULL;

  if (entries[which].color >= 0)
    {
      GdkRGBA color = capra_draw_color ((CapraPaletteColor) entries[which].color);

      markup = g_strdup_printf ("<span foreground=\"#%02x%02x%02x\">●</span> <span alpha=\"60%%\">%s</span>",
                                (guint) lroundf (color.red * 255), (guint) lroundf (color.green * 255),
                                (guint) lroundf (color.blue * 255), _ (entries[which].name));
    }
  else
    markup = g_strdup_printf ("<span alpha=\"60%%\">%s</span>", _ (entries[which].name));
  gtk_label_set_markup (GTK_LABEL (name), markup);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_widget_add_css_class (name, "caption");
  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_set_tooltip_text (entry, _ (entries[which].hint));
  gtk_accessible_update_relation (GTK_ACCESSIBLE (value), GTK_ACCESSIBLE_RELATION_LABELLED_BY, name, NULL, -1);
  gtk_box_append (GTK_BOX (entry), name);
  gtk_box_append (GTK_BOX (entry), value);
  gtk_flow_box_append (GTK_FLOW_BOX (card->legend), entry);
  gtk_widget_set_focusable (gtk_widget_get_parent (entry), FALSE);
  card->values[which] = value;
}

static void
capra_memory_card_init (CapraMemoryCard *card)
{
  static const CapraPaletteColor colors[CAPRA_PLOT_AREAS] = { CAPRA_PALETTE_ARRAYS, CAPRA_PALETTE_RESIDENT,
                                                              CAPRA_PALETTE_POOL };

  gtk_widget_init_template (GTK_WIDGET (card));
  card->plot = CAPRA_PLOT (capra_plot_new (colors, CAPRA_PALETTE_CARD));
  adw_bin_set_child (ADW_BIN (card->plot_bin), GTK_WIDGET (card->plot));
  for (int i = 0; i < N_ENTRIES; i++)
    add_entry (card, i);
}

GtkWidget *
capra_memory_card_new (const char *id, const char *title)
{
  CapraMemoryCard *card = g_object_new (CAPRA_TYPE_MEMORY_CARD, NULL);

  card->id = g_strdup (id);
  gtk_label_set_text (GTK_LABEL (card->title), title);
  gtk_widget_set_tooltip_text (card->title, id);
  return GTK_WIDGET (card);
}

const char *
capra_memory_card_get_id (CapraMemoryCard *card)
{
  g_return_val_if_fail (CAPRA_IS_MEMORY_CARD (card), NULL);

  return card->id;
}

static void
show_bytes (GtkWidget *label, guint64 bytes)
{
  g_autofree char *text = capra_units_bytes (bytes);

  gtk_label_set_text (GTK_LABEL (label), text);
}

static guint64
held (const CapraMemory *memory)
{
  return memory->bytes[CAPRA_MEMORY_ARRAYS] + memory->bytes[CAPRA_MEMORY_RESIDENT] + memory->bytes[CAPRA_MEMORY_POOL];
}

void
capra_memory_card_update (CapraMemoryCard *card, CapraProcesses *processes)
{
  const GPtrArray *list = capra_processes_list (processes);
  CapraMemory sum = { 0 };
  g_autoptr (GString) users = g_string_new (NULL);

  g_return_if_fail (CAPRA_IS_MEMORY_CARD (card));

  for (guint i = 0; i < list->len; i++)
    {
      const CapraMonitorProcess *process = list->pdata[i];

      for (guint d = 0; d < process->devices->len; d++)
        {
          const CapraMonitorDevice *device = process->devices->pdata[d];
          const CapraMemory *memory = &device->memory;
          g_autofree char *title = NULL, *size = NULL;

          if (!g_str_equal (device->id, card->id) || memory->budget == 0)
            continue;
          for (int k = 0; k < CAPRA_N_MEMORY_KINDS; k++)
            sum.bytes[k] += memory->bytes[k];
          sum.peak = MAX (sum.peak, memory->peak);
          sum.budget = MAX (sum.budget, memory->budget);
          title = capra_process_title (process);
          size = capra_units_bytes (held (memory));
          g_string_append_printf (users, "%s%s: %s", users->len ? "\n" : "", title, size);
        }
    }
  show_bytes (card->total, held (&sum));
  show_bytes (card->values[ARRAYS], card->areas[0] = sum.bytes[CAPRA_MEMORY_ARRAYS]);
  show_bytes (card->values[RESIDENT], card->areas[1] = sum.bytes[CAPRA_MEMORY_RESIDENT]);
  show_bytes (card->values[POOL], card->areas[2] = sum.bytes[CAPRA_MEMORY_POOL]);
  show_bytes (card->values[STAGING], sum.bytes[CAPRA_MEMORY_STAGING]);
  show_bytes (card->values[PEAK], sum.peak);
  show_bytes (card->values[BUDGET], sum.budget);
  gtk_label_set_text (GTK_LABEL (card->users), users->len ? users->str : _ ("No process uses the device."));
}

void
capra_memory_card_sample (CapraMemoryCard *card, const CapraCard *whole)
{
  g_return_if_fail (CAPRA_IS_MEMORY_CARD (card));

  capra_plot_add (card->plot, card->areas, whole ? whole->used : 0);
  gtk_widget_set_visible (card->card, whole != NULL);
  if (whole)
    {
      g_autofree char *used = capra_units_bytes (whole->used);
      g_autofree char *total = capra_units_bytes (whole->total);
      g_autofree char *text = whole->busy < 0
                                /* Translators: memory of a graphics card: used, total */
                                ? g_strdup_printf (_ ("All programs: %s of %s"), used, total)
                                /* Translators: memory of a graphics card: used, total; then its load in percent */
                                : g_strdup_printf (_ ("All programs: %s of %s; %d %% busy"), used, total, whole->busy);
      g_autofree char *markup = g_markup_printf_escaped ("<span foreground=\"#26a269\">━</span> %s", text);

      gtk_label_set_markup (GTK_LABEL (card->card), markup);
    }
}
