"""Tables, repositories, the ledger, the projection of events, and the clients of platforms and accounts."""
