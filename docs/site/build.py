#!/usr/bin/env python3
"""Builds the site of the pages, with the reference of the C++ API, the Python package and the verbs.

    docs/site/build.py PROGRAM OUT   PROGRAM is sightline; the site is OUT/html. Needs Doxygen, and
                                     for Python's packages the group `docs` of pyproject.toml and
                                     the package sightline

The sources are copied to OUT/source, which has the folders of the project, so that links hold; files
that pages link to are copied as well. Any warning is an error.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = pathlib.Path(__file__).resolve().parent
LINK = re.compile(r"\[([^]\n]*(?:\n[^]\n]+)*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
HEADERS = ("scene", "caster", "results", "visibility", "cover", "nav", "flat", "files", "ray",
           "points", "column", "shapes", "flat_shapes", "vec", "error")
GENERATED = {"docs/reference/cli/index": "The program", "docs/reference/cpp/index": "C++",
             "docs/reference/python": "Python"}


def title(page):
    return next(line[2:].strip() for line in page.read_text().splitlines() if line.startswith("# "))


def copy_pages(source):
    """Copies every page but the notes; a link to a folder, or to what is no page here, is mended."""
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True,
                           text=True).stdout.split()
    pages = {n for n in names if n in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
                                       "bench/README.md")
             or n.startswith("docs/") and not n.startswith(("docs/notes/", "docs/site/"))}
    for name in pages:
        def mended(link, name=name):
            if re.match(r"[a-z]+:", link[2]):
                return link[0]
            target = os.path.normpath(os.path.join(os.path.dirname(name), link[2]))
            if target in pages:
                return link[0]
            if target == "README.md":
                up = os.path.relpath("docs/index.md", os.path.dirname(name) or ".")
                return f"[{link[1]}]({up})"
            path = ROOT / target
            if not path.is_file() or path.suffix == ".md":
                return link[1]  # a folder, or the notes: nothing of the site
            (source / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, source / target)
            return link[0]

        page = source / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(LINK.sub(mended, (ROOT / name).read_text()))
    return pages


def write_verbs(program, folder):
    """A page for each verb, from its help."""
    def help_of(*words):
        run = subprocess.run([program, "help", *words], check=True, text=True, capture_output=True)
        return (run.stdout or run.stderr).strip()

    whole = help_of()
    listed = whole.split("Verbs:\n")[1]
    verbs = re.findall(r"^  (\w+) ", listed, re.M)
    folder.mkdir(parents=True, exist_ok=True)
    for verb in verbs:
        text = help_of(verb)
        (folder / f"{verb}.md").write_text(f"# sightline {verb}\n\n```text\n{text}\n```\n")
    toctree = "\n".join(verbs)
    (folder / "index.md").write_text(
        f"# The program\n\n```text\n{whole}\n```\n\n```{{toctree}}\n{toctree}\n```\n")
    return verbs


def write_cpp(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for header in HEADERS:
        name = f"<sightline/{header}.hpp>"
        (folder / f"{header}.rst").write_text(
            f"{name}\n{'=' * len(name)}\n\n.. doxygenfile:: {header}.hpp\n")
    toctree = "\n".join(HEADERS)
    (folder / "index.md").write_text(
        "# C++\n\n`#include <sightline/sightline.hpp>` brings all of these headers.\n\n"
        f"```{{toctree}}\n{toctree}\n```\n")


def write_python(page):
    modules = {"sightline": "Python", "sightline.plot": "Pictures",
               "sightline.distributed": "Clusters"}
    text = "".join(f"{name}\n{'=' * len(name)}\n\n.. automodule:: {module}\n   :members:\n"
                   "   :imported-members:\n   :member-order: groupwise\n\n"
                   for module, name in modules.items())
    text += "Imported scenes\n===============\n\nWhat the functions named ``from_`` return.\n\n"
    text += "".join(f".. autoclass:: sightline.adapters.{name}\n   :members:\n"
                    "   :inherited-members:\n\n"
                    for name in ("common.Imported", "mujoco.MujocoWorld", "urdf.UrdfRobot",
                                 "molecules.Molecule", "voxels.VoxelMap"))
    page.write_text(text)


def write_contents(source, pages):
    """The table of contents, hidden behind the landing page."""
    lines = []
    for folder, caption in (("start", "Start"), ("howto", "How to"), ("concepts", "Concepts"),
                            ("reference", "Reference"), ("performance", "Performance"),
                            ("project", "Project")):
        found = sorted((n[:-3] for n in pages if n.startswith(f"docs/{folder}/")),
                       key=lambda n: title(source / f"{n}.md").lower())
        if folder == "reference":
            found += GENERATED
        if folder == "performance":
            found.append("bench/README")
        if folder == "project":
            found += ["CHANGELOG", "CONTRIBUTING", "SECURITY"]
        entries = "\n".join(f"/{n}" for n in found)
        lines.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n")
    with open(source / "docs/index.md", "a") as index:
        index.write("\n" + "\n".join(lines))


def main():
    program, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    source = out / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    settings = (SITE / "Doxyfile").read_text()
    settings += f"INPUT={ROOT}/include/sightline\nOUTPUT_DIRECTORY={source}\nRECURSIVE=NO\n"
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, capture_output=True)
    pages = copy_pages(source)
    write_verbs(program, source / "docs/reference/cli")
    write_cpp(source / "docs/reference/cpp")
    write_python(source / "docs/reference/python.rst")
    write_contents(source, pages)
    shutil.copy(SITE / "conf.py", source)
    subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html",
                    str(source), str(out / "html")], check=True)
    print(f"site: {len(list((out / 'html').rglob('*.html')))} pages in {out / 'html'}")


if __name__ == "__main__":
    main()
