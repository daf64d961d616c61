"""Work in the background: components of a worker, leaders, leases and jobs."""
