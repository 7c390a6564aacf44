#ifndef RUSHES_CV4L2_SHIM_H
#define RUSHES_CV4L2_SHIM_H

/* ioctl takes any number of arguments, and its requests are macros that Swift does not import. */
#include <linux/videodev2.h>
#include <string.h>
#include <sys/ioctl.h>

static inline int rushes_v4l2_get(int descriptor, unsigned int id, int *value) {
    struct v4l2_control control = {.id = id};
    int result = ioctl(descriptor, VIDIOC_G_CTRL, &control);
    *value = control.value;
    return result;
}

static inline int rushes_v4l2_set(int descriptor, unsigned int id, int value) {
    struct v4l2_control control = {.id = id, .value = value};
    return ioctl(descriptor, VIDIOC_S_CTRL, &control);
}

/* The control behind control->id, which becomes it; all but the wide ones, which have no single number. */
static inline int rushes_v4l2_next(int descriptor, struct v4l2_queryctrl *control) {
    control->id |= V4L2_CTRL_FLAG_NEXT_CTRL;
    return ioctl(descriptor, VIDIOC_QUERYCTRL, control);
}

/* Of a menu, whose own structure is packed. */
struct rushes_v4l2_item {
    char title[32];
    long long number;
};

static inline int rushes_v4l2_menu(int descriptor, unsigned int id, unsigned int index, struct rushes_v4l2_item *item) {
    struct v4l2_querymenu menu = {.id = id, .index = index};
    int result = ioctl(descriptor, VIDIOC_QUERYMENU, &menu);
    memcpy(item->title, menu.name, sizeof item->title);
    item->number = menu.value;
    return result;
}

static const unsigned int rushes_v4l2_disabled = V4L2_CTRL_FLAG_DISABLED;
static const unsigned int rushes_v4l2_read_only = V4L2_CTRL_FLAG_READ_ONLY;
static const unsigned int rushes_v4l2_inactive = V4L2_CTRL_FLAG_INACTIVE;
static const unsigned int rushes_v4l2_write_only = V4L2_CTRL_FLAG_WRITE_ONLY;

#endif
