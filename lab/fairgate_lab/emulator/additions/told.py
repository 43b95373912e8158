"""What the launcher tells the additions, by environment variables."""

PUBLIC_URL = "FAIRGATE_EMULATOR_PUBLIC_URL"  # stands for the distribution's address
CACHE = "FAIRGATE_EMULATOR_CACHE"  # host:port of the cache's TLS
INTERPRETER = "FAIRGATE_EMULATOR_INTERPRETER"  # on the path of each function's process
DECISIONS = "FAIRGATE_EMULATOR_DECISIONS"  # the file of what functions asked IAM
