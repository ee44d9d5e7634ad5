/* version.h - the one place that says which version this is. */
#pragma once

#define SMILOG_VERSION "0.2.0"
#define SMILOG_DATE "2026-11-25" /* of the version: in man pages, the same however often they are made */
#define SMILOG_PURPOSE "read the GPU logs of runs and report what the runs used and wasted"
