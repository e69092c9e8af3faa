/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of the HDF5 filter 32008, encoded and decoded bit by bit and byte by byte. */
#include "ui/cli/check/reference-bitshuffle.h"

#include <string.h>

#define LAST_LITERALS 5 /* an LZ4 block ends with at least these */
#define LAST_MATCH 12   /* its last match begins at least this many bytes before the end */
#define MIN_MATCH 4

static void
append_length (GByteArray *block, gsize length)
{
  guint8 byte = 255;

  for (; length >= 255; length -= 255)
    g_byte_array_append (block, &byte, 1);
  byte = (guint8) length;
  g_byte_array_append (block, &byte, 1);
}

/* One sequence; without a match if @match is 0. */
static void
append_sequence (GByteArray *block, const guint8 *literals, gsize n_literals, gsize match, gsize distance)
{
  guint8 token = (guint8) (MIN (n_literals, 15) << 4 | (match ? MIN (match - MIN_MATCH, 15) : 0));
  guint8 offset[] = { distance & 255, (guint8) (distance >> 8) };

  g_byte_array_append (block, &token, 1);
  if (n_literals >= 15)
    append_length (block, n_literals - 15);
  g_byte_array_append (block, literals, (guint) n_literals);
  if (!match)
    return;
  g_byte_array_append (block, offset, 2);
  if (match - MIN_MATCH >= 15)
    append_length (block, match - MIN_MATCH - 15);
}

void
reference_lz4_random (const guint8 *data, gsize bytes, GByteArray *block, gpointer user_data)
{
  GRand *random = user_data;
  gsize at = 0, literals = 0;

  while (at + LAST_MATCH < bytes)
    {
      gsize best = 0, distance = 0;

      /* Some distances, short ones in particular. */
      for (guint i = 0; i < 8 && at > 0; i++)
        {
          gsize d = i < 4 ? (gsize) g_rand_int_range (random, 1, 21) : (gsize) g_rand_int_range (random, 1, 65536);
          gsize length = 0;

          if (d > at)
            continue;
          while (at + length < bytes - LAST_LITERALS && data[at + length] == data[at + length - d])
            length++;
          if (length > best)
            {
              best = length;
              distance = d;
            }
        }
      if (best >= MIN_MATCH && g_rand_int_range (random, 0, 4) == 0)
        best = (gsize) g_rand_int_range (random, MIN_MATCH, (gint) best + 1);
      if (best < MIN_MATCH)
        {
          at++;
          continue;
        }
      append_sequence (block, data + literals, at - literals, best, distance);
      at += best;
      literals = at;
    }
  append_sequence (block, data + literals, bytes - literals, 0, 0);
}

void
reference_bitshuffle_planes (const guint8 *values, gsize n, guint element, guint8 *planes)
{
  memset (planes, 0, n * element);
  for (gsize i = 0; i < n; i++)
    for (guint b = 0; b < 8 * element; b++)
      if (values[i * element + b / 8] >> b % 8 & 1)
        planes[b * (n / 8) + i / 8] |= (guint8) (1 << i % 8);
}

void
reference_bitshuffle_values (const guint8 *planes, gsize n, guint element, guint8 *values)
{
  memset (values, 0, n * element);
  for (gsize i = 0; i < n; i++)
    for (guint b = 0; b < 8 * element; b++)
      if (planes[b * (n / 8) + i / 8] >> i % 8 & 1)
        values[i * element + b / 8] |= (guint8) (1 << b % 8);
}

static void
append_number (GByteArray *chunk, guint64 number, guint bytes)
{
  for (guint i = bytes; i-- > 0;)
    {
      guint8 byte = (guint8) (number >> 8 * i);

      g_byte_array_append (chunk, &byte, 1);
    }
}

GByteArray *
reference_bitshuffle_encode (const guint8 *values, gsize n, guint element, guint block, ReferenceLz4Func compress,
                             gpointer user_data)
{
  GByteArray *chunk = g_byte_array_new ();
  gsize done = 0;

  append_number (chunk, n * element, 8);
  append_number (chunk, block * element, 4);
  while (n - done >= 8)
    {
      gsize count = MIN (block, (n - done) / 8 * 8);
      g_autofree guint8 *planes = g_malloc (count * element);
      g_autoptr (GByteArray) compressed = g_byte_array_new ();

      reference_bitshuffle_planes (values + done * element, count, element, planes);
      compress (planes, count * element, compressed, user_data);
      append_number (chunk, compressed->len, 4);
      g_byte_array_append (chunk, compressed->data, compressed->len);
      done += count;
    }
  g_byte_array_append (chunk, values + done * element, (guint) ((n - done) * element));
  return chunk;
}

/* Adds the bytes that extend a length of 15; FALSE if the data end, or it is larger than @limit. */
static gboolean
extend_length (const guint8 *in, gsize in_bytes, gsize *at, gsize *length, gsize limit)
{
  guint8 byte = 255;

  if (*length < 15)
    return TRUE;
  while (byte == 255 && *at < in_bytes && *length <= limit)
    {
      byte = in[(*at)++];
      *length += byte;
    }
  return byte < 255;
}

/* Decodes one sequence. Returns FALSE if it is damaged. */
static gboolean
decode_sequence (const guint8 *in, gsize in_bytes, gsize *at, guint8 *out, gsize out_bytes, gsize *done)
{
  guint8 token = in[(*at)++];
  gsize literals = token >> 4, length = token & 15, distance = 0;

  if (!extend_length (in, in_bytes, at, &literals, out_bytes) || literals > out_bytes - *done
      || literals > in_bytes - *at)
    return FALSE;
  memcpy (out + *done, in + *at, literals);
  *at += literals;
  *done += literals;
  if (*at == in_bytes)
    return *done == out_bytes;
  if (in_bytes - *at < 2)
    return FALSE;
  distance = in[*at] + 256u * in[*at + 1];
  *at += 2;
  if (!extend_length (in, in_bytes, at, &length, out_bytes))
    return FALSE;
  length += MIN_MATCH;
  if (distance == 0 || distance > *done || length > out_bytes - *done)
    return FALSE;
  for (gsize i = 0; i < length; i++, (*done)++)
    out[*done] = out[*done - distance];
  return *at < in_bytes; /* literals must follow */
}

gboolean
reference_lz4_decode (const guint8 *in, gsize in_bytes, guint8 *out, gsize out_bytes)
{
  gsize at = 0, done = 0;

  while (at < in_bytes)
    {
      if (!decode_sequence (in, in_bytes, &at, out, out_bytes, &done))
        break;
      if (at == in_bytes)
        return TRUE;
    }
  memset (out + done, 0, out_bytes - done);
  return FALSE;
}
