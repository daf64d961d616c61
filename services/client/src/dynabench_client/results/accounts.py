"""Results of the accounts service."""

from dynabench_api import accounts

Person = accounts.PersonAnswer
ListedPerson = accounts.ListedPersonAnswer
KnownPerson = accounts.KnownPersonAnswer
PeopleCounts = accounts.PeopleCountsAnswer
MailCounts = accounts.MailCountsAnswer
OwnEmail = accounts.EmailAnswer
Owner = accounts.OwnerAnswer
Owners = accounts.OwnersAnswer
Access = accounts.AccessAnswer
ApiToken = accounts.ApiTokenAnswer
NewApiToken = accounts.NewApiTokenAnswer
AuditEntry = accounts.AuditEntryAnswer
NewPasswordChosen = accounts.NewPasswordAnswer


class SignedIn(accounts.AccessAnswer):
    """The result of a sign-in or a refresh.

    `refresh_token` is the value of the refresh cookie; `set_cookie` is the whole header, for a server that passes it
    on to a browser.
    """

    refresh_token: str
    set_cookie: str
