"""What pyproject.toml has no words for. Two things change on the way into a package.

The sample data, which lie at the top of the repository, go into it, for `lstm_edu.sample`; and the
README's links to files beside it, which a package index has not, lead to the repository instead.
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
    """The README with its links and its picture at this version of the repository.

    The address is `Repository` under [project.urls]; while there is none, their text stays alone.
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
