"""Dependencies of routes: the service's collaborators."""

from dynabench_common.http.service import Provided

from leaderboard.service_layer.dependencies import Dependencies

dependencies = Provided[Dependencies]()
