"""Mutation of a user's engine: which bugs would their tests let through?"""
