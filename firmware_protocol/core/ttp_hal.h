/* What the core needs from a board. `firmware/uno` has it in registers, `firmware/native` in memory for the tests. */
#ifndef TTP_HAL_H
#define TTP_HAL_H

#include <stdbool.h>
#include <stdint.h>

uint32_t hal_ms(void);
bool hal_read(uint8_t *byte);                          /* the next byte that came in */
bool hal_write(const uint8_t *data, uint8_t length);   /* all or nothing; false: no room now */
uint16_t hal_ring_over(void);                          /* bytes lost to a full receive ring */
uint16_t hal_hardware_over(void);                      /* bytes that the receiver itself lost */
uint32_t hal_uid(void);
uint16_t hal_boots(void);

/* LED board: lights in order, each as red, green, blue. `end` returns when the strip has latched. */
void hal_strip_begin(void);
void hal_strip_light(uint8_t red, uint8_t green, uint8_t blue);
void hal_strip_end(void);

/* Dice tower. */
uint8_t hal_gate_edges(void);                          /* dice that came through since the last call */
uint8_t hal_buttons(void);                             /* one bit a button, 1: down */
void hal_colors(uint8_t sensors, uint16_t (*rgb)[3]);  /* lit minus dark, 0 to 1023 */

#endif
