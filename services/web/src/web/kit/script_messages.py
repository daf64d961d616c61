"""Messages of scripts in the reader's language; `kit/js/messages.js` passes them on."""

import json

from web.kit.language import N_, _

MESSAGES = {
    "copied": N_("Copied"),
    "try-again-now": N_("You can try again now."),
    "try-again": N_("Try again"),
    "unanswered-offline": N_("You are offline, so nothing was sent."),
    "unanswered-away": N_("The platform does not answer just now."),
    "unanswered-too-long": N_("This is longer than the platform takes at once. Shorten it."),
    "unanswered-too-many": N_("Too much was sent from your network. Wait a minute."),
    "unanswered-foreign": N_(
        "The answer did not come from the platform. Perhaps your network wants you to sign in."
    ),
    "unanswered-kept": N_("What you wrote is still here."),
    "seconds-left": N_("%(number)s\u00a0s"),
    "draft-saved": N_("draft saved"),
    "draft-not-saved": N_("draft not saved: the browser's storage is full or closed"),
    "draft-restored": N_("draft restored"),
    "marked": N_("Marked: %(words)s"),
    "mark-gone": N_("The mark is gone."),
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
    "archive-paused": N_("Paused. What is under way arrives; nothing new is sent."),
    "archive-waiting": N_("The connection is gone. It goes on by itself once it is back."),
    "archive-completing": N_("All is sent. Its checks begin …"),
    "archive-offline": N_(
        "The platform can't be reached. What has arrived is kept: send the same file again."
    ),
    "archive-broke": N_(
        "The store does not take the rest just now. What has arrived is kept: send the same file again."
    ),
    "archive-unreadable": N_(
        "The file can't be read: perhaps it was changed or moved since you chose it. Choose it again."
    ),
    "archive-signature-missing": N_(
        "A public key says nothing without its signature. Choose the file that ends in .sig, or no key."
    ),
    "archive-signature-large": N_(
        "The file is larger than any signature. Choose the one that dynabench models sign wrote; it ends in .sig."
    ),
    "archive-signature-other": N_(
        "The file is no signature. Choose the one that dynabench models sign wrote; it ends in .sig."
    ),
    "archive-key-missing": N_(
        "A signature needs the signer's public key. Choose the file that ends in .pub.pem, or no signature."
    ),
    "archive-key-large": N_("The file is larger than any public key. Choose the one that ends in .pub.pem."),
    "archive-key-private": N_(
        "This is a private key, and was not sent. Keep it to yourself; choose the file that ends in .pub.pem."
    ),
    "archive-key-other": N_("The file is no public key in PEM. Choose the one that ends in .pub.pem."),
    "archive-signed-out": N_("You are signed out. What has arrived is kept: send the same file again."),
    "board-rose": N_("▲ up from place %(from)s since your last visit"),
    "board-fell": N_("▼ down from place %(from)s since your last visit"),
    "board-rose-in-noise": N_("▲ up from place %(from)s since your last visit, which may be chance"),
    "board-fell-in-noise": N_("▼ down from place %(from)s since your last visit, which may be chance"),
    "next-in": N_("Next in %(number)s\u00a0s"),
    "next-comes": N_("The next example comes in %(number)s seconds. Any key stops that."),
}


def script_messages() -> str:
    """Return the messages as JSON."""
    return json.dumps({name: _(text) for name, text in MESSAGES.items()}, ensure_ascii=False)
