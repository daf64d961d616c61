"""The pages that people see. It has no database: all it shows and changes goes through the public interface."""

from pkgutil import extend_path

# Folders on the path may add to this package, as CONTRIBUTING says.
__path__ = extend_path(__path__, __name__)
