"""The program of the child process, beside the examined file: the standard library, nothing of minigrad.

The examined file may do anything to the process that it is loaded into, so what is here only observes
and reports numbers; every judgement is made by the parent.
"""
