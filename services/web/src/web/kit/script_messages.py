"""Messages of scripts in the reader's language; `kit/js/messages.js` passes them on."""

import json

from web.kit.language import N_, _

MESSAGES = {
    "copied": N_("Copied"),
    "try-again-now": N_("You can try again now."),
    "try-again": N_("Try again"),
    "unanswered-offline": N_("You are offline, so nothing was sent."),
    "unanswered-away": N_("The platform does not answer. Try again in a minute."),
    "unanswered-too-long": N_("This text is too long. Shorten it."),
    "unanswered-too-many": N_("Your network sent too many requests. Wait a minute."),
    "unanswered-foreign": N_(
        "The answer did not come from the platform. Your network may want you to sign in."
    ),
    "unanswered-kept": N_("What you wrote is still here."),
    "seconds-left": N_("%(number)s\u00a0s"),
    "draft-saved": N_("draft saved"),
    "draft-not-saved": N_("draft not saved: your browser does not store it"),
    "draft-restored": N_("draft restored"),
    "marked": N_("Marked: %(words)s"),
    "mark-gone": N_("The mark is removed."),
    "text-to-mark-in": N_("Text to mark in"),
    "first-word": N_("First word: %(words)s. Tap the last word."),
    "server": N_("the server"),
    "waiting-for": N_("Waiting for %(what)s …"),
    "scrolls": N_("More columns to the side: scroll the table →"),
    "upload-unsent": N_("The connection broke, so nothing was added. Send the file again."),
    "upload-size": N_("%(number)s MB"),
    "upload-too-large": N_("The file has %(size)s: more than is taken at once. Split it."),
    "upload-sending": N_("Sending %(size)s …"),
    "upload-checking": N_("Sent. Its lines are being checked …"),
    "archive-reading": N_("Reading the file …"),
    "archive-sending": N_("Sent %(done)s of %(all)s MB"),
    "archive-paused": N_("Paused. Parts under way still arrive."),
    "archive-waiting": N_("No connection. The upload resumes automatically."),
    "archive-completing": N_("Upload complete. The checks start …"),
    "archive-offline": N_(
        "The platform can't be reached. Uploaded parts are kept: send the same file again."
    ),
    "archive-broke": N_(
        "The store does not accept the rest just now. Uploaded parts are kept: send the same file again."
    ),
    "archive-unreadable": N_("The file can't be read. Perhaps it was changed or moved. Choose it again."),
    "archive-signature-missing": N_(
        "A public key needs its signature. Choose the file that ends in .sig, or no key."
    ),
    "archive-signature-large": N_(
        "The file is too large for a signature. Choose the one that dynabench models sign wrote; it ends in .sig."
    ),
    "archive-signature-other": N_(
        "The file is not a signature. Choose the one that dynabench models sign wrote; it ends in .sig."
    ),
    "archive-key-missing": N_(
        "A signature needs the signer's public key. Choose the file that ends in .pub.pem, or no signature."
    ),
    "archive-key-large": N_("The file is too large for a public key. Choose the one that ends in .pub.pem."),
    "archive-key-private": N_(
        "This is a private key, and it was not sent. Keep it to yourself. Choose the file that ends in .pub.pem."
    ),
    "archive-key-other": N_("The file is not a public key in PEM. Choose the one that ends in .pub.pem."),
    "archive-signed-out": N_(
        "You are signed out. Uploaded parts are kept: sign in and send the same file again."
    ),
    "board-rose": N_("▲ up from place %(from)s since your last visit"),
    "board-fell": N_("▼ down from place %(from)s since your last visit"),
    "board-rose-in-noise": N_("▲ up from place %(from)s since your last visit, which may be chance"),
    "board-fell-in-noise": N_("▼ down from place %(from)s since your last visit, which may be chance"),
    "next-in": N_("Next in %(number)s\u00a0s"),
    "next-comes": N_("The next text comes in %(number)s seconds. Press any key to stay."),
}


def script_messages() -> str:
    """Return the messages as JSON."""
    return json.dumps({name: _(text) for name, text in MESSAGES.items()}, ensure_ascii=False)
