"""Published collections, read into the records that an import takes.

A format is one module of this package: a class that `register` names. Nothing else knows of it.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
