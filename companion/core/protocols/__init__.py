"""The protocols that eyes, cameras, devices, calibrators and readers of photographs implement."""
