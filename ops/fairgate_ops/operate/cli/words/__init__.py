"""What can be typed, group by group. Nothing here imports what a command needs to run."""
