"""Public records of Dynabench: the services answer with them, and the SDK and the pages read them."""
