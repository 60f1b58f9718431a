"""The outside programs that get news of the tables: an MQTT broker with a smart home, addresses on the web."""
