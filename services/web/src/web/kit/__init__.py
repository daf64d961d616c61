"""What the pages of several rooms share. It knows no room."""

from pkgutil import extend_path

# Folders on the path may add to this package, as CONTRIBUTING says.
__path__ = extend_path(__path__, __name__)
