"""Not UTF-8: ÿþ."""

X = 1
