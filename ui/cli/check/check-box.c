/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the box blur. */
#include "ui/cli/check/check-families.h"
#include "ui/cli/check/check-window.h"

#define QUICK_CASES 6 /* they use every kernel */

typedef struct {
  int radius[3];
  CapraBorder border;
} Blur;

static CapraArray *
blur_box (CapraArray *input, gconstpointer data, const CapraWindow *window, GError **error)
{
  const Blur *blur = data;

  return capra_box_blur (input, blur->radius, blur->border, window, error);
}

static double *
expect_box (const ReferenceImage *image, gconstpointer data, CapraRect result)
{
  const Blur *blur = data;

  return reference_box (image, blur->radius, blur->border, result);
}

static void
reach_box (gconstpointer data, int *x, int *y)
{
  const Blur *blur = data;

  *x = blur->radius[0];
  *y = blur->radius[1];
}

/* Running sums of floats. */
static const CheckFilter box = { blur_box, expect_box, reach_box, 1e-5, 2 };

static gboolean
check_blur (Check *check, const CapraShape *shape, const int radius[3])
{
  for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border++)
    {
      Blur blur = { { radius[0], radius[1], radius[2] }, (CapraBorder) border };

      check_case (check, "%zux%zux%zu, %u channels of %s, radius %d %d %d, border %d", shape->width, shape->height,
                  shape->depth, shape->channels, capra_type_name (shape->type), radius[0], radius[1], radius[2],
                  border);
      if (!check_filter (check, &box, &blur, shape))
        return FALSE;
    }
  return TRUE;
}

/* Short and long boxes; rows of several work-groups, and columns of many runs; boxes longer than the image; both axes
 * in one pass, in several strips. */
static gboolean
run_box (Check *check)
{
  static const struct {
    CapraShape shape;
    int radius[3];
  } cases[] = {
    { { 700, 3, 1, 1, CAPRA_F32 }, { 40, 0, 0 } },     { { 17, 270, 1, 1, CAPRA_F32 }, { 0, 63, 0 } },
    { { 700, 1, 1, 1, CAPRA_F32 }, { 260, 0, 0 } },    { { 9, 7, 25, 1, CAPRA_F32 }, { 0, 0, 10 } },
    { { 20, 3, 1, 1, CAPRA_F32 }, { 5000, 1, 0 } },    { { 3, 2300, 1, 1, CAPRA_F32 }, { 0, 310, 0 } },
    { { 77, 19, 1, 4, CAPRA_U8 }, { 15, 3, 0 } },      { { 77, 19, 1, 3, CAPRA_F32 }, { 15, 3, 0 } },
    { { 5000, 1, 1, 4, CAPRA_F32 }, { 700, 0, 0 } },   { { 4, 2300, 1, 1, CAPRA_U8 }, { 0, 130, 0 } },
    { { 77, 270, 1, 2, CAPRA_I16 }, { 100, 100, 0 } }, { { 9, 7, 25, 3, CAPRA_U32 }, { 2, 1, 10 } },
    { { 530, 131, 1, 4, CAPRA_U8 }, { 17, 40, 0 } },   { { 701, 97, 2, 3, CAPRA_F32 }, { 30, 9, 0 } },
  };

  for (guint s = 0; s < check_n_sizes (check); s++)
    {
      CapraShape shape = { check_sizes[s].width, check_sizes[s].height, 1, 1, CAPRA_F32 };

      if (!check_blur (check, &shape, (int[]){ 2, 1, 0 }) || !check_blur (check, &shape, (int[]){ 11, 9, 0 }))
        return FALSE;
    }
  for (guint i = 0; i < (check->full ? G_N_ELEMENTS (cases) : QUICK_CASES); i++)
    if (!check_blur (check, &cases[i].shape, cases[i].radius))
      return FALSE;
  return check_windows (check, &box, &(Blur){ { 11, 9, 0 }, CAPRA_BORDER_MIRROR })
         && check_not_finite (check, &box, &(Blur){ { 11, 9, 0 }, CAPRA_BORDER_CLAMP });
}

static const char *const box_variants[] = { "taps.variant=vector,box-blur.variant=vector",
                                            "taps.variant=group,box-blur.variant=group", NULL };
const CheckFamily check_box = { .name = "box-blur", .variants = box_variants, .run = run_box };
