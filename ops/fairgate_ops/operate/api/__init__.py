"""Let operators do over HTTP what the command does: its acts, by their roles."""
