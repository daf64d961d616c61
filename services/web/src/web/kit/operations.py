"""Operations view: names of services, and the state of served models, in words."""

from dataclasses import replace

from dynabench_client.results.models import Model

from web.kit.language import N_, _
from web.kit.words import Word

READY = Word(N_("Ready"), "●", "open")
MODEL_STATES = {
    "ready": READY,
    "stopped": Word(N_("Starts when it is asked"), "○", "draft"),
    "starting": Word(N_("Starting"), "‖", "paused"),
    "failed": Word(N_("Failed"), "‖", "paused"),
}
SERVICES = {
    "accounts": N_("accounts"),
    "annotation": N_("annotation"),
    "validation": N_("validation"),
    "leaderboard": N_("leaderboard"),
    "scoring": N_("scoring"),
    "registry": N_("registry"),
    "crowd": N_("paid work"),
    "gateway": N_("gateway"),
}


def service_name(service: str) -> str:
    """Return a service as people read it."""
    return _(SERVICES[service]) if service in SERVICES else service


def model_state(model: Model) -> Word:
    """Return how a served model does."""
    found = READY if model.ready else MODEL_STATES.get(model.state)
    if found is not None:
        return replace(found, text=_(found.text))
    return Word(model.state.replace("_", " ").capitalize() or _("Unknown"), "‖", "paused")
