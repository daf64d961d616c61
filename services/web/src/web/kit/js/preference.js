// Remembers for a year how the person wants pages, where the server reads it too; null forgets it. A browser that refuses
// cookies remembers nothing.
const YEAR = 365 * 24 * 3600;

export function remember(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  try {
    document.cookie = `${name}=${value ?? ""}; path=/; max-age=${value === null ? 0 : YEAR}; samesite=lax${secure}`;
  } catch {
    // The page looks as wished until the next one.
  }
}
