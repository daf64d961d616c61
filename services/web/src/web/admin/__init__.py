"""The administrators' console: health, dead letters, models, people."""
