"""Response schemas of measurements. Shares are from 0 to 1; a missing value is null."""
