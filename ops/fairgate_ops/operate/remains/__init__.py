"""What a stage leaves behind when its stacks are destroyed: found, and removed for good."""
