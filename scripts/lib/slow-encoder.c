// Makes x264 take at least SLOW_ENCODER milliseconds for each frame: for tests of what a recorder does whose encoder does not
// keep up, however fast the machine is. With SLOW_ENCODERS only so many, the first ones that get a frame.
//
//   cc -shared -fPIC -o slow-encoder.so slow-encoder.c -ldl
//   SLOW_ENCODER=60 LD_PRELOAD=./slow-encoder.so rushes record --codec h264 …
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

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
    if (delay && in && is_slow(encoder))
        usleep(1000 * atoi(delay));
    return real ? real(encoder, units, count, in, out) : -1;
}
