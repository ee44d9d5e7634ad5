"""wrappings.py N < LOGS: is each log, a line "FORMAT FILE", the same in N drawn wrappings as it is alone? It is compressed,
in an archive, as Windows writes it, on standard input, through a pipe. FILE is seen from tests/."""
import bz2
import codecs
import gzip
import io
import lzma
import random
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from same import summary  # noqa: E402

TESTS = Path(__file__).resolve().parents[2]


def archive(kind):
    def pack(data):
        out = io.BytesIO()
        if kind == "zip":
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
                z.writestr("log", data)
        else:
            with tarfile.open(fileobj=out, mode=kind) as tar:
                member = tarfile.TarInfo("log")
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
        return out.getvalue()
    return pack


def encoding(mark, name, line_end=b""):
    def encode(data):
        return mark + (re.sub(rb"\r*\n", line_end + b"\n", data) if line_end else data).decode().encode(name)
    return encode


WRAPPINGS = {
    "log": bytes,
    "log.gz": gzip.compress, "log.xz": lzma.compress, "log.bz2": bz2.compress,
    "log.zst": lambda data: subprocess.run(["zstd", "-qc"], input=data, stdout=subprocess.PIPE, check=True).stdout,
    "tar": archive("w"), "tar.gz": archive("w:gz"), "zip": archive("zip"),
    "little": encoding(codecs.BOM_UTF16_LE, "utf-16-le"), "big": encoding(codecs.BOM_UTF16_BE, "utf-16-be"),
    "windows": encoding(codecs.BOM_UTF16_LE, "utf-16-le", b"\r"),
    "crlf": encoding(b"", "utf-8", b"\r"), "bom": encoding(codecs.BOM_UTF8, "utf-8"),
}
WAYS = [name for name in WRAPPINGS if name != "log"] + ["<log", "<log.gz", "<windows"] + [
    "|log", "|log.gz", "|log.zst", "|log.xz", "|log.bz2", "|little", "|big", "|crlf"]
for form, path in map(str.split, sys.stdin):
    # a run whose name has no parameters: a run in an archive has none
    plain = (TESTS / path).read_bytes().replace(b"lr=0.1/seed=4,", b"run4,")
    ways = random.sample(WAYS, min(int(sys.argv[1]), len(WAYS)))
    for name in {"log"} | {way.lstrip("<|") for way in ways}:
        Path(name).write_bytes(WRAPPINGS[name](plain))
    want = summary("log", True)
    others = {way: got for way in ways if (got := summary(way, True)) != want}
    read = want[0]["inputs"][0]
    print(f'"{read["format"]}" {read["rows"]}', "in some wrappings another" if others else "rows, in all wrappings the same")
    for way, got in others.items():
        print(way, got)
