/* version.h - the one place that says which version this is. */
#ifndef SMI_BASE_VERSION_H
#define SMI_BASE_VERSION_H

#define SMILOG_VERSION "0.1.0"

#endif
