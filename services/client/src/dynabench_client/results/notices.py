"""Results about what one is told."""

from dynabench_api import notices

Notice = notices.NoticeAnswer
Notices = notices.NoticesAnswer
NoticesRead = notices.NoticesReadAnswer
NoticeSettings = notices.SettingsAnswer
