"""Wrong when any of the named outputs differs from what the person claims."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.domain.configuration.section import Section, unknown
from annotation.domain.wrong_when import WRONG_RULES


@dataclass(frozen=True)
class ExactMatch:
    """Every one of `fields` must be equal."""

    fields: tuple[str, ...]

    def is_wrong(self, claimed: Mapping[str, str], answered: Mapping[str, str]) -> bool:
        """Tell whether any named output differs."""
        return any(claimed[field] != answered.get(field) for field in self.fields)

    def document(self) -> Mapping[str, object]:
        """Return the rule's configuration."""
        return {"exact_match": {"fields": list(self.fields)}}


@WRONG_RULES.register("exact_match")
class ExactMatchType:
    """Reads `exact_match` rules."""

    @staticmethod
    def read(section: Section, claimed: tuple[str, ...]) -> ExactMatch:
        """Return the rule. Raises ConfigurationError for a field that nobody claims."""
        fields = section.texts("fields", 40, 20)
        for position, field in enumerate(fields):
            if field not in claimed:
                path = f"{section.at('fields')}[{position}]"
                raise unknown(field, claimed, path, f"is {field!r}, which does not stand in input and output")
        return ExactMatch(fields)
