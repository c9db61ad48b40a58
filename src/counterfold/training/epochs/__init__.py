"""Training in epochs whose walks are shared out, among threads or the workers of a cluster."""
