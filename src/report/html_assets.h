/* html_assets.h - the files that stand in every page of a report, and in the live page, as
 * scripts/build/embed.sh makes them of web/ and of Debian's dygraphs. */
#ifndef SMI_REPORT_HTML_ASSETS_H
#define SMI_REPORT_HTML_ASSETS_H

#include <stddef.h>

extern const unsigned char smi_asset_style[], smi_asset_charts[], smi_asset_script[], smi_asset_licence[],
    smi_asset_live_style[], smi_asset_live_script[];
extern const size_t smi_asset_style_n, smi_asset_charts_n, smi_asset_script_n, smi_asset_licence_n,
    smi_asset_live_style_n, smi_asset_live_script_n;
/* The SHA-256 of each in base64, for the content-security policy. */
extern const char smi_asset_style_hash[], smi_asset_charts_hash[], smi_asset_script_hash[],
    smi_asset_live_style_hash[], smi_asset_live_script_hash[];

#endif
