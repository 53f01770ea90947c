"""`python -m service` is `lurch`."""

from service.cli import main

main()
