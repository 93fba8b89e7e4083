"""Speed and memory beside other programs, measured in the same run."""
