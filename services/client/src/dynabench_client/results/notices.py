"""Results about notifications."""

from dynabench_api import notices

Notice = notices.NoticeAnswer
Notices = notices.NoticesAnswer
NoticesRead = notices.NoticesReadAnswer
NoticeSettings = notices.SettingsAnswer
