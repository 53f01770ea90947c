"""From a commit to the screens: notices, the feed of each club, who follows it."""
