/* link_fuzz SECONDS SEED: whole frames with random types, lengths and contents, to be built with the sanitizers, with the code
 * of a device and the board made of memory. Every request of the session must be answered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hal_native.h"
#include "ttp_link.h"

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

int main(int argc, char **argv)
{
    static const uint8_t types[] = {TTP_PING, TTP_STATS, TTP_BYE, TTP_LED_PIXELS, TTP_LED_MASK, TTP_LED_FILL, TTP_LED_SHOW,
                                    TTP_LED_DIGEST, TTP_LED_EFFECT, TTP_TOWER_CONFIG, TTP_TOWER_STATE, TTP_TOWER_COLOR,
                                    TTP_TOWER_RAW};
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 60;
    clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    uint8_t wire[TTP_WIRE_MAX], out[8192], strip[NATIVE_STRIP];
    unsigned long requests = 0;
    uint8_t session = 0, seq = 0;

    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    native_reset();
    while (clock() < until) {
        if (requests % 5000 == 0) {
            session = (uint8_t)(session % 255 + 1);
            uint8_t hello[] = {TTP_HELLO, session, 0, 0, (uint8_t)draw(256), (uint8_t)draw(256), 3, 4, session};
            native_feed(wire, ttp_encode(hello, sizeof hello, wire));
            seq = 0;
        }
        uint8_t body[TTP_BODY_MAX];
        uint8_t length = (uint8_t)(TTP_HEADER + draw(TTP_PAYLOAD_MAX + 1));
        body[0] = draw(8) ? types[draw(sizeof types)] : (uint8_t)(6 + draw(0x3A));
        body[1] = session;
        body[2] = ++seq;
        body[3] = (uint8_t)draw(4);
        for (uint8_t i = TTP_HEADER; i < length; i++)
            body[i] = draw(3) ? (uint8_t)draw(draw(2) ? 70 : 256) : 0;
        native_color((uint8_t)draw(6), (uint16_t)draw(1024), (uint16_t)draw(1024), (uint16_t)draw(1024));
        native_gate(draw(20) == 0);
        native_buttons((uint8_t)draw(4));
        native_take(out, sizeof out);
        native_feed(wire, ttp_encode(body, length, wire));
        if (native_take(out, sizeof out) == 0) {
            fprintf(stderr, "request %lu of type %02x was not answered\n", requests, body[0]);
            return 1;
        }
        native_advance(draw(10) ? draw(3) : draw(200));
        native_strip(strip);
        requests++;
    }
    printf("%lu requests, no finding\n", requests);
    return 0;
}
