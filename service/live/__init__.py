"""From a commit to the screens: LISTEN, wake, and let each reader read again."""
