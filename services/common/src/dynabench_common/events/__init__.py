"""Events: the outbox, the relay, the consumer, dead letters and the transaction that holds them together."""
