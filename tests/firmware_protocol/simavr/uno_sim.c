/* An Arduino Uno in virtual time: simavr's ATmega328P with what hangs on its pins.
 *
 * Built as a shared object it is stepped from Python, with no clock and no sleeping; built with -DPTY it is a process that
 * keeps real time and serves a pseudo-terminal. simavr is GPL-3: this file is part of the tests and is shipped with nothing.
 *
 * simavr hides overruns, because its UART queues 64 bytes where the chip holds two and one in the shift register. The feeder
 * below drops what would not fit. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avr_adc.h>
#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>

#define HZ 16000000ULL
#define DEPTH 3
#define LATCH_CYCLES (50 * 16) /* 50 us, the limit of the oldest strips */
#define LONG_BIT 10            /* cycles high that tell a one from a zero */
#define LINE 65536
#define STRIP 2048
#define CUPS 6

typedef struct {
    avr_t *avr;
    avr_uart_t *uart;
    avr_irq_t *rx, *adc[CUPS], *gate, *buttons[2];
    uint8_t in[LINE];
    uint32_t in_head, in_tail;
    uint8_t out[LINE];
    uint32_t out_length;
    uint64_t rose, fell;
    uint8_t bits[STRIP], shown[STRIP];
    uint32_t bit_count, shown_length, latches;
    uint32_t overruns;
    uint64_t longest_gap; /* cycles low inside a frame of the strip */
    uint16_t cups[CUPS][3];
    uint8_t lamps;
} sim;

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *param)
{
    sim *s = param;
    (void)irq;
    if (s->out_length < LINE)
        s->out[s->out_length++] = (uint8_t)value;
}

static avr_cycle_count_t feed(avr_t *avr, avr_cycle_count_t when, void *param)
{
    sim *s = param;
    (void)avr;
    if (s->in_tail != s->in_head) {
        uint8_t byte = s->in[s->in_tail++ % LINE];
        uint32_t unread = (uint32_t)(s->uart->input.write - s->uart->input.read) & 63;
        if (unread >= DEPTH)
            s->overruns++;
        else
            avr_raise_irq(s->rx, byte);
    }
    return when + (s->uart->cycles_per_byte ? s->uart->cycles_per_byte : HZ / 11520);
}

static void latch(sim *s)
{
    if (s->bit_count == 0)
        return;
    memcpy(s->shown, s->bits, sizeof s->shown);
    s->shown_length = s->bit_count / 8;
    s->bit_count = 0;
    s->latches++;
}

static avr_cycle_count_t watch_latch(avr_t *avr, avr_cycle_count_t when, void *param)
{
    sim *s = param;
    if (s->fell > s->rose && avr->cycle - s->fell > LATCH_CYCLES)
        latch(s);
    return when + LATCH_CYCLES;
}

static void on_strip(struct avr_irq_t *irq, uint32_t value, void *param)
{
    sim *s = param;
    uint64_t now = s->avr->cycle;
    (void)irq;
    if (value) {
        if (s->bit_count && now - s->fell > LATCH_CYCLES)
            latch(s);
        else if (s->bit_count && now - s->fell > s->longest_gap)
            s->longest_gap = now - s->fell;
        s->rose = now;
        return;
    }
    s->fell = now;
    if (s->rose == 0 || s->bit_count / 8 >= STRIP)
        return;
    uint32_t at = s->bit_count / 8;
    s->bits[at] = (uint8_t)(s->bits[at] << 1 | (now - s->rose >= LONG_BIT));
    s->bit_count++;
}

/* Each cup reflects the lamp that is lit, over some light of the room. */
static void on_lamps(struct avr_irq_t *irq, uint32_t value, void *param)
{
    sim *s = param;
    uint32_t lamp = irq->irq - 1;
    if (value)
        s->lamps |= (uint8_t)(1 << lamp);
    else
        s->lamps &= (uint8_t)~(1 << lamp);
    for (int cup = 0; cup < CUPS; cup++) {
        uint32_t counts = 40;
        for (int c = 0; c < 3; c++)
            if (s->lamps >> c & 1)
                counts += s->cups[cup][c];
        avr_raise_irq(s->adc[cup], (counts > 1023 ? 1023 : counts) * 5000 / 1024 + 3);
    }
}

static void no_sleep(avr_t *avr, avr_cycle_count_t how_long)
{
    (void)avr;
    (void)how_long;
}

static void power_on_pins(sim *s)
{
    avr_cycle_timer_register(s->avr, HZ / 11520, feed, s);
    avr_cycle_timer_register(s->avr, LATCH_CYCLES, watch_latch, s);
    avr_raise_irq(s->gate, 1);
    avr_raise_irq(s->buttons[0], 1);
    avr_raise_irq(s->buttons[1], 1);
    for (int cup = 0; cup < CUPS; cup++)
        avr_raise_irq(s->adc[cup], 200);
}

/* simavr tells each loading on stdout, between the figures. */
static void only_errors(avr_t *avr, const int level, const char *format, va_list values)
{
    (void)avr;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, values);
}

sim *sim_new(const char *elf)
{
    elf_firmware_t firmware;
    sim *s = calloc(1, sizeof *s);
    uint32_t flags = 0;

    avr_global_logger_set(only_errors);
    memset(&firmware, 0, sizeof firmware);
    if (!s || elf_read_firmware(elf, &firmware))
        return NULL;
    s->avr = avr_make_mcu_by_name("atmega328p");
    avr_init(s->avr);
    s->avr->log = 0;
    firmware.frequency = HZ;
    avr_load_firmware(s->avr, &firmware);
    s->avr->frequency = HZ;
    s->avr->vcc = s->avr->avcc = s->avr->aref = 5000;
    s->avr->sleep = no_sleep;
    memset(s->avr->data + s->avr->ioend, 0x55, s->avr->ramend - s->avr->ioend); /* power-on RAM is not zero */

    avr_ioctl(s->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    for (avr_io_t *io = s->avr->io_port; io; io = io->next)
        if (io->kind && !strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == '0')
            s->uart = (avr_uart_t *)io;
    s->rx = avr_io_getirq(s->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(s->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, s);
    avr_irq_register_notify(avr_io_getirq(s->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), on_strip, s);
    s->gate = avr_io_getirq(s->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 2);
    s->buttons[0] = avr_io_getirq(s->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 3);
    s->buttons[1] = avr_io_getirq(s->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 4);
    for (int lamp = 0; lamp < 3; lamp++)
        avr_irq_register_notify(avr_io_getirq(s->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 1 + lamp), on_lamps, s);
    for (int cup = 0; cup < CUPS; cup++)
        s->adc[cup] = avr_io_getirq(s->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + cup);
    power_on_pins(s);
    return s;
}

void sim_free(sim *s)
{
    avr_terminate(s->avr);
    free(s->avr);
    free(s);
}

/* RAM keeps its content, as on the chip; every timer of simavr is forgotten and set again. */
void sim_reset(sim *s)
{
    avr_reset(s->avr);
    s->in_tail = s->in_head;
    s->bit_count = 0;
    s->rose = s->fell = 0;
    s->lamps = 0;
    power_on_pins(s);
}

uint64_t sim_cycle(sim *s)
{
    return s->avr->cycle;
}

/* Returns 0, or -1 if the program crashed. */
int sim_run(sim *s, uint64_t cycles)
{
    uint64_t until = s->avr->cycle + cycles;
    while (s->avr->cycle < until) {
        int state = avr_run(s->avr);
        if (state == cpu_Crashed || state == cpu_Done)
            return -1;
    }
    return 0;
}

void sim_send(sim *s, const uint8_t *data, uint32_t length)
{
    while (length--)
        s->in[s->in_head++ % LINE] = *data++;
}

uint32_t sim_take(sim *s, uint8_t *to, uint32_t room)
{
    uint32_t length = s->out_length < room ? s->out_length : room;
    memcpy(to, s->out, length);
    memmove(s->out, s->out + length, s->out_length - length);
    s->out_length -= length;
    return length;
}

uint32_t sim_strip(sim *s, uint8_t *to)
{
    memcpy(to, s->shown, s->shown_length);
    return s->shown_length;
}

uint32_t sim_latches(sim *s)
{
    return s->latches;
}

uint32_t sim_overruns(sim *s)
{
    return s->overruns;
}

uint64_t sim_longest_gap(sim *s)
{
    return s->longest_gap;
}

void sim_gate(sim *s, uint32_t clear)
{
    avr_raise_irq(s->gate, clear);
}

void sim_button(sim *s, uint32_t which, uint32_t down)
{
    avr_raise_irq(s->buttons[which], !down);
}

void sim_cup(sim *s, uint32_t cup, uint16_t red, uint16_t green, uint16_t blue)
{
    s->cups[cup][0] = red;
    s->cups[cup][1] = green;
    s->cups[cup][2] = blue;
}

#ifdef PTY
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + now.tv_nsec * 1e-9;
}

/* One letter and a number on standard input turn the pins: "g 0" interrupts the beam, "g 1" clears it, "r 0" resets. */
static void obey(sim *s, const char *line)
{
    if (line[0] == 'g')
        sim_gate(s, line[2] != '0');
    else if (line[0] == 'r')
        sim_reset(s);
}

int main(int argc, char **argv)
{
    int master, slave;
    struct termios raw;
    sim *s = argc > 1 ? sim_new(argv[1]) : NULL;
    char line[64], name[128];
    uint8_t buffer[256];

    if (!s || openpty(&master, &slave, name, NULL, NULL))
        return 2;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    fcntl(master, F_SETFL, O_NONBLOCK);
    /* The slave stays open here, or the master would see a hang-up whenever a client closes. */
    printf("PTY %s\n", name);
    fflush(stdout);
    double began = wall();
    uint64_t done = 0;
    for (;;) {
        struct pollfd fds[2] = {{0, POLLIN, 0}, {master, POLLIN, 0}};
        poll(fds, 2, 1);
        if (fds[0].revents) { /* standard input closed: the test is gone, so are we */
            ssize_t got = read(0, line, sizeof line - 1);
            if (got <= 0)
                return 0;
            line[got] = 0;
            for (const char *order = strtok(line, "\n"); order; order = strtok(NULL, "\n"))
                obey(s, order);
        }
        ssize_t got = read(master, buffer, sizeof buffer);
        if (got > 0)
            sim_send(s, buffer, (uint32_t)got);
        uint64_t due = (uint64_t)((wall() - began) * HZ);
        if (due > done) {
            if (due - done > HZ / 10) /* a starved machine does not race to catch up */
                began += (double)(due - done - HZ / 10) / HZ, due = done + HZ / 10;
            if (sim_run(s, due - done))
                return 3;
            done = due;
        }
        uint32_t length;
        while ((length = sim_take(s, buffer, sizeof buffer)))
            if (write(master, buffer, length) < 0)
                break; /* nobody reads: a real port loses these bytes too */
    }
}
#endif
