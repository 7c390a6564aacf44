#ifndef RUSHES_CV4L2_SHIM_H
#define RUSHES_CV4L2_SHIM_H

/* ioctl takes any number of arguments, and its requests are macros that Swift does not import. */
#include <linux/videodev2.h>
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

static const unsigned int rushes_v4l2_exposure_auto = V4L2_CID_EXPOSURE_AUTO;
static const unsigned int rushes_v4l2_exposure = V4L2_CID_EXPOSURE_ABSOLUTE;
static const int rushes_v4l2_exposure_manual = V4L2_EXPOSURE_MANUAL;
static const unsigned int rushes_v4l2_gain_auto = V4L2_CID_AUTOGAIN;
static const unsigned int rushes_v4l2_gain = V4L2_CID_GAIN;
static const unsigned int rushes_v4l2_white_auto = V4L2_CID_AUTO_WHITE_BALANCE;
static const unsigned int rushes_v4l2_white = V4L2_CID_WHITE_BALANCE_TEMPERATURE;

#endif
