"""What an exported bot runs: its data, its look-up of hands in plain NumPy, its start."""
