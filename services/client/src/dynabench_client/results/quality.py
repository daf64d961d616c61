"""Results about how well validators vote."""

from dynabench_api import validators

Validator = validators.ValidatorAnswer
ValidatorStanding = validators.StandingAnswer
ValidatorStandings = validators.StandingsAnswer
GoldItem = validators.GoldAnswer
GoldRefreshed = validators.RefreshedAnswer
PauseAppeal = validators.PauseAppealAnswer
