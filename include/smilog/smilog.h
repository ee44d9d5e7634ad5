/* smilog.h - libsmilog: summarizes logs of GPU runs.  cc app.c $(pkg-config --cflags --libs smilog) */
#ifndef SMILOG_H
#define SMILOG_H

#include "base.h"
#include "options.h"
#include "sweep.h"
#include "query.h"
#include "output.h"
#include "runlog.h"
#include "tracker.h"

#endif
