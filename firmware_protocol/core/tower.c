/* The dice tower: a light gate says that dice fall, color sensors under the cups say what lies there.
 *
 * IDLE -- gate --> ROLLING -- quiet --> READING -- steady --> RESTING
 * From RESTING a steady other reading without the gate is a die that somebody moved. */
#include <string.h>

#include "ttp_hal.h"
#include "ttp_link.h"

#define FACES_MAX 12
#define READ_MS 20          /* between two readings while they become steady */
#define WATCH_MS 100        /* between two readings while the dice rest */
#define STEADY 5            /* equal readings in a row */
#define GIVE_UP_MS 3000
#define DEBOUNCE_MS 20
#define BUTTONS 2
#define DARK 24             /* sum of the three colors below which the cup is empty */
#define FAR 2700            /* squared distance above which a color is no known face: 30 in each of the three */
#define UNSURE 48           /* confidence below which two faces are too alike */

const uint8_t app_kind = TTP_KIND_TOWER;
const uint16_t app_caps = TTP_CAPABILITY_GATE | TTP_CAPABILITY_COLOR | TTP_CAPABILITY_BUTTONS;
const uint16_t app_leds = 0;

enum state { IDLE, ROLLING, READING, RESTING };

typedef struct {
    uint8_t face, confidence;
} die_reading;

static enum state state;
static uint8_t sensors;
static uint16_t quiet_ms;
static uint16_t roll;
static bool moved;                  /* the reading under way was not begun by the gate */
static bool has_face[FACES_MAX];
static uint8_t faces[FACES_MAX][3];
static die_reading now_read[TTP_DICE_MAX], rested[TTP_DICE_MAX];
static uint8_t same;                /* equal readings so far */
static uint32_t gate_ms, begun_ms, read_ms;
static struct {
    bool down;
    uint8_t changing;
    uint32_t since_ms;
} buttons[BUTTONS];

static die_reading recognize(const uint16_t raw[3])
{
    die_reading nothing = {0, 0};
    uint32_t best = UINT32_MAX, second = UINT32_MAX;
    uint8_t face = 0;
    uint8_t seen[3] = {(uint8_t)(raw[0] >> 2), (uint8_t)(raw[1] >> 2), (uint8_t)(raw[2] >> 2)};

    if ((uint16_t)seen[0] + seen[1] + seen[2] < DARK)
        return nothing;
    for (uint8_t i = 0; i < FACES_MAX; i++) {
        if (!has_face[i])
            continue;
        uint32_t distance = 0;
        for (uint8_t c = 0; c < 3; c++) {
            int16_t apart = (int16_t)seen[c] - faces[i][c];
            distance += (uint32_t)((int32_t)apart * apart);
        }
        if (distance < best) {
            second = best;
            best = distance;
            face = i + 1;
        } else if (distance < second) {
            second = distance;
        }
    }
    if (face == 0 || best > FAR)
        return nothing;
    uint8_t confidence = second == UINT32_MAX ? 255 : (uint8_t)(255 * (second - best) / (second + best + 1));
    if (confidence < UNSURE)
        return nothing;
    return (die_reading){face, confidence};
}

static void read_dice(die_reading *into)
{
    uint16_t rgb[TTP_DICE_MAX][3];

    hal_colors(sensors, rgb);
    for (uint8_t i = 0; i < sensors; i++)
        into[i] = recognize(rgb[i]);
}

static bool alike(const die_reading *a, const die_reading *b)
{
    for (uint8_t i = 0; i < sensors; i++)
        if (a[i].face != b[i].face)
            return false;
    return true;
}

static uint8_t put_dice(uint8_t *to, const die_reading *dice)
{
    uint8_t *at = to;

    *at++ = sensors;
    for (uint8_t i = 0; i < sensors; i++) {
        *at++ = i;
        *at++ = dice[i].face;
        *at++ = dice[i].confidence;
    }
    return (uint8_t)(at - to);
}

/* Offsets in an event's payload count from `lost`, which the link puts in front. */
#define PAST_LOST(at) ((at) - 2)

static void tell_started(uint32_t now)
{
    uint8_t payload[PAST_LOST(TTP_ROLL_STARTED_LEN)];

    ttp_put_u16(payload + PAST_LOST(TTP_ROLL_STARTED_AT_ROLL), roll);
    ttp_put_u32(payload + PAST_LOST(TTP_ROLL_STARTED_AT_AT_MS), now);
    ttp_event(TTP_ROLL_STARTED, payload, sizeof payload);
}

static void tell_settled(uint32_t now, uint8_t outcome)
{
    uint8_t payload[PAST_LOST(TTP_ROLL_SETTLED_LEN) + 3 * TTP_DICE_MAX];
    uint8_t length;

    ttp_put_u16(payload + PAST_LOST(TTP_ROLL_SETTLED_AT_ROLL), roll);
    ttp_put_u32(payload + PAST_LOST(TTP_ROLL_SETTLED_AT_AT_MS), now);
    payload[PAST_LOST(TTP_ROLL_SETTLED_AT_OUTCOME)] = outcome;
    length = put_dice(payload + PAST_LOST(TTP_ROLL_SETTLED_AT_DICE), now_read);
    ttp_event(TTP_ROLL_SETTLED, payload, PAST_LOST(TTP_ROLL_SETTLED_AT_DICE) + length);
}

static void rest(uint32_t now, uint8_t outcome)
{
    bool news = !moved || !alike(now_read, rested);

    state = RESTING;
    read_ms = now;
    if (news)
        tell_settled(now, moved && outcome != TTP_OUTCOME_TIMEOUT ? TTP_OUTCOME_MOVED : outcome);
    memcpy(rested, now_read, sizeof rested);
}

static void begin_reading(uint32_t now, bool by_hand)
{
    state = READING;
    moved = by_hand;
    same = 0;
    begun_ms = now;
    read_ms = now - READ_MS;
}

static void keep_reading(uint32_t now)
{
    die_reading fresh[TTP_DICE_MAX] = {{0, 0}};
    uint8_t outcome = TTP_OUTCOME_SETTLED;

    if (sensors == 0) { /* nothing to read: quiet is all there is to know */
        rest(now, outcome);
        return;
    }
    if (now - read_ms < READ_MS)
        return;
    read_ms = now;
    read_dice(fresh);
    same = same && alike(fresh, now_read) ? same + 1 : 1;
    memcpy(now_read, fresh, sizeof now_read);
    if (same >= STEADY) {
        for (uint8_t i = 0; i < sensors; i++)
            if (now_read[i].face == 0)
                outcome = TTP_OUTCOME_COCKED;
        rest(now, outcome);
    } else if (now - begun_ms >= GIVE_UP_MS) {
        rest(now, TTP_OUTCOME_TIMEOUT);
    }
}

static void watch(uint32_t now)
{
    die_reading fresh[TTP_DICE_MAX];

    if (sensors == 0 || now - read_ms < WATCH_MS)
        return;
    read_ms = now;
    read_dice(fresh);
    if (!alike(fresh, rested))
        begin_reading(now, true);
}

static void poll_buttons(uint32_t now)
{
    uint8_t pins = hal_buttons();

    for (uint8_t i = 0; i < BUTTONS; i++) {
        bool down = pins >> i & 1;
        if (down == buttons[i].down) {
            buttons[i].changing = 0;
        } else if (!buttons[i].changing) {
            buttons[i].changing = 1;
            buttons[i].since_ms = now;
        } else if (now - buttons[i].since_ms >= DEBOUNCE_MS) {
            uint8_t payload[PAST_LOST(TTP_BUTTON_LEN)] = {i, down};
            buttons[i].down = down;
            buttons[i].changing = 0;
            ttp_event(TTP_BUTTON, payload, sizeof payload);
        }
    }
}

void app_start(void)
{
    state = IDLE;
    sensors = 0;
    quiet_ms = 400;
    roll = 0;
    memset(has_face, 0, sizeof has_face);
    memset(now_read, 0, sizeof now_read);
    memset(rested, 0, sizeof rested);
    memset(buttons, 0, sizeof buttons);
}

void app_tick(uint32_t now)
{
    poll_buttons(now);
    if (hal_gate_edges()) {
        gate_ms = now;
        if (state != ROLLING) {
            roll++;
            tell_started(now);
        }
        state = ROLLING;
    }
    switch (state) {
    case ROLLING:
        if (now - gate_ms >= quiet_ms)
            begin_reading(now, false);
        break;
    case READING:
        keep_reading(now);
        break;
    case RESTING:
        watch(now);
        break;
    default:
        break;
    }
}

void app_idle(uint8_t policy)
{
    (void)policy; /* a tower has no lights */
}

void app_awake(void)
{
}

/* ---- requests ---- */

static uint8_t configure(const uint8_t *p)
{
    if (p[TTP_TOWER_CONFIG_AT_SENSORS] > TTP_DICE_MAX)
        return TTP_STATUS_BAD_RANGE;
    sensors = p[TTP_TOWER_CONFIG_AT_SENSORS];
    quiet_ms = ttp_u16(p + TTP_TOWER_CONFIG_AT_QUIET_MS);
    if (state == READING) /* what was read counts other dice */
        begin_reading(hal_ms(), moved);
    return TTP_STATUS_OK;
}

static uint8_t tell_state(uint8_t *reply, uint8_t *reply_length)
{
    reply[TTP_TOWER_STATE_REPLY_AT_ROLLING] = state == ROLLING || state == READING;
    ttp_put_u16(reply + TTP_TOWER_STATE_REPLY_AT_ROLL, roll);
    *reply_length = TTP_TOWER_STATE_REPLY_AT_DICE + put_dice(reply + TTP_TOWER_STATE_REPLY_AT_DICE, rested);
    return TTP_STATUS_OK;
}

static uint8_t learn(const uint8_t *p)
{
    uint8_t face = p[TTP_TOWER_COLOR_AT_FACE];

    if (face > FACES_MAX)
        return TTP_STATUS_BAD_RANGE;
    if (face == 0) {
        memset(has_face, 0, sizeof has_face);
        return TTP_STATUS_OK;
    }
    has_face[face - 1] = true;
    memcpy(faces[face - 1], p + TTP_TOWER_COLOR_AT_COLOR, 3);
    return TTP_STATUS_OK;
}

static uint8_t measure(const uint8_t *p, uint8_t *reply, uint8_t *reply_length)
{
    uint16_t rgb[TTP_DICE_MAX][3];
    uint8_t die = p[TTP_TOWER_RAW_AT_DIE];

    if (die >= TTP_DICE_MAX)
        return TTP_STATUS_BAD_RANGE;
    hal_colors(die + 1, rgb);
    for (uint8_t c = 0; c < 3; c++)
        ttp_put_u16(reply + 2 * c, rgb[die][c]);
    *reply_length = TTP_TOWER_RAW_REPLY_LEN;
    return TTP_STATUS_OK;
}

uint8_t app_request(uint8_t type, const uint8_t *p, uint8_t length, uint8_t *reply, uint8_t *reply_length)
{
    switch (type) {
    case TTP_TOWER_CONFIG:
        return length < TTP_TOWER_CONFIG_LEN ? TTP_STATUS_BAD_RANGE : configure(p);
    case TTP_TOWER_STATE:
        return tell_state(reply, reply_length);
    case TTP_TOWER_COLOR:
        return length < TTP_TOWER_COLOR_LEN ? TTP_STATUS_BAD_RANGE : learn(p);
    case TTP_TOWER_RAW:
        return length < TTP_TOWER_RAW_LEN ? TTP_STATUS_BAD_RANGE : measure(p, reply, reply_length);
    default:
        return TTP_STATUS_UNKNOWN_TYPE;
    }
}
