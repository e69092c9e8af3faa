/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: joins the regions of an image's bands, on the host. Only labels at the seams are looked at one by one, unless
 * regions are removed: a device waits for the numbers. */
#include "algorithms/label/label-seams.h"

#include <glib/gi18n-lib.h>

#include "runtime/base/error.h"

/* A label in the first or in the last row of a band. There are no more nodes than labels, which 32 bits can number. */
typedef struct {
  guint32 band, label;
  guint32 parent; /* another one of the same region, not behind it */
} Node;

typedef struct {
  guint32 count;      /* of its labels */
  guint32 begin, end; /* of its nodes */
  GArray *changes;    /* of CapraLabelChange: labels of regions with an earlier label; until they are numbered with the
                         root in place of the number */
  guint32 base;       /* the number of regions before those that begin in this band */
  GArray *sizes;      /* (nullable): of CapraLabelSize */
  guint32 *numbers;   /* (nullable): of all labels, with sizes */
} Band;

struct _CapraLabelSeams {
  CapraLabelOptions options;
  gsize width;
  guint32 labels; /* of all bands */
  guint32 *above; /* for each pixel of the last row so far, its node + 1; 0 is background */
  GArray *nodes;  /* of Node */
  GArray *bands;  /* of Band */
};

static void
band_clear (gpointer data)
{
  Band *band = data;

  g_array_unref (band->changes);
  g_clear_pointer (&band->sizes, g_array_unref);
  g_free (band->numbers);
}

CapraLabelSeams *
capra_label_seams_new (const CapraLabelOptions *options, gsize width)
{
  CapraLabelSeams *seams = g_new (CapraLabelSeams, 1);

  *seams = (CapraLabelSeams){ *options, width, 0, g_new0 (guint32, width) };
  seams->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  seams->bands = g_array_new (FALSE, FALSE, sizeof (Band));
  g_array_set_clear_func (seams->bands, band_clear);
  return seams;
}

void
capra_label_seams_free (CapraLabelSeams *seams)
{
  g_free (seams->above);
  g_array_unref (seams->nodes);
  g_array_unref (seams->bands);
  g_free (seams);
}

static Node *
get_node (const CapraLabelSeams *seams, guint32 i)
{
  return &g_array_index (seams->nodes, Node, i);
}

static Band *
get_band (const CapraLabelSeams *seams, gsize i)
{
  return &g_array_index (seams->bands, Band, i);
}

/* The first node of the region of node @i, as far as it is known. Shortens the way to it. */
static guint32
find_root (CapraLabelSeams *seams, guint32 i)
{
  Node *nodes = get_node (seams, 0);

  while (nodes[i].parent != i)
    i = nodes[i].parent = nodes[nodes[i].parent].parent;
  return i;
}

static gboolean
is_before (const Node *one, const Node *other)
{
  return one->band != other->band ? one->band < other->band : one->label < other->label;
}

static void
join (CapraLabelSeams *seams, guint32 one, guint32 other)
{
  guint32 a = find_root (seams, one), b = find_root (seams, other);

  if (is_before (get_node (seams, a), get_node (seams, b)))
    get_node (seams, b)->parent = a;
  else
    get_node (seams, a)->parent = b;
}

static guint32
add_node (CapraLabelSeams *seams, guint32 band, guint32 label)
{
  Node node = { band, label, seams->nodes->len };

  g_array_append_val (seams->nodes, node);
  return node.parent;
}

/* Adds a node for each label of the band's first row. */
static gboolean
add_first_row (CapraLabelSeams *seams, const Band *band, const guint32 *first)
{
  guint32 found = 0;

  for (gsize x = 0; x < seams->width; x++)
    if (first[x] > found)
      {
        if (first[x] != ++found || found > band->count)
          return FALSE;
        add_node (seams, seams->bands->len, found);
      }
  return TRUE;
}

/* Joins the labels of the first row of a band, whose nodes begin at @begin, with those above that they touch. */
static void
join_above (CapraLabelSeams *seams, const guint32 *first, guint32 begin)
{
  const guint32 *above = seams->above;
  gsize last = seams->width - 1;
  gboolean corners = seams->options.connectivity == 8;

  for (gsize x = 0; x <= last; x++)
    {
      guint32 node = begin + first[x] - 1;

      if (!first[x])
        continue;
      /* The pixels beside one that is set are in its region. */
      if (above[x] && !(x > 0 && first[x - 1] && above[x - 1]))
        join (seams, above[x] - 1, node);
      if (above[x] || !corners)
        continue;
      if (x > 0 && above[x - 1])
        join (seams, above[x - 1] - 1, node);
      if (x < last && above[x + 1])
        join (seams, above[x + 1] - 1, node);
    }
}

/* Makes @last the row above the next band. Labels that are not in the first row, which has @n, get nodes as well. */
static gboolean
add_last_row (CapraLabelSeams *seams, const Band *band, const guint32 *last, guint32 n)
{
  guint bits = g_bit_storage (seams->width - 1);                   /* a row has at most half as many labels as pixels */
  g_autofree guint32 *table = g_new0 (guint32, (gsize) 1 << bits); /* of nodes + 1, by labels */
  gsize mask = ((gsize) 1 << bits) - 1;
  guint32 node = 0;

  for (gsize x = 0; x < seams->width; x++)
    {
      if (last[x] > band->count)
        return FALSE;
      if (x > 0 && last[x] == last[x - 1])
        node = seams->above[x - 1];
      else if (last[x] <= n)
        node = last[x] ? band->begin + last[x] : 0;
      else
        {
          gsize i = last[x] * 2654435769u >> (32 - MIN (bits, 32));

          while (table[i] && get_node (seams, table[i] - 1)->label != last[x])
            i = (i + 1) & mask;
          if (!table[i])
            table[i] = add_node (seams, seams->bands->len, last[x]) + 1;
          node = table[i];
        }
      seams->above[x] = node;
    }
  return TRUE;
}

gboolean
capra_label_seams_add_band (CapraLabelSeams *seams, guint32 count, const guint32 *first, const guint32 *last,
                            GArray *sizes, GError **error)
{
  g_autoptr (GArray) own_sizes = sizes;
  Band band = { count, seams->nodes->len };
  gboolean valid = FALSE;
  guint32 n = 0;

  if (count > G_MAXUINT32 - seams->labels)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           _ ("the image has more regions than can be labeled in bands of rows: increase the memory "
                              "budget, blur the image, or label it in parts"));
      return FALSE;
    }
  valid = (!sizes || sizes->len == count) && (!first || add_first_row (seams, &band, first));
  n = seams->nodes->len - band.begin;
  if (valid && first)
    join_above (seams, first, band.begin);
  if (valid && last)
    valid = add_last_row (seams, &band, last, n);
  if (!valid)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_DEVICE,
                           _ ("the device computed wrong labels: run \"capra check\", and update its driver"));
      return FALSE;
    }
  band.end = seams->nodes->len;
  band.changes = g_array_new (FALSE, FALSE, sizeof (CapraLabelChange));
  band.sizes = g_steal_pointer (&own_sizes);
  g_array_append_val (seams->bands, band);
  seams->labels += count;
  return TRUE;
}

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  guint32 one = ((const CapraLabelChange *) a)->label, other = ((const CapraLabelChange *) b)->label;

  return (one > other) - (one < other);
}

/* Lists the labels of band @i whose regions begin with another label. */
static void
find_changes (CapraLabelSeams *seams, gsize i)
{
  Band *band = get_band (seams, i);
  gboolean sorted = TRUE;
  guint32 last = 0;

  for (guint32 node = band->begin; node < band->end; node++)
    {
      guint32 label = get_node (seams, node)->label;
      CapraLabelChange change = { label, find_root (seams, node) };

      if (change.number == node)
        continue;
      g_array_append_val (band->changes, change);
      sorted = sorted && label > last;
      last = label;
    }
  if (!sorted)
    g_array_sort (band->changes, compare_changes);
}

/* How many changes of a band have labels below @label. */
static guint32
count_before (const GArray *changes, guint32 label)
{
  guint begin = 0, end = changes->len;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;

      if (g_array_index (changes, CapraLabelChange, middle).label < label)
        begin = middle + 1;
      else
        end = middle;
    }
  return begin;
}

static guint32
number_all (CapraLabelSeams *seams)
{
  guint32 regions = 0;

  for (gsize i = 0; i < seams->bands->len; i++)
    {
      Band *band = get_band (seams, i);

      band->base = regions;
      regions += band->count - band->changes->len;
    }
  for (gsize i = 0; i < seams->bands->len; i++)
    {
      const GArray *changes = get_band (seams, i)->changes;

      for (guint k = 0; k < changes->len; k++)
        {
          CapraLabelChange *change = &g_array_index (changes, CapraLabelChange, k);
          const Node *root = get_node (seams, change->number);
          const Band *band = get_band (seams, root->band);

          change->number = band->base + root->label - count_before (band->changes, root->label);
        }
    }
  return regions;
}

static CapraLabelSize *
get_size (const CapraLabelSeams *seams, const Node *node)
{
  return &g_array_index (get_band (seams, node->band)->sizes, CapraLabelSize, node->label - 1);
}

static gboolean
keeps (const CapraLabelOptions *options, const CapraLabelSize *size)
{
  return size->pixels >= options->min_size && (options->max_size == 0 || size->pixels <= options->max_size)
         && !(options->exclude_edges && size->edge);
}

/* With sizes. */
static guint32
number_kept (CapraLabelSeams *seams)
{
  guint32 regions = 0;

  for (guint32 i = 0; i < seams->nodes->len; i++)
    {
      guint32 root = find_root (seams, i);

      if (root == i)
        continue;
      get_size (seams, get_node (seams, root))->pixels += get_size (seams, get_node (seams, i))->pixels;
      get_size (seams, get_node (seams, root))->edge |= get_size (seams, get_node (seams, i))->edge;
    }
  for (gsize i = 0; i < seams->bands->len; i++)
    {
      Band *band = get_band (seams, i);
      guint next = 0;

      band->numbers = g_new0 (guint32, (gsize) band->count + 1);
      for (guint32 label = 1; label <= band->count; label++)
        {
          const CapraLabelChange *change = next < band->changes->len
                                             ? &g_array_index (band->changes, CapraLabelChange, next)
                                             : NULL;

          if (change && change->label == label)
            {
              const Node *root = get_node (seams, change->number);

              band->numbers[label] = get_band (seams, root->band)->numbers[root->label];
              next++;
            }
          else if (keeps (&seams->options, &g_array_index (band->sizes, CapraLabelSize, label - 1)))
            band->numbers[label] = ++regions;
        }
    }
  return regions;
}

guint32
capra_label_seams_number (CapraLabelSeams *seams)
{
  for (gsize i = 0; i < seams->bands->len; i++)
    find_changes (seams, i);
  return seams->bands->len > 0 && get_band (seams, 0)->sizes ? number_kept (seams) : number_all (seams);
}

const CapraLabelChange *
capra_label_seams_get_changes (const CapraLabelSeams *seams, gsize i, gsize *n, guint32 *base)
{
  const Band *band = get_band (seams, i);

  *n = band->changes->len;
  *base = band->base;
  return (const CapraLabelChange *) (gconstpointer) band->changes->data;
}

const guint32 *
capra_label_seams_get_numbers (const CapraLabelSeams *seams, gsize i, gsize *n)
{
  const Band *band = get_band (seams, i);

  *n = (gsize) band->count + 1;
  return band->numbers;
}
