#include "ttp_frame.h"

#ifdef __AVR__
#include <avr/pgmspace.h>
#define IN_FLASH PROGMEM
#define READ_FLASH(address) pgm_read_dword(address)
#else
#define IN_FLASH
#define READ_FLASH(address) (*(address))
#endif

/* Four bits at a time: 64 bytes of flash and 150 cycles a byte on the AVR, where a byte lasts 1,389 cycles at 115200 baud. */
static const uint32_t nibble_table[16] IN_FLASH = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
};

static uint32_t crc_step(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    crc = (crc >> 4) ^ READ_FLASH(&nibble_table[crc & 15]);
    return (crc >> 4) ^ READ_FLASH(&nibble_table[crc & 15]);
}

uint32_t ttp_crc32(const uint8_t *data, uint16_t length)
{
    uint32_t crc = 0xFFFFFFFF;
    while (length--)
        crc = crc_step(crc, *data++);
    return ~crc;
}

uint8_t ttp_encode(const uint8_t *body, uint8_t length, uint8_t *wire)
{
    uint32_t crc = ttp_crc32(body, length);
    uint8_t *code = wire + 1; /* where the length of the present run goes */
    uint8_t *out = wire + 2;

    wire[0] = 0;
    *code = 1;
    for (uint8_t i = 0; i < length + TTP_CRC; i++) {
        uint8_t byte;
        if (i < length) {
            byte = body[i];
        } else {
            byte = (uint8_t)crc;
            crc >>= 8;
        }
        if (byte) {
            *out++ = byte;
            ++*code; /* a body of 64 bytes never reaches 0xFF, so no run is split */
        } else {
            code = out++;
            *code = 1;
        }
    }
    *out++ = 0;
    return (uint8_t)(out - wire);
}

static void keep(ttp_decoder *d, uint8_t byte)
{
    if (d->length < TTP_BODY_MAX)
        d->body[d->length++] = byte;
    else
        d->spoiled = true;
}

static bool whole(const ttp_decoder *d)
{
    if (d->spoiled || d->left || d->length < TTP_HEADER + TTP_CRC)
        return false;
    uint8_t at = d->length - TTP_CRC;
    uint32_t crc = ttp_crc32(d->body, at);
    for (; at < d->length; at++, crc >>= 8)
        if (d->body[at] != (uint8_t)crc)
            return false;
    return true;
}

uint8_t ttp_push(ttp_decoder *d, uint8_t byte)
{
    uint8_t found = 0;

    if (byte == 0) {
        if (d->begun) {
            if (whole(d)) {
                d->good++;
                found = d->length - TTP_CRC;
            } else {
                d->bad++;
            }
        }
        d->begun = d->spoiled = false;
        d->length = d->left = 0;
        return found;
    }
    if (d->spoiled)
        return 0;
    if (!d->begun) {
        d->begun = true;
        d->left = byte - 1;
    } else if (d->left == 0) {
        keep(d, 0); /* the zero that the run before this one stands for */
        d->left = byte - 1;
    } else {
        d->left--;
        keep(d, byte);
    }
    return 0;
}
