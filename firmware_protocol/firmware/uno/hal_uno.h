/* Start the Uno's hardware, and rest until something happens. */
#ifndef HAL_UNO_H
#define HAL_UNO_H

void uno_start(void);
void uno_rest(void); /* sleeps until an interrupt: a byte, a die in the gate, the next millisecond */

#endif
