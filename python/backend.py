"""Makes the wheel of the package, with the core inside: `./build.sh wheel` calls it, and pip by pyproject.toml.

It needs Python 3.11 alone, and the same sources give the same bytes.
"""

import base64
import hashlib
import pathlib
import re
import sys
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
HOST = ROOT / "dist/host"


def files_of(project: dict) -> dict:
    """The files of the wheel by their names, in order."""
    core = HOST / "tensorsketch.host.wasm"
    if not core.exists():
        raise SystemExit("backend.py: there is no dist/host/tensorsketch.host.wasm: run ./build.sh host before")
    version = re.search(r'version = "([^"]+)"', (ROOT / "public/api/module.js").read_text())[1]
    about = f"tensorsketch_wasm-{version}.dist-info"
    metadata = (f"Metadata-Version: 2.4\nName: {project['name']}\nVersion: {version}\n"
                f"Summary: {project['description']}\nRequires-Python: {project['requires-python']}\n"
                f"License-Expression: {project['license']}\nLicense-File: LICENSE\n"
                "License-File: third-party-licenses.txt\n"
                + "".join(f"Requires-Dist: {of}\n" for of in project["dependencies"])
                + "Description-Content-Type: text/markdown\n\n" + (HERE / project["readme"]).read_text())
    files = {f"tensorsketch/{file.name}": file.read_bytes() for file in sorted((HERE / "tensorsketch").glob("*.py"))}
    files["tensorsketch/py.typed"] = b""
    files["tensorsketch/tensorsketch.host.wasm"] = core.read_bytes()
    table = ROOT / "bin/host/tensorsketch.table.wasm"
    if table.exists():  # not after `./build.sh wheel core`
        files["tensorsketch/tensorsketch.table.wasm"] = table.read_bytes()
    files[f"{about}/METADATA"] = metadata.encode()
    files[f"{about}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: backend.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{about}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{about}/licenses/third-party-licenses.txt"] = (HOST / "third-party-licenses.txt").read_bytes()
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    return files


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def build_wheel(folder, config_settings=None, metadata_directory=None) -> str:
    """Writes the wheel into a folder and returns its name (PEP 517)."""
    files = files_of(tomllib.loads((HERE / "pyproject.toml").read_text())["project"])
    name = next(iter(name for name in files if name.endswith("/WHEEL"))).split(".dist-info")[0] + "-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for file, content in files.items():
            entry = zipfile.ZipInfo(file)  # of 1980, in each build
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return name


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
