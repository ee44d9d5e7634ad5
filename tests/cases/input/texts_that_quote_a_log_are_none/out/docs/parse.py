"""Reads dmon:

# gpu    pwr  gtemp  mtemp     sm    mem
# Idx      W      C      C      %      %
    0     62     40      -     50     10
"""
import sys

for line in sys.stdin:
    if not line.startswith("#"):
        print(line.split())
