"""Tables, events and the projection between them."""
