"""Pages about the site: about, privacy, terms, licence, contact, documents, and the search."""
