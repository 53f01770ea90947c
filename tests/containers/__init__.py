"""The image and the compose file, with a real engine: `make test-containers`."""
