/* noise_soak FRAMES BIT_ERROR_RATE SEED: sends frames through flipped bits, with the delimiters of two frames side by side,
 * and counts what the decoder accepts that was not sent. Exit 1 if it is more than nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ttp_frame.h"

static uint64_t state;

static uint64_t draw(void) /* splitmix64 */
{
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t distance(double rate)
{
    double u = ((double)(draw() >> 11) + 0.5) / 9007199254740992.0;
    return (uint64_t)(log(u) / log1p(-rate));
}

int main(int argc, char **argv)
{
    uint64_t frames = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    double rate = argc > 2 ? strtod(argv[2], NULL) : 1e-3;
    static ttp_decoder decoder;
    uint8_t sent[2][TTP_BODY_MAX];
    uint8_t lengths[2] = {0, 0};
    uint64_t accepted = 0, wrong = 0, bytes = 0;

    state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    uint64_t next = distance(rate);
    for (uint64_t n = 0; n < frames; n++) {
        uint8_t wire[TTP_WIRE_MAX];
        uint8_t *body = sent[n & 1];
        uint8_t length = (uint8_t)(TTP_HEADER + draw() % (TTP_PAYLOAD_MAX + 1));
        for (uint8_t i = 0; i < length; i++)
            body[i] = draw() % 4 ? (uint8_t)draw() : 0;
        lengths[n & 1] = length;
        uint8_t size = ttp_encode(body, length, wire);
        for (; next < 8u * size; next += 1 + distance(rate))
            wire[next / 8] ^= (uint8_t)(1 << next % 8);
        next -= 8u * size;
        bytes += size;
        for (uint8_t i = 0; i < size; i++) {
            uint8_t found = ttp_push(&decoder, wire[i]);
            if (!found)
                continue;
            accepted++;
            /* A frame may end in the first byte of the next one, which is a delimiter too. */
            bool known = false;
            for (int which = 0; which < 2; which++)
                known |= found == lengths[which] && !memcmp(decoder.body, sent[which], found);
            wrong += !known;
        }
    }
    printf("%llu frames sent (%llu bytes), %llu accepted, %llu wrong\n", (unsigned long long)frames,
           (unsigned long long)bytes, (unsigned long long)accepted, (unsigned long long)wrong);
    return wrong != 0;
}
