"""Suite doctor: mutation of a user's engine under their own tests."""
