/* The LED board: a picture of APP_LEDS lights, a short effect laid over it, and a limit on the current that no host can lift. */
#include <string.h>

#include "ttp_hal.h"
#include "ttp_link.h"

#ifndef APP_LEDS
#define APP_LEDS 64
#endif
#ifndef LIMIT_MA
#define LIMIT_MA 400 /* a USB port gives 500; the Uno takes about 50 */
#endif
#define RESTING_MA 1   /* of one dark WS2812 */
#define CHANNEL_MA 20  /* of one color of one light at full brightness, somewhat more than data sheets say */
#define FRAME_MS 33
#define MASK_BYTES ((APP_LEDS + 7) / 8)

const uint8_t app_kind = TTP_KIND_BOARD;
const uint16_t app_caps = TTP_CAPABILITY_LEDS;
const uint16_t app_leds = APP_LEDS;

static uint8_t picture[APP_LEDS][3];
static uint16_t generation;
static uint8_t brightness;       /* in use, after the limit */
static uint8_t idle_brightness;
static bool is_idle;
static struct {
    uint8_t kind, color[3], mask[MASK_BYTES];
    uint32_t start_ms, frame_ms;
    uint16_t duration_ms;
} effect;

static uint8_t scaled(uint8_t value, uint8_t by)
{
    return (uint8_t)((uint16_t)value * (by + 1u) >> 8);
}

/* How strong the effect is at `age` milliseconds, 0 to 255. */
static uint8_t strength(uint32_t age)
{
    if (effect.kind == TTP_EFFECT_FLASH)
        return (age / 125) & 1 ? 0 : 255;
    uint8_t phase = (uint8_t)(age >> 1);
    return phase < 128 ? (uint8_t)(phase * 2) : (uint8_t)((255 - phase) * 2);
}

/* The color of one light with the effect over it. */
static void light(uint16_t at, uint8_t over, uint8_t color[3])
{
    bool masked = effect.kind && (effect.mask[at >> 3] >> (at & 7) & 1);

    for (uint8_t i = 0; i < 3; i++)
        color[i] = masked ? scaled(effect.color[i], over) : picture[at][i];
}

/* Milliamperes at full brightness; `over` as in light(). */
static uint32_t full_current_ma(uint8_t over)
{
    uint32_t sum = 0;
    uint8_t color[3];

    for (uint16_t at = 0; at < APP_LEDS; at++) {
        light(at, over, color);
        sum += (uint16_t)color[0] + color[1] + color[2];
    }
    return sum * CHANNEL_MA / 255;
}

static uint16_t current_ma(uint32_t full, uint8_t with)
{
    return (uint16_t)(APP_LEDS * RESTING_MA + full * with / 255);
}

static uint8_t limited(uint8_t wanted, uint32_t full)
{
    const uint32_t room = LIMIT_MA > APP_LEDS * RESTING_MA ? LIMIT_MA - APP_LEDS * RESTING_MA : 0;

    return full * wanted / 255 <= room ? wanted : (uint8_t)(room * 255 / full);
}

/* Put the picture on the strip. Each frame is limited by itself: an effect may be brighter than the picture. */
static void render(uint32_t now)
{
    uint8_t over = effect.kind ? strength(now - effect.start_ms) : 0;
    uint8_t with = limited(is_idle ? idle_brightness : brightness, full_current_ma(over));
    uint8_t color[3];

    hal_strip_begin();
    for (uint16_t at = 0; at < APP_LEDS; at++) {
        light(at, over, color);
        hal_strip_light(scaled(color[0], with), scaled(color[1], with), scaled(color[2], with));
    }
    hal_strip_end();
}

void app_start(void)
{
    memset(picture, 0, sizeof picture);
    memset(&effect, 0, sizeof effect);
    generation = 0;
    brightness = 255;
    is_idle = false;
    render(hal_ms());
}

void app_tick(uint32_t now)
{
    if (!effect.kind || now - effect.frame_ms < FRAME_MS)
        return;
    effect.frame_ms = now;
    if (now - effect.start_ms >= effect.duration_ms)
        effect.kind = TTP_EFFECT_NONE;
    render(now);
}

void app_idle(uint8_t policy)
{
    is_idle = policy != TTP_POLICY_KEEP;
    idle_brightness = policy == TTP_POLICY_OFF ? 0 : brightness / 4;
    effect.kind = TTP_EFFECT_NONE;
    render(hal_ms());
}

void app_awake(void)
{
    is_idle = false;
    render(hal_ms());
}

/* ---- requests ---- */

/* Whether `bits` has a bit set for a light that is not there. */
static bool beyond(uint16_t offset, const uint8_t *bits, uint8_t length)
{
    for (uint16_t i = 0; i < length * 8u; i++)
        if ((bits[i >> 3] >> (i & 7) & 1) && (uint32_t)offset + i >= APP_LEDS)
            return true;
    return false;
}

static uint8_t pixels(const uint8_t *p, uint8_t length)
{
    uint16_t offset = ttp_u16(p + TTP_LED_PIXELS_AT_OFFSET);
    uint8_t bytes = length - TTP_LED_PIXELS_LEN;

    if (bytes % 3 || offset > APP_LEDS || bytes / 3 > APP_LEDS - offset)
        return TTP_STATUS_BAD_RANGE;
    memcpy((uint8_t *)picture + 3 * offset, p + TTP_LED_PIXELS_AT_COLORS, bytes);
    return TTP_STATUS_OK;
}

static uint8_t mask(const uint8_t *p, uint8_t length)
{
    uint16_t offset = ttp_u16(p + TTP_LED_MASK_AT_OFFSET);
    const uint8_t *bits = p + TTP_LED_MASK_AT_BITS;
    uint8_t bytes = length - TTP_LED_MASK_LEN;

    if (beyond(offset, bits, bytes))
        return TTP_STATUS_BAD_RANGE;
    for (uint16_t i = 0; i < bytes * 8u; i++)
        if (bits[i >> 3] >> (i & 7) & 1)
            memcpy(picture[offset + i], p + TTP_LED_MASK_AT_COLOR, 3);
    return TTP_STATUS_OK;
}

static uint8_t fill(const uint8_t *p)
{
    uint16_t offset = ttp_u16(p + TTP_LED_FILL_AT_OFFSET);
    uint16_t count = ttp_u16(p + TTP_LED_FILL_AT_COUNT);

    if (offset > APP_LEDS || count > APP_LEDS - offset)
        return TTP_STATUS_BAD_RANGE;
    while (count--)
        memcpy(picture[offset++], p + TTP_LED_FILL_AT_COLOR, 3);
    return TTP_STATUS_OK;
}

static uint8_t show(const uint8_t *p, uint8_t *reply, uint8_t *reply_length)
{
    uint8_t wanted = p[TTP_LED_SHOW_AT_BRIGHTNESS];
    uint32_t full = full_current_ma(0);

    generation = ttp_u16(p + TTP_LED_SHOW_AT_GENERATION);
    brightness = limited(wanted, full);
    render(hal_ms());
    ttp_put_u16(reply + TTP_LED_SHOW_REPLY_AT_GENERATION, generation);
    ttp_put_u16(reply + TTP_LED_SHOW_REPLY_AT_CURRENT_MA, current_ma(full, brightness));
    reply[TTP_LED_SHOW_REPLY_AT_BRIGHTNESS] = brightness;
    *reply_length = TTP_LED_SHOW_REPLY_LEN;
    return brightness < wanted ? TTP_STATUS_OVER_POWER : TTP_STATUS_OK;
}

static uint8_t digest(uint8_t *reply, uint8_t *reply_length)
{
    ttp_put_u16(reply + TTP_LED_DIGEST_REPLY_AT_GENERATION, generation);
    ttp_put_u32(reply + TTP_LED_DIGEST_REPLY_AT_DIGEST, ttp_crc32((const uint8_t *)picture, sizeof picture));
    *reply_length = TTP_LED_DIGEST_REPLY_LEN;
    return TTP_STATUS_OK;
}

static uint8_t start_effect(const uint8_t *p, uint8_t length)
{
    uint16_t offset = ttp_u16(p + TTP_LED_EFFECT_AT_OFFSET);
    const uint8_t *bits = p + TTP_LED_EFFECT_AT_BITS;
    uint8_t bytes = length - TTP_LED_EFFECT_LEN;
    uint32_t now = hal_ms();

    if (p[TTP_LED_EFFECT_AT_EFFECT] > TTP_EFFECT_PULSE || beyond(offset, bits, bytes))
        return TTP_STATUS_BAD_RANGE;
    effect.kind = p[TTP_LED_EFFECT_AT_EFFECT];
    memcpy(effect.color, p + TTP_LED_EFFECT_AT_COLOR, 3);
    memset(effect.mask, 0, sizeof effect.mask);
    for (uint16_t i = 0; i < bytes * 8u; i++)
        if (bits[i >> 3] >> (i & 7) & 1)
            effect.mask[(offset + i) >> 3] |= (uint8_t)(1 << ((offset + i) & 7));
    effect.duration_ms = ttp_u16(p + TTP_LED_EFFECT_AT_DURATION_MS);
    effect.start_ms = effect.frame_ms = now;
    render(now);
    return TTP_STATUS_OK;
}

uint8_t app_request(uint8_t type, const uint8_t *p, uint8_t length, uint8_t *reply, uint8_t *reply_length)
{
    switch (type) {
    case TTP_LED_PIXELS:
        return length < TTP_LED_PIXELS_LEN ? TTP_STATUS_BAD_RANGE : pixels(p, length);
    case TTP_LED_MASK:
        return length < TTP_LED_MASK_LEN ? TTP_STATUS_BAD_RANGE : mask(p, length);
    case TTP_LED_FILL:
        return length < TTP_LED_FILL_LEN ? TTP_STATUS_BAD_RANGE : fill(p);
    case TTP_LED_SHOW:
        return length < TTP_LED_SHOW_LEN ? TTP_STATUS_BAD_RANGE : show(p, reply, reply_length);
    case TTP_LED_DIGEST:
        return digest(reply, reply_length);
    case TTP_LED_EFFECT:
        return length < TTP_LED_EFFECT_LEN ? TTP_STATUS_BAD_RANGE : start_effect(p, length);
    default:
        return TTP_STATUS_UNKNOWN_TYPE;
    }
}
