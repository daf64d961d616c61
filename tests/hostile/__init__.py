"""`make hostile`: archives and programs of attackers, submitted to a platform of its own."""
