"""What the static program contains, as an SPDX 2.3 document: spdx.py PROGRAM VERSION SECONDS >smilog.spdx.json

SECONDS (since 1970) is the time of creation in it. spdx.py --packages names the Debian packages whose code is linked.
The versions are those of the installed packages, so it has to run on the machine that linked the program.
spdx.py --check FILE.json checks such a document: the fields that SPDX 2.3 requires, identifiers, references, licences.
"""
import hashlib
import json
import re
import subprocess
import sys
import time

# Debian's package, licence, what it is for. The licence is that of the parts that are linked.
PARTS = [
    ("libcsv-dev", "LGPL-2.1-or-later", "CSV parser"),
    ("libjansson-dev", "MIT", "JSON"),
    ("libyaml-dev", "MIT", "YAML"),
    ("libarchive-dev", "BSD-2-Clause", "tar, zip and more"),
    ("zlib1g-dev", "Zlib", "gzip"),
    ("liblzma-dev", "LicenseRef-public-domain", "xz"),
    ("libzstd-dev", "BSD-3-Clause", "zstd"),
    ("libbz2-dev", "bzip2-1.0.6", "bzip2"),
    ("libsqlite3-dev", "blessing", "SQL"),
    ("nettle-dev", "LGPL-3.0-or-later OR GPL-2.0-or-later", "digests that libarchive uses"),
    ("libmicrohttpd-dev", "LGPL-2.1-or-later", "HTTP server"),
    ("libc6-dev", "LGPL-2.1-or-later", "C library"),
    ("libgcc-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "128-bit arithmetic"),
    ("libjs-dygraphs", "MIT", "charts of the page"),
]
REQUIRED = ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages", "relationships")


def installed(package):
    """Version and home page of an installed package."""
    form = "${Version}\n${Homepage}\n"
    return subprocess.run(["dpkg-query", "-W", "-f", form, package], check=True, capture_output=True, text=True).stdout.split("\n")[:2]


def describe(name, version, licence, **more):
    return {"SPDXID": "SPDXRef-" + name, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def document(program, version, seconds):
    digest = hashlib.sha256(open(program, "rb").read()).hexdigest()
    packages = [describe("smilog", version, "MIT", primaryPackagePurpose="APPLICATION",
                         checksums=[{"algorithm": "SHA256", "checksumValue": digest}])]
    links = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-smilog"}]
    for name, licence, what in PARTS:
        number, home = installed(name)
        packages.append(describe(name, number, licence, supplier="Organization: Debian", summary=what, **({"homepage": home} if home else {})))
        link = "CONTAINS" if name == "libjs-dygraphs" else "STATIC_LINK"
        links.append({"spdxElementId": "SPDXRef-smilog", "relationshipType": link, "relatedSpdxElement": "SPDXRef-" + name})
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "smilog-" + version,
            "documentNamespace": "https://spdx.org/spdxdocs/smilog-%s-%s" % (version, digest),
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds))), "creators": ["Tool: smilog-spdx"]},
            "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-public-domain", "extractedText": "XZ Utils' liblzma is in the public domain."}],
            "packages": packages, "relationships": links}


def faults(doc):
    """What SPDX 2.3 does not allow in doc."""
    found = ["%s is missing" % key for key in REQUIRED if key not in doc]
    ids = [doc.get("SPDXID")] + [p.get("SPDXID") for p in doc["packages"]]
    found += ["identifier %r" % i for i in ids if not re.fullmatch(r"SPDXRef-[a-zA-Z0-9.-]+", str(i))]
    found += ["%s stands twice" % i for i in set(ids) if ids.count(i) > 1]
    extracted = {x["licenseId"] for x in doc.get("hasExtractedLicensingInfos", ())}
    for p in doc["packages"]:
        found += ["%s: no %s" % (p.get("name"), key) for key in ("name", "downloadLocation") if not p.get(key)]
        for word in re.findall(r"LicenseRef-[A-Za-z0-9.-]+", p.get("licenseConcluded", "")):
            found += [] if word in extracted else ["%s: %s has no text" % (p["name"], word)]
        if p.get("supplier") and not re.match(r"(Organization|Person): |NOASSERTION$", p["supplier"]):
            found.append("%s: supplier %r" % (p["name"], p["supplier"]))
    for r in doc["relationships"]:
        found += ["a relationship names %s" % r[k] for k in ("spdxElementId", "relatedSpdxElement") if r[k] not in ids]
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", doc["creationInfo"]["created"]):
        found.append("created %r" % doc["creationInfo"]["created"])
    return found


if sys.argv[1:] == ["--packages"]:
    print("\n".join(name for name, _, _ in PARTS))
elif sys.argv[1:2] == ["--check"]:
    found = faults(json.load(open(sys.argv[2])))
    print("\n".join(found) or "valid")
    sys.exit(bool(found))
else:
    print(json.dumps(document(*sys.argv[1:4]), indent=1))
