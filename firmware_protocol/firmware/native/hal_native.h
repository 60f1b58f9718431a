/* What the tests of the host turn and read on a board made of memory. */
#ifndef HAL_NATIVE_H
#define HAL_NATIVE_H

#include <stdint.h>

#define NATIVE_STRIP 1024 /* bytes of the strip that are kept */

void native_reset(void);                                        /* power stays, RAM is new */
void native_feed(const uint8_t *data, uint32_t length);         /* bytes come in */
void native_advance(uint32_t ms);                               /* time passes */
uint32_t native_take(uint8_t *to, uint32_t room);               /* bytes go out */
uint16_t native_strip(uint8_t *to);                             /* what the strip shows: red, green, blue */
uint32_t native_shows(void);                                    /* how often it latched */
void native_gate(uint8_t edges);                                /* dice fall */
void native_buttons(uint8_t bits);
void native_color(uint8_t die, uint16_t red, uint16_t green, uint16_t blue);

#endif
