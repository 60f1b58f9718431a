"""The services for outside programs that receive news of the tables: an MQTT broker with a smart home, and hooks."""
