"""Programs outside that are told of the tables: an MQTT broker with a smart home behind it, addresses on the web."""
