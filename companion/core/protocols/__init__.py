"""The protocols that eyes, cameras, devices, calibrators and recordings implement."""
