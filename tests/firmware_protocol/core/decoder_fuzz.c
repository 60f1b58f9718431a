/* decoder_fuzz SECONDS SEED: throws damaged frames and plain noise at the decoder, to be built with the sanitizers. After
 * each input a delimiter and a good frame must be accepted, whatever came before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ttp_frame.h"

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 60;
    static ttp_decoder decoder;
    unsigned long inputs = 0;
    clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    while (clock() < until) {
        uint8_t body[TTP_BODY_MAX], wire[TTP_WIRE_MAX], input[3 * TTP_WIRE_MAX];
        size_t size = 0;
        for (uint32_t parts = 1 + draw(3); parts; parts--) {
            if (draw(3)) {
                uint8_t length = (uint8_t)(TTP_HEADER + draw(TTP_PAYLOAD_MAX + 1));
                for (uint8_t i = 0; i < length; i++)
                    body[i] = draw(4) ? (uint8_t)draw(256) : 0;
                uint8_t made = ttp_encode(body, length, wire);
                memcpy(input + size, wire, made);
                size += made;
            } else {
                for (uint32_t n = draw(TTP_WIRE_MAX); n; n--)
                    input[size++] = (uint8_t)draw(256);
            }
        }
        for (uint32_t n = draw(6); n && size; n--)
            input[draw((uint32_t)size)] = draw(2) ? (uint8_t)draw(256) : (uint8_t)(draw(3) - 1);
        for (size_t i = 0; i < size; i++) {
            uint8_t found = ttp_push(&decoder, input[i]);
            if (found && (found < TTP_HEADER || found > TTP_BODY_MAX - TTP_CRC))
                abort();
        }
        uint8_t good[5] = {3, 1, (uint8_t)inputs, 0, 42}, found = 0;
        uint8_t made = ttp_encode(good, sizeof good, wire);
        for (uint8_t i = 0; i < made; i++)
            found |= ttp_push(&decoder, wire[i]) == sizeof good && !memcmp(decoder.body, good, sizeof good);
        if (!found) {
            fprintf(stderr, "input %lu: the frame after it was not accepted\n", inputs);
            return 1;
        }
        inputs++;
    }
    printf("%lu inputs, no finding\n", inputs);
    return 0;
}
