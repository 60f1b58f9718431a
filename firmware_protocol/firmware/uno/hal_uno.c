/* The Arduino Uno (ATmega328P, 16 MHz): the only file that knows its registers, beside ws2812.c with the strip's timing.
 *
 * D0/D1 serial · D2 light gate · D3, D4 buttons to ground · D6 strip · D9, D10, D11 red, green, blue lamps · A0..A5 cups */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "hal_uno.h"
#include "ttp_hal.h"

#ifndef BAUD
#define BAUD 115200
#endif
#define DIVISOR ((F_CPU + 4UL * BAUD) / (8UL * BAUD) - 1) /* double speed: 2.1 % off at 115200, exact at 250000 and 500000 */
#define RING 128                                          /* a power of two; one frame is 67 bytes */
#define GATE PD2
#define BUTTON_PINS (_BV(PD3) | _BV(PD4))
#define LAMPS (_BV(PB1) | _BV(PB2) | _BV(PB3))
#define LAMP_US 200                                       /* until a phototransistor has followed the lamp */
#define POWER_MARK 0x5A17                                 /* RAM that survived a reset, not a power cycle */

static struct {
    volatile uint8_t in[RING], out[RING];
    volatile uint8_t in_head, in_tail, out_head, out_tail;
    volatile uint16_t ring_over, hardware_over;
} serial;
static volatile uint32_t milliseconds;
static volatile uint8_t gate_edges;
static struct {
    uint16_t mark, count;
} boots __attribute__((section(".noinit")));

ISR(TIMER0_COMPA_vect)
{
    milliseconds++;
}

ISR(INT0_vect)
{
    if (gate_edges < 255)
        gate_edges++;
}

ISR(USART_RX_vect)
{
    if (UCSR0A & _BV(DOR0))
        serial.hardware_over++;
    uint8_t byte = UDR0;
    uint8_t next = (serial.in_head + 1) % RING;
    if (next == serial.in_tail) {
        serial.ring_over++;
    } else {
        serial.in[serial.in_head] = byte;
        serial.in_head = next;
    }
}

ISR(USART_UDRE_vect)
{
    if (serial.out_tail == serial.out_head) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = serial.out[serial.out_tail];
        serial.out_tail = (serial.out_tail + 1) % RING;
    }
}

void uno_start(void)
{
    if (boots.mark != POWER_MARK)
        boots.count = 0;
    boots.mark = POWER_MARK;
    boots.count++;

    UCSR0A = _BV(U2X0); /* before the divisor: simavr works out the speed when the divisor is written */
    UBRR0 = DIVISOR;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);

    TCCR0A = _BV(WGM01); /* 16 MHz / 64 / 250 = 1 kHz */
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);

    DDRD = _BV(PD6);
    PORTD = BUTTON_PINS | _BV(GATE);
    DDRB = LAMPS;
    EICRA = _BV(ISC01); /* a falling edge: each die makes one, when it enters the beam or when it leaves it */
    EIMSK = _BV(INT0);
    ADMUX = _BV(REFS0);
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);

    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
}

void uno_rest(void)
{
    cli();
    if (serial.in_head == serial.in_tail) {
        sleep_enable();
        sei(); /* takes effect after the next instruction, so no byte can slip in before the sleep */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

uint32_t hal_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = milliseconds;
    }
    return now;
}

bool hal_read(uint8_t *byte)
{
    if (serial.in_head == serial.in_tail)
        return false;
    *byte = serial.in[serial.in_tail];
    serial.in_tail = (serial.in_tail + 1) % RING;
    return true;
}

bool hal_write(const uint8_t *data, uint8_t length)
{
    uint8_t room = (uint8_t)(serial.out_tail - serial.out_head - 1) % RING;

    if (length > room)
        return false;
    uint8_t head = serial.out_head;
    while (length--) {
        serial.out[head] = *data++;
        head = (head + 1) % RING;
    }
    serial.out_head = head;
    UCSR0B |= _BV(UDRIE0);
    return true;
}

uint16_t hal_ring_over(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = serial.ring_over;
    }
    return count;
}

uint16_t hal_hardware_over(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = serial.hardware_over;
    }
    return count;
}

uint32_t hal_uid(void)
{
    uint32_t uid = eeprom_read_dword((const uint32_t *)0);
    return uid == UINT32_MAX ? 0 : uid;
}

uint16_t hal_boots(void)
{
    return boots.count;
}

uint8_t hal_gate_edges(void)
{
    uint8_t edges;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        edges = gate_edges;
        gate_edges = 0;
    }
    return edges;
}

uint8_t hal_buttons(void)
{
    return (uint8_t)(~PIND & BUTTON_PINS) >> PD3;
}

static uint16_t adc(uint8_t channel)
{
    ADMUX = (uint8_t)(_BV(REFS0) | channel);
    ADCSRA |= _BV(ADSC);
    while (ADCSRA & _BV(ADSC))
        ;
    return ADC;
}

/* Each cup is read dark and under each lamp; the difference does not depend on the light of the room. */
void hal_colors(uint8_t sensors, uint16_t (*rgb)[3])
{
    uint16_t dark[6];

    for (uint8_t i = 0; i < sensors; i++)
        dark[i] = adc(i);
    for (uint8_t lamp = 0; lamp < 3; lamp++) {
        PORTB |= (uint8_t)(_BV(PB1) << lamp);
        _delay_us(LAMP_US);
        for (uint8_t i = 0; i < sensors; i++) {
            uint16_t lit = adc(i);
            rgb[i][lamp] = lit > dark[i] ? lit - dark[i] : 0;
        }
        PORTB &= (uint8_t)~LAMPS;
        _delay_us(LAMP_US);
    }
}
