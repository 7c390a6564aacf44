// Makes x264 take at least SLOW_ENCODER milliseconds for each frame: for tests of what a recorder does whose encoder does not
// keep up, however fast the machine is. With SLOW_ENCODERS only so many, the first ones that get a frame; with SLOW_AFTER only behind so many
// frames: an encoder that works, and then hangs.
//
// With SLOW_FLUSH x265 takes that many milliseconds for the second of the frames that it still holds at the end.
//
//   cc -shared -fPIC -o slow-encoder.so slow-encoder.c -ldl
//   SLOW_ENCODER=60 LD_PRELOAD=./slow-encoder.so rushes record --codec h264 …
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <string.h>

#include <x265.h>

typedef int encode_call(void *, void **, int *, void *, void *);

// Whether this is one of the first.
static int is_slow(void *encoder) {
    static void *_Atomic seen[64];
    const char *count = getenv("SLOW_ENCODERS");
    for (int index = 0; count && index < 64; index++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&seen[index], &none, encoder) || none == encoder)
            return index < atoi(count);
    }
    return 1;
}

int x264_encoder_encode(void *encoder, void **units, int *count, void *in, void *out) {
    static encode_call *real;
    const char *delay = getenv("SLOW_ENCODER");
    Dl_info caller;
    // x264 is loaded with the element, which alone sees its symbols.
    if (!real && dladdr(__builtin_return_address(0), &caller))
        real = (encode_call *)dlsym(dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD), __func__);
    const char *after = getenv("SLOW_AFTER");
    static _Atomic int frames;
    if (delay && in && is_slow(encoder) && frames++ >= (after ? atoi(after) : 0))
        usleep(1000 * atoi(delay));
    return real ? real(encoder, units, count, in, out) : -1;
}

// One table for each depth: 8, 10 and 12 bits.
static const x265_api *real_x265[3];

static int x265_encode(
    const x265_api *real, x265_encoder *encoder, x265_nal **units, uint32_t *count, x265_picture *in, x265_picture *out
) {
    static _Atomic int handed_out;
    if (!in && handed_out == 1)
        usleep(1000 * atoi(getenv("SLOW_FLUSH")));
    int result = real->encoder_encode(encoder, units, count, in, out);
    if (!in && result > 0)
        handed_out++;
    return result;
}

#define ENCODE(name, index)                                                                                    \
    static int name(x265_encoder *a, x265_nal **b, uint32_t *c, x265_picture *d, x265_picture *e) {             \
        return x265_encode(real_x265[index], a, b, c, d, e);                                                   \
    }
ENCODE(encode_8, 0)
ENCODE(encode_10, 1)
ENCODE(encode_12, 2)

#define NAME_(call, build) call##build
#define NAME(call, build) NAME_(call, build)

// The encoder's functions come in a table.
const x265_api *NAME(x265_api_get_, X265_BUILD)(int depth) {
    static x265_api slow[3];
    Dl_info caller;
    dladdr(__builtin_return_address(0), &caller);
    const x265_api *(*get)(int) = dlsym(dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD), __func__);
    const x265_api *real = get ? get(depth) : NULL;
    if (!real || !getenv("SLOW_FLUSH") || real->bit_depth < 8 || real->bit_depth > 12)
        return real;
    int index = (real->bit_depth - 8) / 2;
    real_x265[index] = real;
    memcpy(&slow[index], real, sizeof slow[index]);
    slow[index].encoder_encode = index == 0 ? encode_8 : index == 1 ? encode_10 : encode_12;
    return &slow[index];
}
