"""Onboarding before work in a task: annotation keeps that of writing, validation that of checking."""

from dynabench_client.connection import Area, segment
from dynabench_client.results.annotation import Onboarding, QuestionsFigures, Trainee
from dynabench_client.results.base import Page


class OnboardingClient(Area):
    """The part that the clients of annotation and validation share."""

    def onboarding(self, slug: str) -> Onboarding:
        """Return what you have to confirm and answer before this work in a task, and how far you are."""
        return self._get(f"/tasks/{segment(slug)}/onboarding", Onboarding)

    def confirm_guidelines(self, slug: str, guidelines_version: int, consent_version: int = 0) -> Onboarding:
        """Confirm that you read the guidelines and agree to the consent text, in these versions."""
        body = {"guidelines_version": guidelines_version, "consent_version": consent_version}
        return self._post(f"/tasks/{segment(slug)}/onboarding/confirmation", body, Onboarding)

    def start_quiz(self, slug: str) -> Onboarding:
        """Begin an attempt at the quiz, or continue the open one."""
        return self._post(f"/tasks/{segment(slug)}/onboarding/attempts", {}, Onboarding)

    def answer_question(self, slug: str, attempt_id: str, number: int, option: str) -> Onboarding:
        """Answer a question of an attempt once; questions count from 1. The result has the right answer."""
        path = f"/tasks/{segment(slug)}/onboarding/attempts/{segment(attempt_id)}/answers"
        return self._post(path, {"number": number, "option": option}, Onboarding)

    def quiz_figures(self, slug: str) -> QuestionsFigures:
        """Return how many people failed each question, for owners of the task."""
        return self._get(f"/tasks/{segment(slug)}/onboarding/questions", QuestionsFigures)

    def trainees(self, slug: str, *, limit: int | None = None, cursor: str | None = None) -> Page[Trainee]:
        """List the people who confirmed the guidelines in force, with their attempts, for owners of the task."""
        path = f"/tasks/{segment(slug)}/onboarding/people"
        return self._get(path, Page[Trainee], limit=limit, cursor=cursor)
