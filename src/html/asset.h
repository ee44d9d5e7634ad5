/* asset.h - the files that stand in every page, as scripts/embed.sh makes them of web/ and of Debian's dygraphs. */
#ifndef SMI_HTML_ASSET_H
#define SMI_HTML_ASSET_H

#include <stddef.h>

extern const unsigned char smi_asset_style[], smi_asset_charts[], smi_asset_script[], smi_asset_licence[];
extern const size_t smi_asset_style_n, smi_asset_charts_n, smi_asset_script_n, smi_asset_licence_n;

#endif
