#include "ttp_link.h"

#include <string.h>

#include "ttp_hal.h"

#define FIRMWARE_VERSION {1, 0, 0}
#define REPLY 0x80
#define EVENT_DATA_MAX (TTP_ROLL_SETTLED_LEN - 2 + 3 * TTP_DICE_MAX)

typedef struct {
    uint8_t type, length;
    uint8_t data[EVENT_DATA_MAX]; /* without `lost` */
} waiting_event;

static struct {
    ttp_decoder decoder;
    uint32_t nonce;
    uint32_t heard_ms;        /* when the last frame of the session came */
    uint32_t chain;
    uint8_t session;          /* 0: none since the reset */
    uint8_t policy;
    bool idle;
    bool answered;            /* `reply` holds the answer to a request of this session */
    uint8_t reply[TTP_HEADER + TTP_PAYLOAD_MAX];
    uint8_t reply_length;
    waiting_event events[TTP_EVENTS_MAX];
    uint8_t first, count;     /* the queue */
    uint8_t event_seq;        /* number of the first waiting event */
    bool event_sent;
    uint32_t event_sent_ms;
    uint16_t repeated, made, lost, executed;
    uint16_t lost_before;     /* of `lost`, what was lost when the session began */
} link;

uint16_t ttp_u16(const uint8_t *from)
{
    return (uint16_t)(from[0] | (uint16_t)from[1] << 8);
}

void ttp_put_u16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

void ttp_put_u32(uint8_t *to, uint32_t value)
{
    ttp_put_u16(to, (uint16_t)value);
    ttp_put_u16(to + 2, (uint16_t)(value >> 16));
}

static bool transmit(const uint8_t *body, uint8_t length)
{
    uint8_t wire[TTP_WIRE_MAX];
    return hal_write(wire, ttp_encode(body, length, wire));
}

static void transmit_identity(uint8_t type, uint8_t seq)
{
    static const uint8_t version[3] = FIRMWARE_VERSION;
    uint8_t body[TTP_HEADER + TTP_IDENTIFY_REPLY_LEN] = {type, 0, seq, TTP_STATUS_OK};
    uint8_t *p = body + TTP_HEADER;

    memcpy(p + TTP_IDENTIFY_REPLY_AT_MAGIC, "TTP", 3);
    p[TTP_IDENTIFY_REPLY_AT_MAJOR] = TTP_MAJOR;
    p[TTP_IDENTIFY_REPLY_AT_MINOR] = TTP_MINOR;
    p[TTP_IDENTIFY_REPLY_AT_KIND] = app_kind;
    memcpy(p + TTP_IDENTIFY_REPLY_AT_FIRMWARE, version, 3);
    ttp_put_u16(p + TTP_IDENTIFY_REPLY_AT_CAPS, app_caps);
    p[TTP_IDENTIFY_REPLY_AT_MAX_PAYLOAD] = TTP_PAYLOAD_MAX;
    ttp_put_u16(p + TTP_IDENTIFY_REPLY_AT_LEDS, app_leds);
    ttp_put_u32(p + TTP_IDENTIFY_REPLY_AT_UID, hal_uid());
    ttp_put_u16(p + TTP_IDENTIFY_REPLY_AT_BOOTS, hal_boots());
    p[TTP_IDENTIFY_REPLY_AT_SESSION] = link.session;
    transmit(body, sizeof body);
}

static void transmit_no_session(uint8_t type, uint8_t session, uint8_t seq)
{
    uint8_t body[TTP_HEADER + TTP_NO_SESSION_LEN] = {TTP_NO_SESSION, link.session, 0, 0};

    body[TTP_HEADER + TTP_NO_SESSION_AT_SESSION] = session;
    body[TTP_HEADER + TTP_NO_SESSION_AT_SEQ] = seq;
    body[TTP_HEADER + TTP_NO_SESSION_AT_TYPE] = type;
    transmit(body, sizeof body);
}

/* ---- events ---- */

void ttp_event(uint8_t type, const uint8_t *payload, uint8_t length)
{
    link.made++;
    /* A full queue takes no number: the host would wait for it, and 256 of them would go unnoticed. */
    if (link.session == 0 || link.count == TTP_EVENTS_MAX || length > EVENT_DATA_MAX) {
        link.lost++;
        return;
    }
    waiting_event *event = &link.events[(link.first + link.count++) % TTP_EVENTS_MAX];
    event->type = type;
    event->length = length;
    memcpy(event->data, payload, length);
}

/* The host has taken every event up to `ack`; only the first can be on its way. */
static void acknowledge(uint8_t ack)
{
    if (link.count && link.event_sent && ack == link.event_seq) {
        link.first = (link.first + 1) % TTP_EVENTS_MAX;
        link.count--;
        link.event_seq++;
        link.event_sent = false;
    }
}

static void transmit_event(uint32_t now)
{
    if (link.count == 0 || (link.event_sent && now - link.event_sent_ms < TTP_EVENT_RESEND_MS))
        return;
    const waiting_event *event = &link.events[link.first];
    uint8_t body[TTP_HEADER + 2 + EVENT_DATA_MAX] = {event->type, link.session, link.event_seq, 0};
    ttp_put_u16(body + TTP_HEADER, link.lost);
    memcpy(body + TTP_HEADER + 2, event->data, event->length);
    if (transmit(body, TTP_HEADER + 2 + event->length)) {
        link.event_sent = true;
        link.event_sent_ms = now;
    }
}

/* ---- requests ---- */

static void begin_session(uint32_t nonce, uint8_t session)
{
    link.nonce = nonce;
    link.session = session;
    link.answered = false;
    link.executed = 0;
    link.chain = 0;
    link.lost += link.count;
    link.lost_before = link.lost;
    link.count = 0;
    link.event_seq = 1;
    link.event_sent = false;
}

static void hello(const uint8_t *payload, uint8_t length, uint8_t seq)
{
    uint8_t body[TTP_HEADER + TTP_HELLO_REPLY_LEN] = {TTP_HELLO | REPLY, 0, seq, TTP_STATUS_BAD_RANGE};
    uint8_t size = TTP_HEADER;

    if (length >= TTP_HELLO_LEN && payload[TTP_HELLO_AT_SESSION]) {
        uint32_t nonce = ttp_u16(payload) | (uint32_t)ttp_u16(payload + 2) << 16;
        uint8_t session = payload[TTP_HELLO_AT_SESSION];
        /* The host repeats HELLO until it hears the answer: the copies must not clear what came in between. */
        if (link.nonce != nonce || link.session != session)
            begin_session(nonce, session);
        body[3] = TTP_STATUS_OK;
        memcpy(body + TTP_HEADER, payload, TTP_HELLO_LEN);
        ttp_put_u16(body + TTP_HEADER + TTP_HELLO_REPLY_AT_EVENTS_LOST, link.lost_before);
        size = sizeof body;
    }
    body[1] = link.session;
    transmit(body, size);
}

static uint8_t stats(uint8_t *reply)
{
    ttp_put_u16(reply + TTP_STATS_REPLY_AT_GOOD, link.decoder.good);
    ttp_put_u16(reply + TTP_STATS_REPLY_AT_BAD, link.decoder.bad);
    ttp_put_u16(reply + TTP_STATS_REPLY_AT_RING_OVER, hal_ring_over());
    ttp_put_u16(reply + TTP_STATS_REPLY_AT_HARDWARE_OVER, hal_hardware_over());
    ttp_put_u16(reply + TTP_STATS_REPLY_AT_REPEATED, link.repeated);
    ttp_put_u16(reply + TTP_STATS_REPLY_AT_EVENTS_MADE, link.made);
    ttp_put_u16(reply + TTP_STATS_REPLY_AT_EVENTS_LOST, link.lost);
    ttp_put_u16(reply + TTP_STATS_REPLY_AT_EXECUTED, link.executed);
    ttp_put_u32(reply + TTP_STATS_REPLY_AT_CHAIN, link.chain);
    return TTP_STATS_REPLY_LEN;
}

static uint8_t request(uint8_t type, const uint8_t *payload, uint8_t length, uint8_t *reply, uint8_t *reply_length)
{
    switch (type) {
    case TTP_PING:
        memcpy(reply, payload, length);
        *reply_length = length;
        return TTP_STATUS_OK;
    case TTP_STATS:
        *reply_length = stats(reply);
        return TTP_STATUS_OK;
    case TTP_BYE:
        if (length < TTP_BYE_LEN || payload[0] > TTP_POLICY_KEEP)
            return TTP_STATUS_BAD_RANGE;
        link.policy = payload[0];
        link.idle = true;
        app_idle(link.policy);
        return TTP_STATUS_OK;
    default:
        return app_request(type, payload, length, reply, reply_length);
    }
}

static void count_into_chain(const uint8_t *bytes, uint8_t length)
{
    while (length--)
        link.chain = (link.chain << 5) - link.chain + *bytes++;
}

static void execute(const uint8_t *body, uint8_t length)
{
    uint8_t reply_length = 0;

    link.executed++;
    count_into_chain(body, 1);
    count_into_chain(body + 2, 1);
    count_into_chain(body + TTP_HEADER, length - TTP_HEADER);
    link.reply[0] = body[0] | REPLY;
    link.reply[1] = link.session;
    link.reply[2] = body[2];
    link.reply[3] = request(body[0], body + TTP_HEADER, length - TTP_HEADER, link.reply + TTP_HEADER, &reply_length);
    link.reply_length = TTP_HEADER + reply_length;
    link.answered = true;
}

static void receive(const uint8_t *body, uint8_t length)
{
    uint8_t type = body[0], session = body[1], seq = body[2], ack = body[3];

    if (type & REPLY || type >= 0x40)
        return; /* our own words, come back over a looped line */
    if (type == TTP_IDENTIFY) {
        transmit_identity(TTP_IDENTIFY | REPLY, seq);
        return;
    }
    if (type == TTP_HELLO) {
        hello(body + TTP_HEADER, length - TTP_HEADER, seq);
    } else if (link.session == 0 || session != link.session) {
        transmit_no_session(type, session, seq);
        return;
    }
    link.heard_ms = hal_ms();
    if (link.idle && type != TTP_BYE) {
        link.idle = false;
        app_awake();
    }
    if (type == TTP_HELLO)
        return;
    acknowledge(ack);
    if (type == TTP_EVENT_ACK)
        return;
    if (link.answered && seq == link.reply[2])
        link.repeated++;
    else
        execute(body, length);
    transmit(link.reply, link.reply_length);
}

void ttp_start(void)
{
    memset(&link, 0, sizeof link);
    link.policy = TTP_POLICY_DIM;
    app_start();
    transmit_identity(TTP_BOOT, 0);
}

void ttp_poll(void)
{
    uint8_t byte;

    while (hal_read(&byte)) {
        uint8_t length = ttp_push(&link.decoder, byte);
        if (length)
            receive(link.decoder.body, length);
    }
    uint32_t now = hal_ms();
    app_tick(now);
    transmit_event(now);
    if (link.session && !link.idle && now - link.heard_ms >= TTP_SILENCE_MS) {
        link.idle = true;
        app_idle(link.policy);
    }
}
