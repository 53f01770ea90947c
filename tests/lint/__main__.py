"""Run the lint rules, or only those named: `python -m tests.lint sql test-names`."""

import sys

from tests.lint.rules import RULES
from tests.lint.tree import CHECKOUT


def main(names):
    """Print every breach as path:line: rule: message, and return 1 if there are any."""
    found = [
        f"{path}:{line}: {name}: {message}" for name in names or RULES for path, line, message in RULES[name](CHECKOUT)
    ]
    sys.stdout.write("".join(f"{each}\n" for each in sorted(found)))
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
