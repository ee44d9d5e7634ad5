#!/usr/bin/python3
"""A Python program that tracks itself with libsmilog: python3 tracker_example.py [libsmilog.so.0]"""
import ctypes
import json
import sys
import time


class Error(ctypes.Structure):
    _fields_ = [('code', ctypes.c_int), ('text', ctypes.c_char * 480)]


smilog = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else 'libsmilog.so.0')
smilog.smilog_tracker_new.restype = ctypes.c_void_p
smilog.smilog_tracker_summary.restype = ctypes.c_char_p
err = Error()
tracker = ctypes.c_void_p(smilog.smilog_tracker_new(ctypes.byref(err)))
if not tracker or smilog.smilog_tracker_set(tracker, b'interval', b'0.2', ctypes.byref(err)) or \
        smilog.smilog_tracker_start(tracker, ctypes.byref(err)):
    sys.exit(err.text.decode())
ballast = bytearray(100 << 20)
time.sleep(1)
if smilog.smilog_tracker_stop(tracker, ctypes.byref(err)):
    sys.exit(err.text.decode())
usage = json.loads(smilog.smilog_tracker_summary(tracker, b'gpu-tracker-json', ctypes.byref(err)))
print('at most', usage['max_ram']['main']['total_rss'], usage['max_ram']['unit'])
smilog.smilog_tracker_free(tracker)
