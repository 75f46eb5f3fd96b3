"""What the scripts of the cases share: running galerna and writing tables into docs/validation.md. Needs nothing but Python 3."""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def options(description, **defaults):
    """Command line --galerna, --device, --page and one option for each of `defaults`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default=str(ROOT / "build" / "galerna"), help="the program")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument("--page", default=str(ROOT / "docs" / "validation.md"), help="page that the table is written into")
    for name, value in defaults.items():
        parser.add_argument("--" + name, default=value, type=type(value))
    return parser.parse_args()


def run(chosen, case, **settings):
    """Runs cases/CASE/case.toml with settings such as mesh__refine=2 replaced (mesh.refine) and returns its report.json; the key
    "folder" of the report holds the text of every CSV file by name."""
    with tempfile.TemporaryDirectory() as folder:
        command = [chosen.galerna, "run", str(ROOT / "cases" / case / "case.toml"), "--quiet", "--device", chosen.device,
                   "--output", folder, "--set", "output.solution=false"]
        for key, value in settings.items():
            command += ["--set", f"{key.replace('__', '.')}={value}"]
        subprocess.run(command, check=True)
        report = json.loads((pathlib.Path(folder) / "report.json").read_text())
        report["csv"] = {file.name: file.read_text() for file in pathlib.Path(folder).glob("*.csv")}
        return report


def replace_table(chosen, name, lines):
    """Puts `lines` between the marks of `name` on the page."""
    page = pathlib.Path(chosen.page)
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    head, rest = page.read_text().split(begin)
    page.write_text(head + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end)[1])
