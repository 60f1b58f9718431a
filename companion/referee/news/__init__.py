"""Public events at the tables, for the log, MQTT and other programs."""
