"""Web pages for people. They have no database and use only the public interface of the other services."""

from pkgutil import extend_path

# Folders on the path may add to this package, as docs/extend/text.md says.
__path__ = extend_path(__path__, __name__)
