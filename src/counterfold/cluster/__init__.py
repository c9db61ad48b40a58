"""Many machines: work in numbered pieces, and who does them: processes here, or Ray."""
