/* A board made of memory: the whole firmware as a shared library, driven by the tests of the host.
 * One library is one device; load a copy of the file for a second one. */
#include "hal_native.h"

#include <string.h>

#include "ttp_hal.h"
#include "ttp_link.h"

#define LINE 8192

static struct {
    uint32_t now_ms;
    uint16_t boots;
    const uint8_t *in;
    uint32_t in_left;
    uint8_t out[LINE];
    uint32_t out_length;
    uint8_t strip[NATIVE_STRIP];
    uint16_t strip_length;
    uint32_t shows;
    uint8_t gate_edges, buttons;
    uint16_t colors[TTP_DICE_MAX][3];
} board;

uint32_t hal_ms(void)
{
    return board.now_ms;
}

bool hal_read(uint8_t *byte)
{
    if (board.in_left == 0)
        return false;
    *byte = *board.in++;
    board.in_left--;
    return true;
}

bool hal_write(const uint8_t *data, uint8_t length)
{
    if (board.out_length + length > LINE)
        return false;
    memcpy(board.out + board.out_length, data, length);
    board.out_length += length;
    return true;
}

uint16_t hal_ring_over(void)
{
    return 0;
}

uint16_t hal_hardware_over(void)
{
    return 0;
}

uint32_t hal_uid(void)
{
    return 0xC0FFEE01;
}

uint16_t hal_boots(void)
{
    return board.boots;
}

void hal_strip_begin(void)
{
    board.strip_length = 0;
}

void hal_strip_light(uint8_t red, uint8_t green, uint8_t blue)
{
    if (board.strip_length + 3 <= NATIVE_STRIP) {
        uint8_t *at = board.strip + board.strip_length;
        at[0] = red;
        at[1] = green;
        at[2] = blue;
        board.strip_length += 3;
    }
}

void hal_strip_end(void)
{
    board.shows++;
}

uint8_t hal_gate_edges(void)
{
    uint8_t edges = board.gate_edges;
    board.gate_edges = 0;
    return edges;
}

uint8_t hal_buttons(void)
{
    return board.buttons;
}

void hal_colors(uint8_t sensors, uint16_t (*rgb)[3])
{
    memcpy(rgb, board.colors, sensors * sizeof board.colors[0]);
}

/* ---- what the tests turn ---- */

void native_reset(void)
{
    board.boots++;
    board.out_length = 0;
    ttp_start();
}

void native_feed(const uint8_t *data, uint32_t length)
{
    board.in = data;
    board.in_left = length;
    ttp_poll();
}

void native_advance(uint32_t ms)
{
    while (ms--) {
        board.now_ms++;
        ttp_poll();
    }
}

uint32_t native_take(uint8_t *to, uint32_t room)
{
    uint32_t length = board.out_length < room ? board.out_length : room;
    memcpy(to, board.out, length);
    memmove(board.out, board.out + length, board.out_length - length);
    board.out_length -= length;
    return length;
}

uint16_t native_strip(uint8_t *to)
{
    memcpy(to, board.strip, board.strip_length);
    return board.strip_length;
}

uint32_t native_shows(void)
{
    return board.shows;
}

void native_gate(uint8_t edges)
{
    board.gate_edges += edges;
}

void native_buttons(uint8_t bits)
{
    board.buttons = bits;
}

void native_color(uint8_t die, uint16_t red, uint16_t green, uint16_t blue)
{
    board.colors[die][0] = red;
    board.colors[die][1] = green;
    board.colors[die][2] = blue;
}
