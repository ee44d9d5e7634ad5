"""make.py KIND FILE < names: an archive with what the lines say: "NAME FROM" a member with the content of the file FROM,
"NAME -> TARGET" a symbolic link. KIND: zip, tar (also by the ending of FILE: .gz, .xz, .bz2)."""
import sys
import tarfile
import zipfile

kind, out = sys.argv[1:]
ending = out.rpartition(".")[2]
archive = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) if kind == "zip" else tarfile.open(
    out, "w:" + (ending if ending in ("gz", "xz", "bz2") else ""), format=tarfile.PAX_FORMAT)
with archive:
    for line in sys.stdin:
        name, _, source = line.rstrip("\n").partition(" ")
        if source.startswith("-> "):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, source[3:]
            archive.addfile(info)
        elif kind == "zip":
            archive.writestr(name, open(source, "rb").read())
        else:
            info = archive.gettarinfo(source)
            info.name = name
            with open(source, "rb") as f:
                archive.addfile(info, f)
