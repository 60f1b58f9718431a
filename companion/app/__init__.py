"""The program: its commands, and the services that wire the rooms together."""
