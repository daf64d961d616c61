"""The language of tasks: the meaning of a configuration, the same for every reader.

Folders of the same name on the path add their modules, so that a field type, rule, metric or policy can live elsewhere.
"""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
