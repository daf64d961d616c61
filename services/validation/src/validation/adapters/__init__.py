"""Tables, repositories, the unit of work, the projection of annotation's events, and the event codec."""
