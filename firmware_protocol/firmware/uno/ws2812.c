/* WS2812 lights on D6, bit by bit: 20 cycles a bit, high for 5 (a zero, 0.31 us) or 12 (a one, 0.75 us).
 *
 * Interrupts are off for one light (30 us) and not for the strip (2 ms): the receiver holds less than three bytes, and a byte
 * lasts 87 us. The gap between two lights is far below the 50 us that latch the oldest parts. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

#include "ttp_hal.h"

#define LATCH_US 300 /* newer parts want 280 */

void hal_strip_begin(void)
{
}

static void send(uint8_t byte, uint8_t high, uint8_t low)
{
    uint8_t bits = 8, level;

    __asm__ volatile(
        "1: out %[port], %[high] \n\t" /*  0 */
        "mov %[level], %[low]    \n\t" /*  1 */
        "sbrc %[byte], 7         \n\t" /*  2 */
        "mov %[level], %[high]   \n\t" /*  3 */
        "nop                     \n\t" /*  4 */
        "out %[port], %[level]   \n\t" /*  5: a zero ends here */
        "lsl %[byte]             \n\t" /*  6 */
        "rjmp .+0                \n\t" /*  7 */
        "rjmp .+0                \n\t" /*  9 */
        "nop                     \n\t" /* 11 */
        "out %[port], %[low]     \n\t" /* 12: a one ends here */
        "rjmp .+0                \n\t" /* 13 */
        "rjmp .+0                \n\t" /* 15 */
        "dec %[bits]             \n\t" /* 17 */
        "brne 1b                 \n\t" /* 18, 19 */
        : [byte] "+r"(byte), [bits] "+r"(bits), [level] "=&r"(level)
        : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low));
}

void hal_strip_light(uint8_t red, uint8_t green, uint8_t blue)
{
    cli();
    uint8_t low = PORTD & (uint8_t)~_BV(PD6), high = low | _BV(PD6);
    send(green, high, low);
    send(red, high, low);
    send(blue, high, low);
    sei();
    /* Silicon lets an interrupt in after one instruction; simavr 1.6 needs four. Both are free here. */
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
}

void hal_strip_end(void)
{
    _delay_us(LATCH_US);
}
