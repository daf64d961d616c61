"""Boards of people, and badges."""

from dynabench_api import badges

PersonRow = badges.PersonRowAnswer
UserBoard = badges.UserBoardAnswer
OwnBadge = badges.OwnBadgeAnswer
BadgeProgress = badges.ProgressAnswer
Badges = badges.BadgesAnswer
OwnBadges = badges.OwnBadgesAnswer
