/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Order keys of values, as kernels compute them. */
#include <string.h>

#include "algorithms/common/order-key.h"

guint32
capra_order_key_bias (CapraType type)
{
  switch (type)
    {
    case CAPRA_I8: return 0x80;
    case CAPRA_I16: return 0x8000;
    case CAPRA_I32: return 0x80000000u;
    default: return 0;
    }
}

double
capra_order_key_to_value (CapraType type, guint32 key)
{
  float value;

  if (type != CAPRA_F32)
    return (double) key - capra_order_key_bias (type);
  key = key & 0x80000000u ? key & 0x7fffffffu : ~key;
  memcpy (&value, &key, sizeof value);
  return value;
}

guint32
capra_order_key_from_value (CapraType type, double value)
{
  float real = (float) value;
  guint32 bits;

  if (type != CAPRA_F32)
    return (guint32) (value + capra_order_key_bias (type));
  memcpy (&bits, &real, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
