"""Shared code of the pages. It does not depend on any page package."""

from pkgutil import extend_path

# Folders on the path may add to this package, as docs/extend/task-language.md says.
__path__ = extend_path(__path__, __name__)
