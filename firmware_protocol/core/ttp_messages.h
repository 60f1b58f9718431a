/* The messages of the protocol: ids, offsets of fields in a payload (_AT_), least lengths (_LEN).
 * Generated from messages.toml by `python -m firmware_protocol.generate`; edit that file, not this one. */
#ifndef TTP_MESSAGES_H
#define TTP_MESSAGES_H

#define TTP_MAJOR                                  1
#define TTP_MINOR                                  0

#define TTP_HEADER                                 4
#define TTP_PAYLOAD_MAX                            56
#define TTP_CRC                                    4
#define TTP_BODY_MAX                               64
#define TTP_WIRE_MAX                               67
#define TTP_DICE_MAX                               6
#define TTP_EVENTS_MAX                             8
#define TTP_EVENT_RESEND_MS                        40
#define TTP_SILENCE_MS                             5000

/* The outcome of a request; it travels in the reply's `ack` byte. */
#define TTP_STATUS_OK                              0
#define TTP_STATUS_UNKNOWN_TYPE                    1
#define TTP_STATUS_BAD_RANGE                       2
#define TTP_STATUS_BUSY                            3
#define TTP_STATUS_NOT_SUPPORTED                   4
#define TTP_STATUS_OVER_POWER                      5

/* The kind of a device. */
#define TTP_KIND_TOWER                             1
#define TTP_KIND_BOARD                             2

/* Bits of `caps`: what a device can do. */
#define TTP_CAPABILITY_LEDS                        1
#define TTP_CAPABILITY_GATE                        2
#define TTP_CAPABILITY_COLOR                       4
#define TTP_CAPABILITY_BUTTONS                     8

/* The lights' behavior while the host is silent or has said BYE. */
#define TTP_POLICY_OFF                             0
#define TTP_POLICY_DIM                             1
#define TTP_POLICY_KEEP                            2

/* A short animation that the device runs by itself. */
#define TTP_EFFECT_NONE                            0
#define TTP_EFFECT_FLASH                           1
#define TTP_EFFECT_PULSE                           2

/* How a roll came to rest. */
#define TTP_OUTCOME_SETTLED                        0
#define TTP_OUTCOME_COCKED                         1
#define TTP_OUTCOME_MOVED                          2
#define TTP_OUTCOME_TIMEOUT                        3

/* Who is there? Session 0, without effect; the only frame that may be sent to a port that is not known yet. */
#define TTP_IDENTIFY                               0x01
#define TTP_IDENTIFY_LEN                           0
#define TTP_IDENTIFY_REPLY_AT_MAGIC                0
#define TTP_IDENTIFY_REPLY_AT_MAJOR                3
#define TTP_IDENTIFY_REPLY_AT_MINOR                4
#define TTP_IDENTIFY_REPLY_AT_KIND                 5
#define TTP_IDENTIFY_REPLY_AT_FIRMWARE             6
#define TTP_IDENTIFY_REPLY_AT_CAPS                 9
#define TTP_IDENTIFY_REPLY_AT_MAX_PAYLOAD          11
#define TTP_IDENTIFY_REPLY_AT_LEDS                 12
#define TTP_IDENTIFY_REPLY_AT_UID                  14
#define TTP_IDENTIFY_REPLY_AT_BOOTS                18
#define TTP_IDENTIFY_REPLY_AT_SESSION              20
#define TTP_IDENTIFY_REPLY_LEN                     21

/* Begins a session: the last reply and the waiting events are forgotten. The same nonce again has no effect. */
#define TTP_HELLO                                  0x02
#define TTP_HELLO_AT_NONCE                         0
#define TTP_HELLO_AT_SESSION                       4
#define TTP_HELLO_LEN                              5
#define TTP_HELLO_REPLY_AT_NONCE                   0
#define TTP_HELLO_REPLY_AT_SESSION                 4
#define TTP_HELLO_REPLY_AT_EVENTS_LOST             5
#define TTP_HELLO_REPLY_LEN                        7

/* Send the same bytes back. */
#define TTP_PING                                   0x03
#define TTP_PING_AT_DATA                           0
#define TTP_PING_LEN                               0
#define TTP_PING_REPLY_AT_DATA                     0
#define TTP_PING_REPLY_LEN                         0

/* Counters since power-on; all wrap. */
#define TTP_STATS                                  0x04
#define TTP_STATS_LEN                              0
#define TTP_STATS_REPLY_AT_GOOD                    0
#define TTP_STATS_REPLY_AT_BAD                     2
#define TTP_STATS_REPLY_AT_RING_OVER               4
#define TTP_STATS_REPLY_AT_HARDWARE_OVER           6
#define TTP_STATS_REPLY_AT_REPEATED                8
#define TTP_STATS_REPLY_AT_EVENTS_MADE             10
#define TTP_STATS_REPLY_AT_EVENTS_LOST             12
#define TTP_STATS_REPLY_AT_EXECUTED                14
#define TTP_STATS_REPLY_AT_CHAIN                   16
#define TTP_STATS_REPLY_LEN                        20

/* Only carries `ack`, the number of the last event that the host has taken. No reply, no seq. */
#define TTP_EVENT_ACK                              0x05
#define TTP_EVENT_ACK_LEN                          0

/* The host leaves: apply this policy now and whenever the host is silent. The session stays. */
#define TTP_BYE                                    0x06
#define TTP_BYE_AT_POLICY                          0
#define TTP_BYE_LEN                                1
#define TTP_BYE_REPLY_LEN                          0

/* Set lights one by one in the picture that the next LED_SHOW will show. */
#define TTP_LED_PIXELS                             0x10
#define TTP_LED_PIXELS_AT_OFFSET                   0
#define TTP_LED_PIXELS_AT_COLORS                   2
#define TTP_LED_PIXELS_LEN                         2
#define TTP_LED_PIXELS_REPLY_LEN                   0

/* Give one color to every light whose bit is set; the others stay. */
#define TTP_LED_MASK                               0x11
#define TTP_LED_MASK_AT_COLOR                      0
#define TTP_LED_MASK_AT_OFFSET                     3
#define TTP_LED_MASK_AT_BITS                       5
#define TTP_LED_MASK_LEN                           5
#define TTP_LED_MASK_REPLY_LEN                     0

/* Give one color to a run of lights. */
#define TTP_LED_FILL                               0x12
#define TTP_LED_FILL_AT_COLOR                      0
#define TTP_LED_FILL_AT_OFFSET                     3
#define TTP_LED_FILL_AT_COUNT                      5
#define TTP_LED_FILL_LEN                           7
#define TTP_LED_FILL_REPLY_LEN                     0

/* Show the picture. The reply leaves after the strip has latched it. */
#define TTP_LED_SHOW                               0x13
#define TTP_LED_SHOW_AT_GENERATION                 0
#define TTP_LED_SHOW_AT_BRIGHTNESS                 2
#define TTP_LED_SHOW_LEN                           3
#define TTP_LED_SHOW_REPLY_AT_GENERATION           0
#define TTP_LED_SHOW_REPLY_AT_CURRENT_MA           2
#define TTP_LED_SHOW_REPLY_AT_BRIGHTNESS           4
#define TTP_LED_SHOW_REPLY_LEN                     5

/* The request for the digest of the device's picture. */
#define TTP_LED_DIGEST                             0x14
#define TTP_LED_DIGEST_LEN                         0
#define TTP_LED_DIGEST_REPLY_AT_GENERATION         0
#define TTP_LED_DIGEST_REPLY_AT_DIGEST             2
#define TTP_LED_DIGEST_REPLY_LEN                   6

/* Lay a short animation over the picture; no traffic while it runs, the picture comes back by itself. */
#define TTP_LED_EFFECT                             0x15
#define TTP_LED_EFFECT_AT_EFFECT                   0
#define TTP_LED_EFFECT_AT_COLOR                    1
#define TTP_LED_EFFECT_AT_DURATION_MS              4
#define TTP_LED_EFFECT_AT_OFFSET                   6
#define TTP_LED_EFFECT_AT_BITS                     8
#define TTP_LED_EFFECT_LEN                         8
#define TTP_LED_EFFECT_REPLY_LEN                   0

/* The number of sensors to read, and the time for which the gate must be quiet. */
#define TTP_TOWER_CONFIG                           0x20
#define TTP_TOWER_CONFIG_AT_SENSORS                0
#define TTP_TOWER_CONFIG_AT_QUIET_MS               1
#define TTP_TOWER_CONFIG_LEN                       3
#define TTP_TOWER_CONFIG_REPLY_LEN                 0

/* The dice in the tower now; asked after every HELLO and whenever events were lost. */
#define TTP_TOWER_STATE                            0x21
#define TTP_TOWER_STATE_LEN                        0
#define TTP_TOWER_STATE_REPLY_AT_ROLLING           0
#define TTP_TOWER_STATE_REPLY_AT_ROLL              1
#define TTP_TOWER_STATE_REPLY_AT_DICE              3
#define TTP_TOWER_STATE_REPLY_LEN                  4

/* The look of a face to the sensors. Face 0 forgets all faces. */
#define TTP_TOWER_COLOR                            0x22
#define TTP_TOWER_COLOR_AT_FACE                    0
#define TTP_TOWER_COLOR_AT_COLOR                   1
#define TTP_TOWER_COLOR_LEN                        4
#define TTP_TOWER_COLOR_REPLY_LEN                  0

/* Read one sensor now, for calibration. */
#define TTP_TOWER_RAW                              0x23
#define TTP_TOWER_RAW_AT_DIE                       0
#define TTP_TOWER_RAW_LEN                          1
#define TTP_TOWER_RAW_REPLY_AT_RED                 0
#define TTP_TOWER_RAW_REPLY_AT_GREEN               2
#define TTP_TOWER_RAW_REPLY_AT_BLUE                4
#define TTP_TOWER_RAW_REPLY_LEN                    6

/* The first die fell through the gate. */
#define TTP_ROLL_STARTED                           0x40
#define TTP_ROLL_STARTED_AT_LOST                   0
#define TTP_ROLL_STARTED_AT_ROLL                   2
#define TTP_ROLL_STARTED_AT_AT_MS                  4
#define TTP_ROLL_STARTED_LEN                       8

/* The dice came to rest, or one that had come to rest was moved. */
#define TTP_ROLL_SETTLED                           0x41
#define TTP_ROLL_SETTLED_AT_LOST                   0
#define TTP_ROLL_SETTLED_AT_ROLL                   2
#define TTP_ROLL_SETTLED_AT_AT_MS                  4
#define TTP_ROLL_SETTLED_AT_OUTCOME                8
#define TTP_ROLL_SETTLED_AT_DICE                   9
#define TTP_ROLL_SETTLED_LEN                       10

/* A button went down (edge 1) or up (edge 0). */
#define TTP_BUTTON                                 0x42
#define TTP_BUTTON_AT_LOST                         0
#define TTP_BUTTON_AT_BUTTON                       2
#define TTP_BUTTON_AT_EDGE                         3
#define TTP_BUTTON_LEN                             4

/* Sent once after a reset, in session 0, with the payload of an IDENTIFY reply. Hosts must not rely on it. */
#define TTP_BOOT                                   0x5E
#define TTP_BOOT_AT_DATA                           0
#define TTP_BOOT_LEN                               0

/* A line of text for people. Not numbered; it may be lost. */
#define TTP_LOG                                    0x5F
#define TTP_LOG_AT_TEXT                            0
#define TTP_LOG_LEN                                0

/* The device refused a frame because it is not in that session. The host says HELLO. */
#define TTP_NO_SESSION                             0x7F
#define TTP_NO_SESSION_AT_SESSION                  0
#define TTP_NO_SESSION_AT_SEQ                      1
#define TTP_NO_SESSION_AT_TYPE                     2
#define TTP_NO_SESSION_LEN                         3

#endif
