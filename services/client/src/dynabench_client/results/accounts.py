"""Results of the accounts service: people, tokens, the audit log, notices."""

from dynabench_api import accounts, notices

Person = accounts.PersonAnswer
ListedPerson = accounts.ListedPersonAnswer
KnownPerson = accounts.KnownPersonAnswer
PeopleCounts = accounts.PeopleCountsAnswer
MailCounts = accounts.MailCountsAnswer
OwnEmail = accounts.EmailAnswer
Nickname = accounts.NicknameAnswer
OwnNickname = accounts.OwnNicknameAnswer
NicknameReport = accounts.NicknameReportAnswer
HiddenNickname = accounts.HiddenNicknameAnswer
TaskRequest = accounts.TaskRequestAnswer
OwnTaskRequest = accounts.OwnTaskRequestAnswer
OpenTaskRequest = accounts.OpenTaskRequestAnswer
NamedPerson = accounts.NamedPersonAnswer
Owner = accounts.OwnerAnswer
Owners = accounts.OwnersAnswer
Member = accounts.MemberAnswer
Group = accounts.GroupAnswer
NewGroup = accounts.NewGroupAnswer
GroupPeople = accounts.GroupPeopleAnswer
Invitation = accounts.InvitationAnswer
NewInvitation = accounts.NewInvitationAnswer
Invited = accounts.InvitedAnswer
SecondFactor = accounts.SecondFactorAnswer
AppSetup = accounts.AppSetupAnswer
RecoveryCodes = accounts.RecoveryCodesAnswer
OwnSession = accounts.OwnSessionAnswer
Issuer = accounts.IssuerAnswer
IssuerStart = accounts.IssuerStartAnswer
WaysIn = accounts.WaysInAnswer
Access = accounts.AccessAnswer
ApiToken = accounts.ApiTokenAnswer
NewApiToken = accounts.NewApiTokenAnswer
AuditEntry = accounts.AuditEntryAnswer
NewPasswordChosen = accounts.NewPasswordAnswer

Notice = notices.NoticeAnswer
Notices = notices.NoticesAnswer
NoticesRead = notices.NoticesReadAnswer
NoticeSettings = notices.SettingsAnswer


class SignedIn(accounts.AccessAnswer):
    """The result of a sign-in or a refresh.

    `refresh_token` is the value of the refresh cookie; `set_cookie` is the whole header, for a server that passes it
    on to a browser.
    """

    refresh_token: str
    set_cookie: str
