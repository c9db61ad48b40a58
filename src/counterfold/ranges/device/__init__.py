"""The passes of joint tables on a GPU, and their twins for a processor."""
