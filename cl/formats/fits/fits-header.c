/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS header: parses cards of 80 characters. */
#include "formats/fits/fits-header.h"

#include "formats/fits/fits-cards.h"

#include <math.h>
#include <string.h>

#define CARD_LENGTH 80
#define NAME_LENGTH 8
/* Of an image of 8 MB of keywords; further cards are ignored. */
#define MAX_CARDS 100000

struct _CapraFitsHeader {
  gatomicrefcount refs;
  GArray *cards;       /* of CapraFitsCard, whose texts are in strings */
  GStringChunk *texts; /* each text once */
  GHashTable *by_name; /* the index of the first card with a name */
};

CapraFitsHeader *
capra_fits_header_ref (CapraFitsHeader *header)
{
  g_atomic_ref_count_inc (&header->refs);
  return header;
}

void
capra_fits_header_unref (CapraFitsHeader *header)
{
  if (!g_atomic_ref_count_dec (&header->refs))
    return;
  g_hash_table_unref (header->by_name);
  g_string_chunk_free (header->texts);
  g_array_unref (header->cards);
  g_free (header);
}

/* @text as valid UTF-8, without spaces at its end; freed with the header. */
static const char *
store (CapraFitsHeader *header, const char *text, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);

  for (char *c = valid; *c; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  return g_string_chunk_insert_const (header->texts, g_strchomp (valid));
}

/* Reads a quoted string at the start of @text into @value, where two quotes stand for one. Returns what follows it. */
static const char *
parse_string (const char *text, GString *value)
{
  for (text++; *text; text++)
    {
      if (*text == '\'' && text[1] != '\'')
        return text + 1;
      if (*text == '\'')
        text++;
      g_string_append_c (value, *text);
    }
  return text;
}

/* The text of a comment that begins with a slash. */
static const char *
store_comment (CapraFitsHeader *header, const char *slash)
{
  const char *text = slash + 1 + (slash[1] == ' ');

  return store (header, text, strlen (text));
}

/* A card whose value is still read, since a string may be continued on the next card. */
typedef struct {
  CapraFitsHeader *header;
  CapraFitsCard card;
  GString *value;
  gboolean open;
} Parser;

/* Adds the open card, if there is one. */
static void
finish_card (Parser *parser)
{
  if (parser->open)
    {
      parser->card.value = store (parser->header, parser->value->str, parser->value->len);
      g_array_append_val (parser->header->cards, parser->card);
    }
  parser->open = FALSE;
}

/* Opens a card whose value and comment are in @text, which begins after the equals sign. */
static void
open_card (Parser *parser, const char *name, const char *text)
{
  const char *comment = NULL;

  while (*text == ' ')
    text++;
  parser->card = (CapraFitsCard){ .name = name, .comment = "", .is_string = *text == '\'' };
  g_string_truncate (parser->value, 0);
  if (parser->card.is_string)
    text = parse_string (text, parser->value);
  else
    {
      gsize length = strcspn (text, "/");

      g_string_append_len (parser->value, text, (gssize) length);
      text += length;
    }
  comment = strchr (text, '/');
  if (comment)
    parser->card.comment = store_comment (parser->header, comment);
  parser->open = TRUE;
}

/* Continues the string of the open card, which ends with "&". */
static void
continue_card (Parser *parser, const char *text)
{
  const char *comment = NULL;

  while (*text == ' ')
    text++;
  if (*text != '\'')
    return;
  g_string_truncate (parser->value, parser->value->len - 1);
  text = parse_string (text, parser->value);
  comment = strchr (text, '/');
  if (comment && !*parser->card.comment)
    parser->card.comment = store_comment (parser->header, comment);
}

static gboolean
is_continued (Parser *parser)
{
  const GString *value = parser->value;

  return parser->open && parser->card.is_string && value->len > 0 && value->str[value->len - 1] == '&';
}

static gboolean
is_commentary (const char *name)
{
  return g_str_equal (name, "COMMENT") || g_str_equal (name, "HISTORY") || !*name;
}

/* Adds the card @text, of at most CARD_LENGTH characters. */
static void
add_card (Parser *parser, const char *text)
{
  gsize length = strlen (text);
  const char *name = store (parser->header, text, MIN (length, NAME_LENGTH)), *equals = strchr (text, '=');
  const char *rest = text + MIN (length, NAME_LENGTH);

  if (g_str_equal (name, "CONTINUE") && is_continued (parser))
    {
      continue_card (parser, rest);
      return;
    }
  finish_card (parser);
  if (g_str_equal (name, "HIERARCH") && equals)
    {
      g_autofree char *long_name = g_strndup (rest, (gsize) (equals - rest));

      g_strstrip (long_name);
      open_card (parser, store (parser->header, long_name, strlen (long_name)), equals + 1);
    }
  else if (rest[0] == '=' && rest[1] == ' ' && !is_commentary (name))
    open_card (parser, name, rest + 2);
  else
    {
      CapraFitsCard card = { name, store (parser->header, rest, strlen (rest)), "", FALSE };

      if (*card.name || *card.value)
        g_array_append_val (parser->header->cards, card);
    }
}

/* Whether a keyword consists of @prefix and a number. */
static gboolean
is_numbered (const char *name, const char *prefix)
{
  gsize length = strlen (prefix);

  return g_str_has_prefix (name, prefix) && name[length]
         && strspn (name + length, "0123456789") == strlen (name + length);
}

/* Whether a keyword describes the table in which a compressed image is stored. */
static gboolean
describes_table (const char *name)
{
  static const char *const names[] = { "XTENSION", "BITPIX",   "NAXIS",  "PCOUNT",   "GCOUNT",   "TFIELDS",
                                       "ZIMAGE",   "ZCMPTYPE", "ZBLANK", "ZMASKCMP", "ZQUANTIZ", "ZDITHER0",
                                       "CHECKSUM", "DATASUM",  "THEAP",  NULL };
  static const char *const prefixes[] = { "NAXIS", "TTYPE", "TFORM", "ZTILE", "ZNAME", "ZVAL", NULL };

  for (guint i = 0; prefixes[i]; i++)
    if (is_numbered (name, prefixes[i]))
      return TRUE;
  return g_strv_contains (names, name);
}

/* The keyword of the image that @name stands for in a table; NULL if it does not stand for one. */
static const char *
get_image_name (const char *name)
{
  static const char *const names[][2] = { { "ZBITPIX", "BITPIX" },  { "ZNAXIS", "NAXIS" },
                                          { "ZSIMPLE", "SIMPLE" },  { "ZTENSION", "XTENSION" },
                                          { "ZEXTEND", "EXTEND" },  { "ZPCOUNT", "PCOUNT" },
                                          { "ZGCOUNT", "GCOUNT" },  { "ZHECKSUM", "CHECKSUM" },
                                          { "ZDATASUM", "DATASUM" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i][0]))
      return names[i][1];
  return is_numbered (name, "ZNAXIS") ? name + 1 : NULL;
}

/* Replaces the keywords of a table by those of the compressed image in it. */
static void
replace_table (CapraFitsHeader *header)
{
  g_autoptr (GArray) cards = g_steal_pointer (&header->cards);

  header->cards = g_array_sized_new (FALSE, FALSE, sizeof (CapraFitsCard), cards->len);
  for (guint i = 0; i < cards->len; i++)
    {
      CapraFitsCard card = g_array_index (cards, CapraFitsCard, i);
      const char *image_name = get_image_name (card.name);

      if (describes_table (card.name))
        continue;
      if (image_name)
        card.name = image_name;
      g_array_append_val (header->cards, card);
    }
}

static void
index_names (CapraFitsHeader *header)
{
  for (guint i = header->cards->len; i > 0; i--)
    g_hash_table_insert (header->by_name, (gpointer) g_array_index (header->cards, CapraFitsCard, i - 1).name,
                         GUINT_TO_POINTER (i));
}

static void
parse (CapraFitsHeader *header, const char *records, gsize length)
{
  g_autoptr (GString) value = g_string_new (NULL);
  Parser parser = { .header = header, .value = value };

  for (gsize at = 0, n = 0; at < length && n < MAX_CARDS; at += CARD_LENGTH, n++)
    {
      char card[CARD_LENGTH + 1] = "";

      memcpy (card, records + at, MIN (CARD_LENGTH, length - at));
      if (g_str_equal (g_strchomp (card), "END"))
        break;
      add_card (&parser, card);
    }
  finish_card (&parser);
}

CapraFitsHeader *
capra_fits_header_new_stored (const char *records, gssize length)
{
  CapraFitsHeader *header = g_new0 (CapraFitsHeader, 1);

  g_atomic_ref_count_init (&header->refs);
  header->cards = g_array_new (FALSE, FALSE, sizeof (CapraFitsCard));
  header->texts = g_string_chunk_new (4096);
  header->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  parse (header, records, length < 0 ? strlen (records) : (gsize) length);
  index_names (header);
  return header;
}

CapraFitsHeader *
capra_fits_header_new (const char *records, gssize length)
{
  CapraFitsHeader *header = capra_fits_header_new_stored (records, length);

  if (capra_fits_header_is_true (header, "ZIMAGE"))
    {
      replace_table (header);
      g_hash_table_remove_all (header->by_name);
      index_names (header);
    }
  return header;
}

guint
capra_fits_header_get_n_cards (CapraFitsHeader *header)
{
  return header->cards->len;
}

const CapraFitsCard *
capra_fits_header_get_card (CapraFitsHeader *header, guint index)
{
  g_return_val_if_fail (index < header->cards->len, NULL);

  return &g_array_index (header->cards, CapraFitsCard, index);
}

const char *
capra_fits_header_get_text (CapraFitsHeader *header, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (header->by_name, name));
  const CapraFitsCard *card = number ? &g_array_index (header->cards, CapraFitsCard, number - 1) : NULL;

  return card && *card->value ? card->value : NULL;
}

gboolean
capra_fits_header_get_double (CapraFitsHeader *header, const char *name, double *value)
{
  const char *text = capra_fits_header_get_text (header, name);
  g_autofree char *number = NULL;
  char *end = NULL;
  double parsed = 0.0;

  if (!text)
    return FALSE;
  /* FITS allows the exponent letter D. */
  number = g_strdelimit (g_strdup (text), "Dd", 'e');
  parsed = g_ascii_strtod (number, &end);
  while (*end == ' ')
    end++;
  if (end == number || *end || !isfinite (parsed))
    return FALSE;
  *value = parsed;
  return TRUE;
}

gboolean
capra_fits_header_get_integer (CapraFitsHeader *header, const char *name, guint index, gint64 *value)
{
  g_autofree char *key = index ? g_strdup_printf ("%s%u", name, index) : g_strdup (name);
  const char *text = capra_fits_header_get_text (header, key);

  /* The number may have a plus sign, which the function below refuses. */
  return text && g_ascii_string_to_signed (text + (*text == '+'), 10, G_MININT64, G_MAXINT64, value, NULL);
}

gboolean
capra_fits_header_is_true (CapraFitsHeader *header, const char *name)
{
  return g_strcmp0 (capra_fits_header_get_text (header, name), "T") == 0;
}

char *
capra_fits_header_to_string (CapraFitsHeader *header)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < header->cards->len; i++)
    {
      const CapraFitsCard *card = &g_array_index (header->cards, CapraFitsCard, i);
      const char *quote = card->is_string ? "'" : "";

      g_string_append_printf (text, "%-8s%s%s%s%s", card->name, is_commentary (card->name) ? "  " : "= ", quote,
                              card->value, quote);
      if (*card->comment)
        g_string_append_printf (text, " / %s", card->comment);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
