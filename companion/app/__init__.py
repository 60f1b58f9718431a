"""The program: its commands, and the services that connect the rooms with each other."""
