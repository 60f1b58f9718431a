/* The device's half of the link: sessions, requests that are executed exactly once, events that wait until they are taken. */
#ifndef TTP_LINK_H
#define TTP_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "ttp_frame.h"

void ttp_start(void);                                   /* once after a reset */
void ttp_poll(void);                                    /* as often as possible */

/* Queue an event. The payload begins after the `lost` field, which the link fills in. */
void ttp_event(uint8_t type, const uint8_t *payload, uint8_t length);

uint16_t ttp_u16(const uint8_t *from);
void ttp_put_u16(uint8_t *to, uint16_t value);
void ttp_put_u32(uint8_t *to, uint32_t value);

/* What the application (board or tower) supplies. */
extern const uint8_t app_kind;
extern const uint16_t app_caps, app_leds;
void app_start(void);
void app_tick(uint32_t now_ms);
void app_idle(uint8_t policy);                          /* the host is silent or has left */
void app_awake(void);                                   /* the host is back */
/* Execute a request; write the reply's payload and its length. Returns a status. */
uint8_t app_request(uint8_t type, const uint8_t *payload, uint8_t length, uint8_t *reply, uint8_t *reply_length);

#endif
