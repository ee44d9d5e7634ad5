#!/usr/bin/python3
"""A Python program that tracks itself with libsmilog: python3 tracker_example.py [libsmilog.so.0]"""
import ctypes
import json
import sys
import time


class Opts(ctypes.Structure):
    _fields_ = [('pid', ctypes.c_int), ('interval_ms', ctypes.c_int), ('cores', ctypes.c_int),
                ('no_gpus', ctypes.c_int)] + [(name, ctypes.c_char_p) for name in (
                    'dir', 'gpus', 'ram_unit', 'gpu_ram_unit', 'time_unit', 'file')]


class Err(ctypes.Structure):
    _fields_ = [('code', ctypes.c_int), ('text', ctypes.c_char * 480)]


smilog = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else 'libsmilog.so.0')
smilog.smi_tracker_new.restype = ctypes.c_void_p
smilog.smi_tracker_summary.restype = ctypes.c_char_p
err = Err()
tracker = ctypes.c_void_p(smilog.smi_tracker_new(ctypes.byref(Opts(interval_ms=200)), ctypes.byref(err)))
if not tracker or smilog.smi_tracker_start(tracker, ctypes.byref(err)):
    sys.exit(err.text.decode())
ballast = bytearray(100 << 20)
time.sleep(1)
if smilog.smi_tracker_stop(tracker, ctypes.byref(err)):
    sys.exit(err.text.decode())
usage = json.loads(smilog.smi_tracker_summary(tracker, 1, ctypes.byref(err)))
print('at most', usage['max_ram']['main']['total_rss'], usage['max_ram']['unit'])
smilog.smi_tracker_free(tracker)
