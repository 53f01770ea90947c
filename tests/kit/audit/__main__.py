"""`python -m tests.kit.audit`: the campaign of the audit."""

from tests.kit.audit.run import main

if __name__ == "__main__":
    main()
