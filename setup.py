"""The parts of the package's metadata that pyproject.toml can't express.

The package contains the sample data, which are at the top of the repository, for `lstm_edu.sample`.
The README's relative links lead to the repository, because a package index lacks the other files.
"""

import pathlib
import re
import tomllib

from setuptools import find_packages, setup

SAMPLE = {
    "lstm_edu.data_samples": "data_samples",
    "lstm_edu.data_samples.questions": "data_samples/questions",
}
ROOT = pathlib.Path(__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!\w+:|#)([^)\s]+)\)")


def for_an_index(readme):
    """Return the README with its relative links made absolute, for this version.

    The address is `Repository` in [project.urls]. Without it, each link is replaced by its text.
    """
    address = PROJECT["urls"].get("Repository")

    def link(found):
        picture, text, target = found.groups()
        if not address:
            return text
        kind = "raw" if picture else "blob"
        return f"{picture}[{text}]({address}/{kind}/v{PROJECT['version']}/{target})"

    return LINK.sub(link, readme)


setup(
    packages=[
        *find_packages(include=["lstm_edu*", "lstm_tools*", "lstm_course*"]),
        "lstm_course.sample.words",
        "lstm_course.explorers.js",
        *SAMPLE,
    ],
    package_dir=SAMPLE,
    long_description=for_an_index((ROOT / "README.md").read_text(encoding="utf-8")),
    long_description_content_type="text/markdown",
)
