/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wrap-layout: two widgets beside each other, or above each other if there is too little room. */
#include "ui/panel/widgets/wrap-layout.h"

struct _CapraWrapLayout {
  GtkLayoutManager parent_instance;
  int room, spacing;
};

G_DEFINE_FINAL_TYPE (CapraWrapLayout, capra_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

enum { PROP_ROOM = 1, PROP_SPACING, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static GtkSizeRequestMode
get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
measure_child (GtkWidget *child, GtkOrientation orientation, gboolean natural)
{
  int minimum, wanted;

  gtk_widget_measure (child, orientation, -1, &minimum, &wanted, NULL, NULL);
  return natural ? wanted : minimum;
}

static int
get_room (CapraWrapLayout *self, GtkWidget *first)
{
  return self->room >= 0 ? self->room : measure_child (first, GTK_ORIENTATION_HORIZONTAL, TRUE);
}

static gboolean
wraps (CapraWrapLayout *self, GtkWidget *first, GtkWidget *second, int width)
{
  return width < get_room (self, first) + self->spacing + measure_child (second, GTK_ORIENTATION_HORIZONTAL, FALSE);
}

static void
measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
         int *natural, int *minimum_baseline, int *natural_baseline)
{
  CapraWrapLayout *self = CAPRA_WRAP_LAYOUT (manager);
  GtkWidget *first = gtk_widget_get_first_child (widget), *second = gtk_widget_get_last_child (widget);
  int one = measure_child (first, orientation, FALSE), other = measure_child (second, orientation, FALSE);

  *minimum = MAX (one, other);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = get_room (self, first) + self->spacing + measure_child (second, orientation, TRUE);
  else
    {
      if (for_size >= 0 && wraps (self, first, second, for_size))
        *minimum = one + self->spacing + other;
      *natural = *minimum;
    }
}

static void
allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  CapraWrapLayout *self = CAPRA_WRAP_LAYOUT (manager);
  GtkWidget *first = gtk_widget_get_first_child (widget), *second = gtk_widget_get_last_child (widget);
  GtkAllocation one = { 0, 0, width, height }, other = one;

  if (wraps (self, first, second, width))
    {
      one.height = measure_child (first, GTK_ORIENTATION_VERTICAL, FALSE);
      other.y = one.height + self->spacing;
      other.height = height - other.y;
    }
  else
    {
      gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;

      other.width = MIN (measure_child (second, GTK_ORIENTATION_HORIZONTAL, TRUE),
                         width - get_room (self, first) - self->spacing);
      one.width = width - self->spacing - other.width;
      *(mirrored ? &one.x : &other.x) = (mirrored ? other.width : one.width) + self->spacing;
    }
  gtk_widget_size_allocate (first, &one, -1);
  gtk_widget_size_allocate (second, &other, -1);
}

static void
capra_wrap_layout_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraWrapLayout *self = CAPRA_WRAP_LAYOUT (object);

  g_value_set_int (value, id == PROP_ROOM ? self->room : self->spacing);
}

static void
capra_wrap_layout_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraWrapLayout *self = CAPRA_WRAP_LAYOUT (object);

  int *pixels = id == PROP_ROOM ? &self->room : &self->spacing;

  if (*pixels == g_value_get_int (value))
    return;
  *pixels = g_value_get_int (value);
  gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
  g_object_notify_by_pspec (object, spec);
}

static void
capra_wrap_layout_class_init (CapraWrapLayoutClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  object_class->get_property = capra_wrap_layout_get_property;
  object_class->set_property = capra_wrap_layout_set_property;
  layout_class->get_request_mode = get_request_mode;
  layout_class->measure = measure;
  layout_class->allocate = allocate;
  properties[PROP_ROOM] = g_param_spec_int ("room", NULL, NULL, -1, G_MAXINT, 0,
                                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SPACING] = g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, 0,
                                               G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
capra_wrap_layout_init (CapraWrapLayout *self)
{
}
