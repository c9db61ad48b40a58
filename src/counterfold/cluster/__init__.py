"""Many machines: work in numbered pieces, and who does them, in this process or through Ray."""
