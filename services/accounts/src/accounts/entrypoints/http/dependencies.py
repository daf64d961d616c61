"""Access of the routes to the service's collaborators."""

from dynabench_common.http.service import Provided

from accounts.service_layer.dependencies import HttpDependencies

dependencies = Provided[HttpDependencies]()
