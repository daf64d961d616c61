"""Names of the answer metrics on pages."""

from web.kit.language import N_

METRICS = {
    "accuracy": N_("Right answers"),
    "macro_f1": N_("F1, averaged over the labels"),
    "exact_match": N_("Exact answers"),
    "squad_f1": N_("F1 of the words in the answers"),
    "text_f1": N_("F1 of the answers, in the task's languages"),
}
