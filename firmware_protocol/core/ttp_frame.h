/* Frames: COBS, CRC-32 and a decoder that takes one byte at a time and survives any bytes.
 * No hardware and no clock in here; the same file runs on the Uno and under the tests of the host. */
#ifndef TTP_FRAME_H
#define TTP_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "ttp_messages.h"

/* CRC-32 as in zlib, of `length` bytes. */
uint32_t ttp_crc32(const uint8_t *data, uint16_t length);

/* Write the frame of a body (header and payload, without CRC, TTP_BODY_MAX - TTP_CRC bytes at most) to `wire`,
 * both delimiters included. Returns the number of bytes, TTP_WIRE_MAX at most. */
uint8_t ttp_encode(const uint8_t *body, uint8_t length, uint8_t *wire);

typedef struct {
    uint8_t body[TTP_BODY_MAX]; /* valid until the next byte is pushed */
    uint8_t length;             /* bytes in `body` */
    uint8_t left;               /* bytes until the next code byte */
    bool begun;                 /* a byte came since the last delimiter */
    bool spoiled;               /* too long: nothing counts until the next delimiter */
    uint16_t good, bad;         /* frames found; stretches that were none */
} ttp_decoder;

/* Take one byte. Returns the length of header and payload when it completes a good frame, else 0. */
uint8_t ttp_push(ttp_decoder *decoder, uint8_t byte);

#endif
