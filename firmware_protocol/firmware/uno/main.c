#include "hal_uno.h"
#include "ttp_link.h"

int main(void)
{
    uno_start();
    ttp_start();
    for (;;) {
        ttp_poll();
        uno_rest();
    }
}
