"""The pages that people see. It has no database: all it shows and changes goes through the public interface."""
