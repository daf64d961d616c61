"""Results about task configurations: checks, versions, the models that fit, images."""

from dataclasses import dataclass

from dynabench_api import annotation, configurations

ConfigurationCheck = configurations.CheckAnswer
Change = configurations.ChangeAnswer
ConfigurationChange = configurations.RehearsalAnswer
TaskVersion = configurations.VersionSummary
VersionedConfiguration = configurations.VersionAnswer
TaskModel = annotation.ModelAnswer
ImageStart = configurations.StartedImageAnswer
Image = configurations.ImageAnswer


@dataclass(frozen=True)
class ImageContent:
    """The bytes of an image."""

    content: bytes
    media_type: str
