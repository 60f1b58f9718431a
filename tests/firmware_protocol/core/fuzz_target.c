/* The target of libFuzzer: any bytes as a story of what a device meets, built with its code and the board made of memory.
 * Built with -DREPLAY it is a program of its own that plays the files of a corpus, for compilers without libFuzzer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal_native.h"
#include "ttp_link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long long fed; /* bytes that came in over the line */

static void tell(void)
{
    printf("FED %llu\n", fed);
}

static void feed(const uint8_t *data, size_t length)
{
    native_feed(data, (uint32_t)length);
    fed += length;
}

static void frame(uint8_t type, uint8_t session, uint8_t seq, const uint8_t *payload, uint8_t length)
{
    uint8_t body[TTP_BODY_MAX], wire[TTP_WIRE_MAX];
    body[0] = type;
    body[1] = session;
    body[2] = seq;
    body[3] = 0;
    memcpy(body + TTP_HEADER, payload, length);
    feed(wire, ttp_encode(body, (uint8_t)(TTP_HEADER + length), wire));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t hello[] = {1, 2, 3, 4, 1};
    static uint8_t out[8192], strip[NATIVE_STRIP];
    uint8_t seq = 0;
    size_t at = 0;

    native_reset();
    frame(TTP_HELLO, 0, 0, hello, sizeof hello);
    while (at + 2 <= size) {
        uint8_t what = data[at++], more = data[at++];
        if (what < 192) { /* a whole frame: its type, and how long its payload is */
            uint8_t length = (uint8_t)(more % (TTP_PAYLOAD_MAX + 1));
            if (length > size - at)
                length = (uint8_t)(size - at);
            seq = (uint8_t)(seq + (what < 128));
            frame(what & 0x7F, 1, seq, data + at, length);
            at += length;
        } else if (what < 208) { /* bytes as they are */
            size_t length = more < size - at ? more : size - at;
            feed(data + at, length);
            at += length;
        } else if (what < 224) {
            native_advance((uint32_t)more * (what & 8 ? 40 : 1));
        } else if (what < 232) {
            native_gate(more & 3);
        } else if (what < 240) {
            native_buttons(more);
        } else {
            native_color(more % TTP_DICE_MAX, (uint16_t)(what * 4), (uint16_t)(more * 4), (uint16_t)((what ^ more) * 4));
        }
        native_take(out, sizeof out);
    }
    native_advance(500);
    native_strip(strip);
    return 0;
}

#ifdef REPLAY
int main(int argc, char **argv)
{
    static uint8_t data[1 << 16];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL)
            return 2;
        size_t size = fread(data, 1, sizeof data, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
    }
    tell();
    return 0;
}
#else
int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    atexit(tell);
    return 0;
}
#endif
