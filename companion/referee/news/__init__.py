"""Events at the tables, as far as they are public, for the log, MQTT and other programs."""
