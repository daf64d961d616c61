"""Rules without input or output: routes, requests, queues, breakers, the cache."""
